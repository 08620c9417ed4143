"""docs/what-is-this.md shows an entry as `hookwright install` writes it, and names places that are ours."""

import json
import re
from pathlib import Path

from hookwright.config import compiler
from hookwright.runtime import launcher, registration
from hookwright.runtime.entry_match import runs_hookwright
from hookwright.store import paths

PAGE = (Path(__file__).resolve().parent.parent / "docs/what-is-this.md").read_text()


def test_the_entry_is_one_of_ours(monkeypatch):
    [text] = re.findall(r"```json\n(.*?)```", PAGE, flags=re.DOTALL)
    entry = json.loads(text)
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert runs_hookwright(entry)
    assert [entry["command"], *entry["args"]] == launcher.build_argv()
    hooks = [hook for hook in compiler.declare_builtins() if "PreToolUse" in hook.on]
    assert set(entry) == {"type", "command", "args", "timeout"}
    assert 0 < entry["timeout"] <= registration.timeout_s("PreToolUse", hooks)


def test_the_places_are_where_our_files_are():
    home = {"HOME": "/home/ann"}.get
    places = {paths.config_dir(home), paths.state_dir(home), paths.cache_dir(home), paths.data_dir(home)}
    shown = {
        place.rstrip("/").replace("~", "/home/ann")
        for place in re.findall(r"^\| `(~/\.[^`]+)`", PAGE, flags=re.MULTILINE)
    }
    assert places <= shown
