"""User hooks written for `hookwright.state` and other old names in docs and examples of the last release still work."""

import importlib
import subprocess
import sys

import pytest

from hookwright.shell.project_scripts.find_script import Project

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

RENAMED = {  # functions and classes that have another name now
    "cache.sweep": "cache.sweep_expired",
    "durations.glimpse": "durations_read.probe_command",
    "durations.learned": "durations_read.estimate_from_row",
    "durations.look_up": "durations_read.estimate_segments",
    "durations.names_of": "durations_read.extract_names",
    "durations.rows_of": "durations_read.read_rows",
    "estimate.expected": "estimate.expected_value",
    "estimate.learned": "estimate.fit_samples",
    "estimate.prior": "estimate.prior_belief",
    "estimate.t_above": "estimate.student_t_tail",
    "estimate.under": "estimate.child_prior",
    "estimate.updated": "estimate.update_belief",
    "ingest.Ingested": "ingest.IngestResult",
    "ingest.backlog": "ingest.backlog_bytes",
    "ingest.pending": "ingest.list_pending",
    "journal.date_of": "journal.format_date",
    "journal.line_of": "journal.encode_record",
    "lock.owner": "lock.owner_pid",
    "store.set_aside": "database.move_aside",
}


@pytest.mark.parametrize("old", DOCUMENTED)
def test_an_old_module_is_the_new_one_under_its_old_name(old):
    new, names = DOCUMENTED[old]
    there = importlib.import_module(f"hookwright.state.{old}")
    here = importlib.import_module(f"hookwright.store.{new}")
    assert [getattr(there, name) for name in names] == [getattr(here, name) for name in names]


@pytest.mark.parametrize("old", RENAMED)
def test_a_function_has_its_old_name_there(old):
    assert find(f"hookwright.state.{old}") is find(f"hookwright.store.{RENAMED[old]}")


def test_the_project_scripts_are_importable_as_docs_shell_md_had_it():
    assert find("hookwright.shell.scripts.project.Project") is Project


def find(path):
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def test_hot_modules_load_nothing_more_than_before():
    program = (
        "import sys; before = set(sys.modules)\n"
        "from hookwright.state import cache, durations, journal, limits, lock, paths, redact\n"
        "print(*sorted(name for name in set(sys.modules) - before if not name.startswith('hookwright')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"__future__", "_imp", "marshal", "posix", "time", "_signal"}
