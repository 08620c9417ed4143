"""Every finding that verify can make is on its page, and no other."""

import re
from pathlib import Path

import hookwright
from hookwright.verify.report import NOTES

SOURCE = Path(hookwright.__file__).parent
DOCS = SOURCE.parent.parent / "docs"
MADE = re.compile(r'(?:Finding|Ignored|add_ignored|append)\(\(?\s*"([a-z0-9-]+)"')
TABLED = re.compile(r'\("((?:[a-z0-9]+-)+[a-z]+|lockout|defers|slow)", ')
LISTED = re.compile(r"`((?:[a-z0-9]+-)+[a-z]+|schema|lockout|defers|configuration|slow)`")


def test_the_page_lists_every_finding():
    files = [*(SOURCE / "verify").glob("*.py"), SOURCE / "protocol/hook_output.py"]
    text = "\n".join(path.read_text() for path in files)
    made = set(MADE.findall(text)) | set(TABLED.findall(text)) | NOTES | {"configuration", "ours-twice"}
    made -= {"utf-16-le"}
    listed = set(LISTED.findall((DOCS / "verify.md").read_text().partition("## Findings")[2]))
    assert made == listed
