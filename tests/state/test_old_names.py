"""User hooks written for `hookwright.state`, as docs and examples of the last release had it, still work."""

import importlib
import subprocess
import sys

import pytest

DOCUMENTED = {
    "paths": ("paths", ["config_dir", "state_dir", "cache_dir", "project_dir", "session_dir", "make_private"]),
    "cache": ("cache", ["read", "write", "forget"]),
    "lock": ("lock", ["Lock"]),
    "limits": ("limits", ["scope", "once", "allow", "forget"]),
    "journal": ("journal", ["append"]),
    "redact": ("redact", ["mask", "apply"]),
    "secrets": ("secrets", ["find_secrets"]),
    "durations": ("durations_read", []),
    "store": ("database", []),
    "ingest": ("ingest", []),
    "estimate": ("estimate", []),
}


@pytest.mark.parametrize("old", DOCUMENTED)
def test_an_old_module_is_the_new_one_under_its_old_name(old):
    new, names = DOCUMENTED[old]
    there = importlib.import_module(f"hookwright.state.{old}")
    here = importlib.import_module(f"hookwright.store.{new}")
    assert [getattr(there, name) for name in names] == [getattr(here, name) for name in names]


def test_hot_modules_load_nothing_more_than_before():
    program = (
        "import sys; before = set(sys.modules)\n"
        "from hookwright.state import cache, journal, limits, lock, paths, redact\n"
        "print(*sorted(name for name in set(sys.modules) - before if not name.startswith('hookwright')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"__future__", "_imp", "marshal", "posix", "time", "_signal"}
