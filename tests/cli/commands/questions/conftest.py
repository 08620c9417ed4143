"""`hookwright questions …` in a house of its own, run as a person runs it."""

import json
import sys

import pytest

from hookwright.cli import main
from hookwright.protocol.json import dumps
from hookwright.store import journal
from tests.hooks.questions.kit import House, answered, payload


class Command:
    def __init__(self, house, monkeypatch, capsys):
        self.house, self.monkeypatch, self.capsys = house, monkeypatch, capsys

    def __call__(self, *words, code=0):
        """Stdout of the command, which must end with this code."""
        self.monkeypatch.setattr(sys, "argv", ["hookwright", "questions", *words])
        with pytest.raises(SystemExit) as ended:
            main.main()
        said = self.capsys.readouterr()
        assert ended.value.code == code, said
        self.err = said.err
        return said.out

    def json(self, *words):
        return json.loads(self(*words, "--json"))

    def lines(self, *words):
        return [json.loads(line) for line in self(*words, "--json").splitlines()]


@pytest.fixture
def house(tmp_path, monkeypatch):
    found = House(tmp_path)
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    found.project = str(shop)
    for name in ("HOOKWRIGHT_QUESTIONS_ONE_WAY", "HOOKWRIGHT_QUESTIONS_PRESENCE", "HOOKWRIGHT_QUESTIONS_AWAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HOOKWRIGHT_CONFIG_HOME", found.config)
    monkeypatch.setenv("HOOKWRIGHT_STATE_HOME", found.state)
    monkeypatch.chdir(shop)
    monkeypatch.setattr("time.time", lambda: found.now)
    return found


@pytest.fixture
def questions(house, monkeypatch, capsys):
    return Command(house, monkeypatch, capsys)


@pytest.fixture
def ask(house):
    """Ask questions and answer them as the user does, unless a preference does it; all of it recorded."""
    calls = iter(range(1, 10_000))

    def asked(*raws, answers=None, **more):
        event = payload(*raws, tool_use_id=f"toolu_{next(calls)}", cwd=house.project, **more)
        ours = house.send(event).get("hookSpecificOutput", {}).get("updatedInput", {}).get("answers")
        record(event)
        house.now += 10
        given = ours if ours is not None else answers
        if given is not None:
            after = answered(event, given)
            house.send(after)
            record(after)
        return ours

    def record(event):
        kept = {
            "event": event["hook_event_name"],
            "session_id": event["session_id"],
            "tool_use_id": event["tool_use_id"],
            "tool": event["tool_name"],
            "project": house.project,
            "decisions": house.trace,
            **house.facts,
        }
        assert journal.append(house.state, house.now, kept, dumps)

    return asked
