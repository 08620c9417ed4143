"""A home and a project of a test's own, and our commands run in them."""

import json
import os

from hookwright.cli.main import program
from hookwright.errors import UserError


class Home:
    """Runs commands in-process: `code, out, err = home("install", "--yes")`."""

    def __init__(self, hook_process, monkeypatch, capsys, tmp_path):
        self.hook_process, self.monkeypatch, self.capsys = hook_process, monkeypatch, capsys
        self.path = hook_process.home
        self.project = tmp_path / "project"
        self.project.mkdir()
        monkeypatch.chdir(self.project)

    def __call__(self, *words):
        self.capsys.readouterr()
        try:
            code = program.main(list(words), standalone_mode=False)
        except UserError as error:
            print(f"hookwright: {error}", file=__import__("sys").stderr)
            code = error.exit_code
        shown = self.capsys.readouterr()
        return code, shown.out, shown.err

    def json(self, *words):
        code, out, err = self(*words, "--json")
        assert out.count("\n") == 1, (out, err)
        return code, json.loads(out)

    def file(self, scope="user"):
        folder = self.path if scope == "user" else self.project
        return folder / ".claude" / ("settings.local.json" if scope == "local" else "settings.json")

    def write(self, settings, scope="user"):
        """Settings as text or as data; returns the bytes."""
        path = self.file(scope)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = settings if isinstance(settings, str) else json.dumps(settings, indent=2) + "\n"
        path.write_text(text, newline="")
        return path.read_bytes()

    def settings(self, scope="user"):
        return json.loads(self.file(scope).read_text())

    def handlers(self, scope="user"):
        """(event, matcher, handler) of every handler in a file."""
        return [
            (event, group.get("matcher"), handler)
            for event, groups in self.settings(scope).get("hooks", {}).items()
            for group in groups
            for handler in group["hooks"]
        ]

    def client(self, says="2.1.325 (Claude Code)", code=0):
        """A stand-in for the client, first on PATH; each start adds a line to `started`."""
        folder = self.path / "client-bin"
        folder.mkdir(exist_ok=True)
        path = folder / "claude"
        path.write_text(f'#!/bin/sh\necho "$PWD $*" >> "{folder}/started"\necho "{says}"\nexit {code}\n')
        path.chmod(0o755)
        rest = [one for one in os.environ["PATH"].split(os.pathsep) if one != str(folder)]
        self.monkeypatch.setenv("PATH", os.pathsep.join([str(folder), *rest]))
        return path

    def script(self, name, text):
        """An executable script of a stranger."""
        path = self.path / name
        path.write_text(text)
        os.chmod(path, 0o755)
        return str(path)
