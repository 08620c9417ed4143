"""What the pages of the working hooks show as configuration is sound, and complete."""

import re
from pathlib import Path

import pytest

from hookwright.config.compiler import declare_builtins, resolve_options

PAGES = Path(__file__).resolve().parents[2] / "docs/hooks"
HOOKS = ("stop_guard", "context", "notify", "format", "background_tasks", "summary")
BLOCKS = [
    (name, text)
    for name in HOOKS
    for text in re.findall(r"```toml\n(.*?)```", (PAGES / f"{name}.md").read_text(), re.DOTALL)
]


@pytest.mark.parametrize(("name", "text"), BLOCKS)
def test_a_shown_configuration_is_accepted(name, text, tmp_path):
    file = tmp_path / "config.toml"
    file.write_text(text)
    found = resolve_options(str(file), "", trusted=False)
    assert found.problems == []
    assert any(value.origin == "user" for value in found.values[name].values())


@pytest.mark.parametrize("name", HOOKS)
def test_a_page_names_every_option_of_its_own(name):
    page = (PAGES / f"{name}.md").read_text()
    (hook,) = (one for one in declare_builtins() if one.name == name)
    plain = {"mode", "debug"}
    assert [option for option in hook.options if option not in plain and option not in page] == []
