"""Hooks in YAML, with their line."""

import pytest

from hookwright.settings import frontmatter
from hookwright.settings.client_validation import Kind, inspect_file
from hookwright.settings.json_document import UnreadableError

SKILL = """---
name: sk
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: "./check.sh"
          timeout: 5
---
body
"""


def entries(text):
    return inspect_file(frontmatter.read_frontmatter(text.encode(), "SKILL.md"), Kind.FRONTMATTER).entries


@pytest.mark.parametrize("text", [SKILL, SKILL.replace("\n", "\r\n"), "\ufeff" + SKILL])
def test_a_hook_is_read_with_its_place(text):
    (entry,) = entries(text)
    assert (entry.event, entry.matcher, entry.where) == ("PreToolUse", "Bash", "SKILL.md:7")
    assert entry.handler == {"type": "command", "command": "./check.sh", "timeout": 5}


@pytest.mark.parametrize(
    "text", ["", "body", "---\nname: x\n---\nhooks:", "--- \nhooks:\n", "---\nhooks:\n---\n", "---\n---"]
)
def test_a_file_without_hooks_has_none(text):
    assert entries(text) == []


def test_a_broken_guard_costs_the_file_and_another_only_itself():
    broken = SKILL.replace("type: command", "type: zork")
    assert inspect_file(frontmatter.read_frontmatter(broken.encode(), "SKILL.md"), Kind.FRONTMATTER).skipped
    broken = broken.replace("PreToolUse", "PostToolUse")
    found = inspect_file(frontmatter.read_frontmatter(broken.encode(), "SKILL.md"), Kind.FRONTMATTER)
    assert (found.skipped, [f.where for f in found.findings]) == (False, ["SKILL.md:7"])


@pytest.mark.parametrize(
    ("text", "line"), [("---\nname: x\nhooks: [\n---\n", 4), ("---\nhooks: !!python/object:x {}\n---\n", 2)]
)
def test_yaml_that_cannot_be_read_is_named_with_its_line(text, line):
    with pytest.raises(UnreadableError, match="not valid YAML") as caught:
        frontmatter.read_frontmatter(text.encode(), "SKILL.md")
    assert caught.value.line in (line, line - 1)


DOUBLING = "".join(f"  a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))


@pytest.mark.parametrize(
    "yaml",
    [
        f"hooks:\n  a0: &a0 [x, x]\n{DOUBLING}",
        "hooks: &a [*a]",
        "hooks: &a {b: *a}",
        f"hooks:\n  a0: &a0 {{x: y}}\n{DOUBLING}  z:\n    <<: [*a30]\n",
        "hooks: " + "[" * 5000,
        "hooks:\n" + "  - a\n" * 100_000,
    ],
)
def test_yaml_that_grows_without_end_is_unreadable(yaml):
    with pytest.raises(UnreadableError):
        frontmatter.read_frontmatter(f"---\n{yaml}\n---\n".encode(), "SKILL.md")
