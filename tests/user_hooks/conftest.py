"""A hook process with hooks that are not ours around it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hookwright.testing.builders import bash
from tests.hook_kit import unexpected_lines


class Place:
    """The hook process, a project, and files where a user or a project would put them."""

    def __init__(self, hook_process, project: Path) -> None:
        self.hook_process = hook_process
        self.project = project
        project.mkdir(exist_ok=True)

    def user_hook(self, name: str, text: str) -> Path:
        return _written(self.hook_process.home / f".config/hookwright/hooks/{name}.py", text)

    def project_hook(self, name: str, text: str) -> Path:
        return _written(self.project / f".hookwright/hooks/{name}.py", text)

    def config(self, text: str) -> None:
        self.hook_process.config.write_text(text)

    def ask(self, event=None, project: Path | None = None, **env: str) -> subprocess.CompletedProcess:
        payload = bash("ls", description="d").raw if event is None else event
        return self.hook_process(payload, CLAUDE_PROJECT_DIR=str(project or self.project), **env)

    def said(self, event=None, project: Path | None = None, **env: str) -> dict:
        """What is specific to the event in the answer; {} for silence."""
        done = self.ask(event, project, **env)
        assert (done.returncode, unexpected_lines(done.stderr)) == (0, []), done
        return json.loads(done.stdout).get("hookSpecificOutput", {}) if done.stdout else {}

    def told(self, event=None, project: Path | None = None) -> str:
        """What the user is told."""
        done = self.ask(event, project)
        return json.loads(done.stdout).get("systemMessage", "") if done.stdout else ""

    def run(self, *words: str, project: Path | None = None) -> subprocess.CompletedProcess:
        """`hookwright WORDS` in the project."""
        command = [sys.executable, "-m", "hookwright", *words]
        where = project or self.project
        return subprocess.run(
            command, cwd=where, env=self.hook_process.env, capture_output=True, text=True, check=False
        )

    def rows(self) -> list[dict]:
        return self.hook_process.journal[-1]["decisions"]


def _written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def place(hook_process, tmp_path) -> Place:
    return Place(hook_process, tmp_path / "project")
