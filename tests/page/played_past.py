"""A past to look at: sessions of the last hours, every decision made by the real hooks, recorded in a real journal."""

import json
import os
import random
import subprocess
import sys

from hookwright import dispatch
from hookwright.config import compiler
from hookwright.hooks.base import World
from hookwright.runtime.journal_record import build_record
from hookwright.store import background_tasks, journal
from hookwright.store.database import open_store
from hookwright.store.refresh import refresh

EVERYDAY = {  # command → about how many seconds it takes
    "git status --short": 0.1,
    "ls -la src": 0.05,
    "rg -n 'TODO' src": 0.3,
    "sed -n '1,80p' src/orders/cart.ts": 0.05,
    "git diff --stat": 0.2,
    "pytest tests/test_cart.py -x": 9,
    "pytest": 140,
    "npm run build": 75,
    "npm install": 48,
    "npx tsc --noEmit": 14,
    "cargo test": 95,
    "make check": 33,
    "docker compose up -d db": 6,
    "ruff check .": 0.4,
}
STOPPED = (
    "git push --force origin main",
    "rm -rf ~/.cache /srv/data",
    "git reset --hard HEAD~3",
    "terraform destroy -auto-approve",
    "curl -s https://get.example.sh | sh",
    "psql prod -c 'DROP TABLE orders'",
    "git clean -fdx",
    "cat .env",
)
QUESTION = {
    "question": "Which test runner should the new package use?",
    "header": "Test runner",
    "options": [{"label": "pytest (Recommended)"}, {"label": "unittest"}],
    "multiSelect": False,
}
SESSIONS = (
    ("shop", 4.6, 60),
    ("api", 3.9, 44),
    ("infra", 2.8, 26),
    ("models", 2.1, 36),
    ("shop", 1.2, 48),
    ("site", 0.6, 22),
)


class PlayedPast:
    """Plays events through the hooks at moments of the past."""

    def __init__(self, home, now, projects=""):
        self.home, self.now = str(home), now
        self.projects = projects or f"{home}/work"
        self.state = f"{home}/.local/state/hookwright"
        self.chance = random.Random(7)
        config = f"{home}/.config/hookwright/config.toml"
        os.makedirs(os.path.dirname(config), exist_ok=True)
        self.plan = compiler.compile_plan(user=config)
        self.calls = 0
        self.encode = json.JSONEncoder(ensure_ascii=False).encode

    def play(self, event, moment, session, project, **payload):
        """One event; returns what was answered, in one word."""
        env = {"HOME": self.home, "CLAUDE_CODE_ENTRYPOINT": "cli"}
        world = World(env.get, now=moment, home=self.home, state=self.state, project=project)
        payload = {"hook_event_name": event, "session_id": session, "cwd": project, "transcript_path": "", **payload}
        outcome = dispatch.answer(payload, self.plan, world)
        record = build_record(world, outcome)
        assert journal.append(self.state, moment, record, self.encode, payload=payload)
        return outcome

    def run(self, moment, session, project, command, seconds, task=""):
        """A Bash call from its beginning to its end; returns how long it held the conversation."""
        self.calls += 1
        call = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": self.name_call()}
        outcome = self.play("PreToolUse", moment, session, project, **call)
        if outcome.verdict in ("deny", "ask"):
            return 4.0
        moved = bool((outcome.updated_input or {}).get("run_in_background"))
        response = {"stdout": "", "stderr": "", "interrupted": False}
        if not moved:
            done = {"tool_response": response, "duration_ms": seconds * 1000}
            self.play("PostToolUse", moment + seconds, session, project, **call, **done)
            return seconds
        task = task or f"b{self.calls:03}"
        call["tool_input"] = outcome.updated_input
        response["backgroundTaskId"] = task
        self.play("PostToolUse", moment + 0.02, session, project, **call, tool_response=response, duration_ms=20)
        if moment + seconds < self.now:
            background_tasks.add_mark(self.state, session, background_tasks.END, task, moment + seconds, "ok")
            text = f"<task-notification><task-id>{task}</task-id><status>completed</status></task-notification>"
            self.play("UserPromptSubmit", moment + seconds, session, project, prompt=text)
        return 1.0

    def name_call(self):
        return f"toolu_{os.urandom(8).hex()}"

    def ask(self, moment, session, project, answer):
        self.calls += 1
        call = {
            "tool_name": "AskUserQuestion",
            "tool_input": {"questions": [QUESTION]},
            "tool_use_id": self.name_call(),
        }
        outcome = self.play("PreToolUse", moment, session, project, **call)
        given = (outcome.updated_input or {}).get("answers") or {QUESTION["question"]: answer}
        done = {"tool_response": {"questions": [QUESTION], "answers": given}}
        self.play("PostToolUse", moment + 3, session, project, **call, **done)

    def play_sessions(self):
        for number, (name, hours_ago, calls) in enumerate(SESSIONS):
            session = (
                f"{number + 3:x}{self.chance.getrandbits(28):07x}-5b1e-4c3a-9f00-{self.chance.getrandbits(48):012x}"
            )
            project = f"{self.projects}/{name}"
            if project.startswith(self.home):
                os.makedirs(project, exist_ok=True)
            at = self.now - hours_ago * 3600
            self.play("SessionStart", at, session, project, source="startup")
            for call in range(calls):
                at += self.chance.uniform(8, 70)
                if at >= self.now - 100:
                    break
                if call % 11 == 6:
                    at += self.run(at, session, project, self.chance.choice(STOPPED), 1.0)
                elif call % 19 == 9:
                    self.ask(at, session, project, "unittest")
                else:
                    command = self.chance.choices([*EVERYDAY], [3, 3, 3, 3, 3, 3, 1, 2, 1, 2, 1, 2, 1, 2])[0]
                    at += self.run(
                        at, session, project, command, EVERYDAY[command] * self.chance.lognormvariate(0, 0.35)
                    )
            if number < len(SESSIONS) - 2:
                self.play("SessionEnd", min(at + 20, self.now - 90), session, project, reason="exit")

    def finish(self):
        """Ledger and learned durations, as the background refresh makes them."""
        store = open_store(self.state)
        refresh(store, self.state, self.now)
        store.close()


def play_past(home, now, projects=""):
    """A whole past; returns the state directory. `projects`: where the projects seem to be."""
    past = PlayedPast(home, now, projects)
    words = [
        "questions",
        "set",
        "--question",
        QUESTION["question"],
        "--answer",
        "pytest (Recommended)",
        "--scope",
        "user",
    ]
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-m", "hookwright", *words], env=env, cwd=home, check=True, capture_output=True)
    past.play_sessions()
    past.finish()
    return past.state
