"""Every finding that the code can make is on its page, and no other."""

import os
import re

import hookwright.settings
from hookwright.settings import client_schema

SOURCE = os.path.dirname(hookwright.settings.__file__)
PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "settings.md")
CODE = re.compile(r'"((?:[a-z]+-)+[a-z]+)"')
NOT_CODES = {"utf-16-le", "utf-8", "common-fields", *client_schema.TYPES}


def test_the_page_lists_every_finding():
    made = set()
    for name in ("client_validation", "client_schema", "check", "check_names", "check_text", "load"):
        with open(os.path.join(SOURCE, name + ".py"), encoding="utf-8") as handle:
            made |= set(CODE.findall(handle.read()))
    with open(PAGE, encoding="utf-8") as handle:
        listed = set(re.findall(r"`((?:[a-z]+-)+[a-z]+)`", handle.read().partition("## Findings")[2]))
    assert made - NOT_CODES == listed
