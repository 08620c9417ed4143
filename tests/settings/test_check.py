"""Planted defects: each is found by its name, at its place; a healthy setup has no findings."""

import json
import os
import sys
from dataclasses import dataclass, field

import pytest

from hookwright.settings.check import CheckContext, check
from hookwright.settings.find import SearchPaths, find_sources
from hookwright.settings.load import load_sources


@dataclass
class Setup:
    """A project with settings, scripts and a plugin."""

    root: str
    environment: dict = field(default_factory=dict)

    def put(self, name, text, mode=0o755):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as handle:
            handle.write(text if isinstance(text, bytes) else text.encode())
        os.chmod(path, mode)
        return path

    def hooks(self, hooks, name="project/.claude/settings.json"):
        self.put(name, json.dumps({"hooks": hooks}), 0o644)

    def findings(self, **more):
        environment = {"HOME": os.path.join(self.root, "home"), "PATH": "/usr/bin:/bin", **self.environment}
        project = os.path.join(self.root, "project")
        plugins = [os.path.join(self.root, "plugin")] if os.path.isdir(os.path.join(self.root, "plugin")) else []
        places = SearchPaths.from_environment(
            environment, project, plugin_dirs=plugins, managed=os.path.join(self.root, "managed")
        )
        found = check(load_sources(find_sources(places)), CheckContext(project, environment, **more))
        return [finding for finding in found if finding.code != "path-relative"]  # of our own ./ok.sh

    def codes(self, **more):
        return [finding.code for finding in self.findings(**more)]


@pytest.fixture
def setup(tmp_path):
    made = Setup(str(tmp_path))
    made.put("project/ok.sh", "#!/bin/sh\ncat\n")
    made.put("project/ok.py", "#!/usr/bin/env python3\n", 0o644)
    return made


def command(text, **more):
    return {"type": "command", "command": text, **more}


def on(event, handler, **group):
    return {event: [{**group, "hooks": [handler]}]}


HEALTHY = {
    "PreToolUse": [
        {"matcher": "Bash", "hooks": [command("./ok.sh", timeout=5, **{"if": "Bash(git *)"})]},
        {"matcher": "mcp__srv__.*", "hooks": [command("/bin/sh", args=["${CLAUDE_PROJECT_DIR}/ok.sh"])]},
    ],
    "PostToolUse": [{"matcher": "Edit|Write", "hooks": [command(f"{os.path.realpath(sys.executable)} ok.py")]}],
    "SessionStart": [{"matcher": "startup", "hooks": [command("cat ok.sh && echo hi")]}],
    "Notification": [{"hooks": [{"type": "http", "url": "http://127.0.0.1:9/"}]}],
    "Stop": [{"hooks": [command("printf x"), {"type": "prompt", "prompt": "done?"}]}],
}


def test_a_healthy_setup_has_no_findings(setup):
    setup.hooks(HEALTHY)
    assert setup.findings(probe=lambda _argv: b"") == []


DEFECTS = [
    ("matcher-invalid", on("PreToolUse", command("true"), matcher="Bash(*)")),
    ("matcher-is-rule", on("PreToolUse", command("true"), matcher="Bash(git push)")),
    ("matcher-names-server", on("PreToolUse", command("true"), matcher="mcp__github")),
    ("matcher-ignored", on("Stop", command("true"), matcher="Bash")),
    ("timeout-milliseconds", on("Stop", command("true", timeout=5000))),
    ("http-on-session-start", on("SessionStart", {"type": "http", "url": "http://127.0.0.1/"})),
    ("type-not-called", on("SessionStart", {"type": "prompt", "prompt": "x"})),
    ("type-not-called", on("Notification", {"type": "agent", "prompt": "x"})),
    ("condition-on-other-event", on("Stop", command("true", **{"if": "Bash"}))),
    ("command-empty", on("Stop", command(" "))),
    ("exec-form-with-shell-text", on("Stop", command("echo hi", args=[]))),
    ("program-missing", on("Stop", command("./no-such-script"))),
    ("program-missing", on("Stop", command("no-such-program x"))),
    ("program-missing", on("Stop", command("/no/python", args=["x.py"]))),
    ("script-missing", on("Stop", command("sh no-such-script.sh"))),
    ("script-missing", on("PreToolUse", command("python3", args=["gone.py"]))),
    ("run-bit-missing", on("Stop", command("./ok.py"))),
    ("program-is-folder", on("Stop", command("./folder"))),
    ("shebang-broken", on("Stop", command("./windows.sh"))),
    ("shebang-broken", on("Stop", command("./strange.sh"))),
    ("interpreter-shim", on("Stop", command("python9 ok.py"))),
    ("interpreter-shim", on("Stop", command("./shimmed.sh"))),
    ("event-unknown", on("PostTooluse", command("true"))),
    ("handler-type", on("Stop", {"type": "zork"})),
    ("timeout-invalid", on("Stop", command("true", timeout="5"))),
    ("group-without-hooks", {"Stop": [command("true")]}),
]


