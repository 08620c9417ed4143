"""A past to query (events written as the hook process writes them), and processes that run at the same time."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from hookwright.cli.main import program
from hookwright.store import journal, refresh
from hookwright.store.database import open_store

NOON = 1_763_208_000.0  # 2025-11-15 12:00:00 UTC


class Past:
    """Writes events into a journal of its own and asks the ledger about them."""

    def __init__(self, state):
        self.state = str(state)
        self.clock = NOON
        self.calls = 0

    def event(self, event, *, later=1.0, **fields):
        self.clock += later
        record = {"event": event, "session_id": "s1", "project": "/home/ann/shop", **fields}
        assert journal.append(self.state, self.clock, record, json.dumps)

    def pre(self, command, *, tool="Bash", later=1.0, said=(), answer=None, changed=None, **fields):
        self.calls += 1
        call = fields.pop("tool_use_id", f"toolu_{self.calls}")
        self.event(
            "PreToolUse",
            later=later,
            tool=tool,
            tool_use_id=call,
            command=command,
            decisions=[*said, {"hook": "observer", "verdict": "none", "reason": "", "us": 9, "mode": "on"}],
            answer=answer,
            changed=changed,
            **fields,
        )
        return call

    def post(self, call, command, took, *, outcome="ok", exit_code=0, failed=False, **fields):
        self.event(
            "PostToolUseFailure" if failed else "PostToolUse",
            later=took,
            tool="Bash",
            tool_use_id=call,
            command=command,
            duration_ms=took * 1000,
            outcome=outcome,
            exit_code=exit_code,
            **fields,
        )

    def ran(self, command, took, **fields):
        """One whole run in the foreground."""
        call = self.pre(command)
        self.post(call, command, took, **fields)
        return call

    def moved(self, command, *, ends_after=None, status="ok", task="b1"):
        """A command that we moved to the background, and the client's notice of its end."""
        said = {"hook": "auto_background", "verdict": "rewrite", "reason": "long", "us": 50, "mode": "on"}
        call = self.pre(command, said=[said], answer="rewrite", changed=["run_in_background"])
        self.post(call, command, 0.01, outcome="background", exit_code=None, task_id=task, behind=True)
        if ends_after is not None:
            self.event(
                "UserPromptSubmit", later=ends_after, tool_use_id=call, task_id=task, outcome=status, exit_code=0
            )
        return call

    def store(self):
        """The ledger after the background refresh."""
        store = open_store(self.state)
        refresh.refresh(store, self.state, self.clock + 1)
        return store

    def samples(self):
        rows = self.store().execute(
            "SELECT c.command, seconds, kind, weight FROM samples s JOIN commands c ON c.no = s.command ORDER BY time"
        )
        return [(row["command"], round(row["seconds"], 1), row["kind"], row["weight"]) for row in rows]


@pytest.fixture
def past(tmp_path):
    return Past(tmp_path / "state")


@pytest.fixture
def hookwright(past, monkeypatch, tmp_path):
    """Run a command of ours; returns exit code, stdout, stderr."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HOOKWRIGHT_STATE_HOME", past.state)
    monkeypatch.setenv("HOOKWRIGHT_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)

    def run(*words):
        result = CliRunner().invoke(program, list(words), standalone_mode=False)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.return_value, result.stdout, result.stderr

    return run


class Crowd:
    """Starts scripts in processes of their own; `args` arrive as `sys.argv[1:]`."""

    def __init__(self):
        self.processes = []

    def start(self, code, *args):
        path = f"import sys; sys.path[:0] = {json.dumps([p for p in sys.path if p])}\n"
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", path + code, *map(str, args)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.processes.append(process)
        return process

    def outputs(self):
        return [process.communicate(timeout=120)[0].strip() for process in self.processes]

    def end(self):
        for process in self.processes:
            process.kill()
            process.communicate()


@pytest.fixture
def crowd():
    crowd = Crowd()
    yield crowd
    crowd.end()
