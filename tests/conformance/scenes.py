"""The conformance cases as data: read scenes, expand cases, compare outcomes.

cases/*.json → [Scene, Case] → a player (the real client, an engine) → outcome → compared field by field
README.md documents the format; nothing here knows who plays.
"""

import copy
import glob
import json
import os
from dataclasses import dataclass, field

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases")
VERSIONS = os.path.join(os.path.dirname(FOLDER), "versions")  # what other clients do otherwise

# What an outcome says when a field is not written. `ran` is always written.
DEFAULTS = {
    "decision": "none",
    "reason": None,
    "updated_input": None,
    "context": [],
    "system_messages": [],
    "continue": True,
    "stop_reason": None,
    "cut": [],
    "updated_output": None,
    "later": [],
    "continuations": 0,
}


@dataclass
class Case:
    """One event, the behaviour of the handlers, and what came of it."""

    name: str
    event: dict
    handlers: dict[str, dict]
    outcome: dict | None
    settle: bool = False


@dataclass
class Scene:
    """Settings shared by several cases; each case stands on its own."""

    file: str
    about: str
    settings: dict[str, dict]
    cases: list[Case]
    env: dict[str, str] = field(default_factory=dict)
    alone: bool = False

    @property
    def name(self) -> str:
        return os.path.splitext(os.path.basename(self.file))[0]

    @property
    def handlers(self) -> list[str]:
        """Names of all handlers that the settings refer to."""
        return sorted({entry["run"] for entry in entries_of(self.settings) if "run" in entry})


def entries_of(settings: dict[str, dict]):
    """Every handler entry of every scope; entries too broken to be looked into are left out."""
    for scope in settings.values():
        for groups in scope.get("hooks", {}).values():
            for group in groups:
                yield from (entry for entry in group.get("hooks", []) if isinstance(entry, dict))


def files() -> list[str]:
    return sorted(glob.glob(os.path.join(FOLDER, "*.json")))


def load(path: str) -> Scene:
    with open(path, encoding="utf-8") as handle:
        data = json.load(handle)
    shared = data.get("event", {})
    cases = [
        Case(
            name=case["case"],
            event={**copy.deepcopy(shared), **case.get("event", {})},
            handlers=case.get("handlers", {}),
            outcome=case.get("outcome"),
            settle=case.get("settle", False),
        )
        for case in data["cases"]
    ]
    optional = {key: data[key] for key in ("env", "alone") if key in data}
    return Scene(path, data["about"], data["settings"], cases, **optional)


def full(outcome: dict) -> dict:
    """The outcome with every field."""
    return {**copy.deepcopy(DEFAULTS), **outcome}


def short(outcome: dict) -> dict:
    """The outcome as it is written: what differs from the defaults."""
    said = {key: outcome[key] for key in DEFAULTS if key in outcome and outcome[key] != DEFAULTS[key]}
    return {"ran": outcome["ran"], **said}


def differences(expected: dict, found: dict) -> list[str]:
    wanted, got = full(expected), full(found)
    return [
        f"{key}: expected {wanted.get(key)!r}, found {got.get(key)!r}"
        for key in sorted({*wanted, *got})
        if wanted.get(key) != got.get(key)
    ]


def dump(data: dict) -> str:
    """The file's text: a line per part, so that a changed outcome is a changed line."""
    head = [f" {json.dumps(key)}: {inline(value)}" for key, value in data.items() if key not in ("settings", "cases")]
    scopes = [f"  {json.dumps(scope)}: {inline(settings)}" for scope, settings in data["settings"].items()]
    cases = []
    for case in data["cases"]:
        parts = [f"{json.dumps(key)}: {inline(value)}" for key, value in case.items()]
        cases.append("  {" + ",\n   ".join(parts) + "}")
    head.append(' "settings": {\n' + ",\n".join(scopes) + "\n }")
    head.append(' "cases": [\n' + ",\n".join(cases) + "\n ]")
    return "{\n" + ",\n".join(head) + "\n}\n"


def dump_version(data: dict) -> str:
    """The text of a file in versions/: a line per case that differs."""
    parts = []
    for name, cases in data["scenes"].items():
        lines = [f"   {inline(case)}: {inline(outcome)}" for case, outcome in cases.items()]
        parts.append(f"  {inline(name)}: " + ("{\n" + ",\n".join(lines) + "\n  }" if lines else "{}"))
    return f'{{\n "client": {inline(data["client"])},\n "scenes": {{\n' + ",\n".join(parts) + "\n }\n}\n"


def load_version(version: str) -> dict[str, dict[str, dict]]:
    """Scene → case → outcome, for the cases in which this version differs; scenes that it was not asked are missing."""
    with open(os.path.join(VERSIONS, f"{version}.json"), encoding="utf-8") as handle:
        return json.load(handle)["scenes"]


def fill_places(text: str, places: dict[str, str]) -> str:
    """`<PROJECT>/a.py` with the real folder."""
    for name, path in places.items():
        text = text.replace(f"<{name}>", path)
    return text


def inline(value) -> str:
    return json.dumps(value, ensure_ascii=False)