@pytest.mark.parametrize(("code", "hooks"), DEFECTS)
def test_a_planted_defect_is_found_and_nothing_else(setup, code, hooks):
    shims = os.path.dirname(setup.put("home/.pyenv/shims/python9", "#!/bin/sh\n"))
    setup.environment["PATH"] = f"{shims}:/usr/bin:/bin"
    setup.put("project/folder/x", "")
    setup.put("project/windows.sh", "#!/bin/sh\r\necho\r\n")
    setup.put("project/strange.sh", "#!/usr/bin/env no-such-interpreter\n")
    setup.put("project/shimmed.sh", "#!/usr/bin/env python9\n")
    setup.hooks(hooks)
    found = setup.findings()
    assert [finding.code for finding in found] == [code]
    assert found[0].where.endswith("settings.json:1")
    assert found[0].what
    assert found[0].fix


def test_a_missing_python_script_on_a_guard_is_told_to_lock_out(setup):
    setup.hooks(on("PreToolUse", command("python3 gone.py")))
    (finding,) = setup.findings()
    assert "no tool runs" in finding.what


PLUGIN = "plugin/hooks/hooks.json"
TWICE = [
    (command("./ok.sh"), command("./ok.sh"), PLUGIN, True),
    (command("./ok.sh"), command("$CLAUDE_PROJECT_DIR/ok.sh"), "home/.claude/settings.json", True),
    (command("./ok.sh"), command("./ok.sh"), "home/.claude/settings.json", False),  # the client runs equal texts once
    (command("./ok.sh"), command("./ok.sh", timeout=3), "home/.claude/settings.json", False),
    (command("./ok.sh"), command("./ok.sh --other"), PLUGIN, False),
    (command("cat | ./ok.sh"), command("cat | sort"), PLUGIN, False),
    ({"type": "http", "url": "http://h/"}, {"type": "http", "url": "http://h/"}, PLUGIN, True),
]


@pytest.mark.parametrize(("one", "other", "place", "twice"), TWICE)
def test_the_same_hook_in_two_places(setup, one, other, place, twice):
    setup.hooks(on("Stop", one))
    setup.hooks(on("Stop", other), place)
    assert setup.codes() == (["registered-twice"] if twice else [])


def test_hooks_for_different_tools_are_not_twice(setup):
    setup.hooks(on("PreToolUse", command("./ok.sh"), matcher="Bash"))
    setup.hooks(on("PreToolUse", command("./ok.sh"), matcher="Read"), PLUGIN)
    assert setup.codes() == []


REWRITER = '#!/bin/sh\nprintf \'{"hookSpecificOutput": {"updatedInput": {}}}\'\n'


@pytest.mark.parametrize(
    ("event", "first", "second", "race"),
    [
        ("PreToolUse", "Bash", "Bash", True),
        ("PreToolUse", "Bash", None, True),
        ("PreToolUse", "Bash", "Read", False),
        ("PostToolUse", "Bash", "Bash", False),
    ],
)
def test_two_hooks_that_rewrite_one_call(setup, event, first, second, race):
    setup.put("project/one.sh", REWRITER)
    setup.put("project/two.sh", REWRITER)
    groups = [{"matcher": first, "hooks": [command("./one.sh")]}, {"hooks": [command("sh two.sh")]}]
    if second:
        groups[1]["matcher"] = second
    setup.hooks({event: groups})
    assert setup.codes() == (["two-rewriters"] if race else [])


def test_a_rewriter_that_the_caller_knows_counts(setup):
    setup.put("project/one.sh", REWRITER)
    setup.hooks({"PreToolUse": [{"hooks": [command("./one.sh"), command("./ok.sh")]}]})
    assert setup.codes(rewrites=lambda entry: entry.handler["command"] == "./ok.sh") == ["two-rewriters"]


@pytest.mark.parametrize(
    ("handler", "shell"),
    [
        (command("bash -l ok.sh"), ["bash", "-l", "-c", ":"]),
        (command("./ok.sh"), ["/bin/sh", "-c", ":"]),
        (command("./login.sh"), ["/bin/bash", "-l", "-c", ":"]),
    ],
)
def test_a_profile_that_prints_is_found_by_asking_the_shell(setup, handler, shell):
    setup.put("project/login.sh", "#!/bin/bash -l\n")
    setup.hooks(on("Stop", handler))
    asked = []

    def probe(argv):
        asked.append(argv)
        return b"Welcome!\n"

    assert setup.codes(probe=probe) == ["profile-prints"]
    assert asked == [shell]


def test_exec_form_asks_no_shell(setup):
    setup.hooks(on("Stop", command("/bin/cat", args=[])))
    assert setup.codes(probe=lambda argv: pytest.fail(str(argv))) == []
