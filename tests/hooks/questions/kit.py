"""Builders: questions, calls and preferences as the client and the commands make them."""

import itertools
import json
import os

from hookwright import dispatch
from hookwright.config import compiler
from hookwright.hooks.base import World
from hookwright.hooks.questions.question import parse_questions

_ids = itertools.count(1)


def question(text="Which database?", *labels, header="DB", multi=False, **more):
    options = [{"label": label, "description": ""} for label in labels or ("Postgres (Recommended)", "SQLite")]
    return {"question": text, "header": header, "options": options, "multiSelect": multi, **more}


def asked(*args, **more):
    """One question as it is read."""
    return parse_questions({"questions": [question(*args, **more)]})[0]


def preference(value="answer", answer=None, text=None, **more):
    """A preference by wording, unless `match` says otherwise."""
    labels = [answer] if isinstance(answer, str) else answer
    found = {
        "id": f"p-{next(_ids):06x}",
        "scope": "user",
        "match": {"question": "Which database?"},
        "value": value,
        "answer": labels,
        "text": text,
        "expires": None,
        "uses": None,
        "disabled": False,
    }
    return {**found, **more}


def payload(*questions, event="PreToolUse", tool="AskUserQuestion", **more):
    return {
        "session_id": "s-1",
        "transcript_path": "/nowhere.jsonl",
        "cwd": "/home/ann/shop",
        "hook_event_name": event,
        "tool_name": tool,
        "tool_input": {"questions": list(questions)},
        "tool_use_id": "toolu_1",
        **more,
    }


def answered(before, answers, **response):
    """The payload that follows a call, with what the tool returned."""
    tool_input = {**before["tool_input"], "answers": answers}
    return {
        **before,
        "hook_event_name": "PostToolUse",
        "tool_input": tool_input,
        "tool_response": {**tool_input, **response},
        "duration_ms": 1,
    }


class House:
    """A user's folders, and events that are answered in them as the hook process does it."""

    def __init__(self, folder, now=1_800_000_000.0):
        self.home, self.now = str(folder), now
        self.config, self.state = f"{self.home}/config", f"{self.home}/state"
        self.project = "/home/ann/shop"
        self.env = {}
        self.facts = {}

    def prefer(self, *preferences, **more):
        self.write("user.json", {"v": 1, "preferences": list(preferences), **more})

    def write(self, name, content):
        os.makedirs(f"{self.config}/questions", mode=0o700, exist_ok=True)
        path = f"{self.config}/questions/{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        os.chmod(path, 0o600)
        return path

    def send(self, event):
        """The hooks' answer as an object, {} for silence; `facts` and `trace` of it are kept."""
        env = {"HOOKWRIGHT_CONFIG_HOME": self.config, "CLAUDE_CODE_SESSION_ATTENDED": "1", **self.env}
        world = World(env.get, now=self.now, home=self.home, state=self.state, project=self.project)
        plan = compiler.compile_plan(user="", project="", trust="")
        outcome = dispatch.answer(event, plan, world)
        self.facts, self.trace = world.facts, outcome.trace
        assert not any("failure" in row for row in outcome.trace), outcome.trace
        return json.loads(outcome.stdout) if outcome.stdout else {}

    def answers(self, *questions, **more):
        """What is answered for the user, None when the dialog is shown."""
        return self.answers_to(payload(*questions, **more))

    def answers_to(self, event):
        said = self.send(event).get("hookSpecificOutput", {})
        assert said.get("permissionDecision") in (None, "allow")
        assert ("permissionDecision" in said) == ("updatedInput" in said)
        return said.get("updatedInput", {}).get("answers")
