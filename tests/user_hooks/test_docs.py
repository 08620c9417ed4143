"""What the page about own hooks shows, works."""

import re
import tomllib
from pathlib import Path

from hookwright.config import command_hooks, compiler

PAGE = (Path(__file__).parents[2] / "docs/hooks/user_hooks.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_hooks_load_and_say_what_the_page_says(tmp_path):
    [source] = blocks("python")
    (tmp_path / "house_rules.py").write_text(source)
    found = compiler.load_user_hooks(str(tmp_path))
    assert found.problems == []
    rules, ticket = found.hooks
    assert (rules.name, rules.order, rules.failure, rules.deadline_s) == ("no_friday_deploys", 10, "ask", 2.0)
    assert (ticket.name, "number" in ticket.options) == ("ticket", True)


def test_the_configuration_is_sound(tmp_path):
    config = tmp_path / "config.toml"
    shown = [text for text in blocks("toml") if "entry-points" not in text]
    config.write_text("\n".join(shown))
    assert tomllib.loads(config.read_text()).keys() == {command_hooks.SECTION}
    assert compiler.resolve_options(str(config), "", trusted=False).problems == []


def test_every_key_of_a_command_is_in_the_reference():
    reference = (Path(__file__).parents[2] / "docs/reference/options.md").read_text()
    for key in command_hooks.hooks_section().options["command"].columns:
        assert f"`[[hooks.command]]` `{key}`" in reference
