"""A desk for the working hooks: a real repository, a state folder, and the events of a session in it."""

import os
import subprocess
import time

from hookwright.hooks.base import World
from hookwright.protocol.events import event_of

OLD = "2020-01-01T12:00:00+00:00"
IDENTITY = {
    "GIT_AUTHOR_NAME": "Ann",
    "GIT_AUTHOR_EMAIL": "ann@example.com",
    "GIT_COMMITTER_NAME": "Ann",
    "GIT_COMMITTER_EMAIL": "ann@example.com",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
}


def git(folder, *words, date=OLD):
    env = {**os.environ, **IDENTITY, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    done = subprocess.run(["git", *words], cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class Desk:
    """One project and the sessions that work in it. Commits are old unless a date is given."""

    def __init__(self, folder, *, repository=True, session="s1"):
        self.root = os.path.realpath(folder)
        self.project = os.path.join(self.root, "project")
        self.state = os.path.join(self.root, "state")
        self.cache = os.path.join(self.root, "cache")
        self.home = os.path.join(self.root, "home")
        self.session = session
        self.environment: dict[str, str] = {}
        self.later = 0.0  # seconds added to the clock
        self.facts: dict = {}
        for place in (self.project, self.home):
            os.makedirs(place, exist_ok=True)
        if repository:
            git(self.project, "init", "-q", "-b", "main")
            self.put("kept.py", "a = 1\n")
            self.commit("first")

    def path(self, name):
        return os.path.join(self.project, name)

    def put(self, name, text):
        """A file that nobody of the session wrote."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def age(self, name, seconds=86400):
        """Make a file look as if it had been written that long ago."""
        then = time.time() - seconds
        os.utime(self.path(name), (then, then))

    def git(self, *words, date=OLD):
        return git(self.project, *words, date=date)

    def commit(self, subject, date=OLD):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", subject, date=date)

    def world(self):
        world = World(
            self.environment.get,
            now=time.time() + self.later,
            home=self.home,
            state=self.state,
            cache=self.cache,
            project=self.project,
        )
        self.facts = world.facts
        return world

    def event(self, name, **fields):
        common = {"session_id": self.session, "cwd": self.project, "hook_event_name": name, "transcript_path": ""}
        return event_of({**common, **fields})

    def fire(self, hook, name, options=None, **fields):
        """What a hook says to an event of this session."""
        return hook(self.world(), **(options or {})).decide(self.event(name, **fields))

    def write(self, hook, name, text, options=None, **fields):
        """Claude writes a file."""
        path = self.put(name, text)
        call = {"tool_name": "Write", "tool_input": {"file_path": path, "content": text}, **fields}
        return self.fire(hook, "PostToolUse", options, **call)

    def bash(self, hook, command, options=None, **fields):
        """Claude runs a command; it really runs."""
        began = time.time()
        subprocess.run(command, shell=True, cwd=self.project, check=False, capture_output=True)
        call = {"tool_name": "Bash", "tool_input": {"command": command}, **fields}
        call.setdefault("duration_ms", (time.time() - began) * 1000)
        return self.fire(hook, "PostToolUse", options, **call)
