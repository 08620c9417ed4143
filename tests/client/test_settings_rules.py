"""The rows of tests/settings/measured.py, played through the client: it does what our rules say it does."""

import json
import os
import re

import pytest

from tests.client.kit.scripted_api import bash, call
from tests.settings import measured
from tests.settings.measured import HOOKS, KEPT

SCOPES = ("user", "project", "local", "flag")
BATCHES = [measured.FILES[start : start + len(SCOPES)] for start in range(0, len(measured.FILES), len(SCOPES))]
PLAY = [bash("echo hello"), "done"]


def place(lab, scope):
    if scope == "flag":
        return lab.path("flag.json")
    folder = lab.home if scope == "user" else lab.project
    return os.path.join(folder, ".claude", "settings.local.json" if scope == "local" else "settings.json")


def put(path, raw):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as handle:
        handle.write(raw if isinstance(raw, bytes) else json.dumps(raw).encode())


def fired(run):
    return {seen.name for seen in run.hooks}


@pytest.mark.parametrize("rows", BATCHES, ids=lambda rows: "; ".join(row.name for row in rows))
def test_a_settings_file_has_the_effect_that_was_measured(lab, rows):
    """A file is alive if its hook fires; a file without live hooks is alive if its environment arrives."""
    plugin = lab.path("control")
    put(os.path.join(plugin, "hooks", "hooks.json"), {"hooks": {"PreToolUse": [{"hooks": [lab.probe("control")]}]}})
    put(place(lab, "flag"), {})
    for scope, row in zip(SCOPES, rows, strict=False):
        mark = {"env": {f"ALIVE_{scope}": "1"}}
        members = {**mark, **(row.members or {})}
        put(place(lab, scope), type(row)(**{**vars(row), "members": members}).file(lab.probe(scope)))
    run = lab.run(PLAY, args=["--allowedTools", "Bash", "--plugin-dir", plugin, "--settings", place(lab, "flag")])
    assert "control" in fired(run)
    for scope, row in zip(SCOPES, rows, strict=False):
        assert (scope in fired(run)) == (row.effect == KEPT), row.name
        if row.effect == HOOKS:
            assert f"ALIVE_{scope}" in run.calls("control")[0].env, row.name


def dropped(lab, settings):
    """Numbers of the groups of PostToolUse about which the client complained."""
    put(place(lab, "user"), settings)
    log = lab.path("debug.txt")
    lab.run(PLAY, args=["--allowedTools", "Bash", "--debug-file", log])
    with open(log, encoding="utf-8") as handle:
        return {int(number) for number in re.findall(r"settings\.json: hooks\.PostToolUse\.(\d+)[.:]", handle.read())}


def test_each_broken_handler_is_dropped_and_each_sound_one_kept(lab):
    groups = [{"matcher": "NoSuchTool", "hooks": [handler]} for handler, _ in measured.HANDLERS]
    expected = {number for number, (_, kept) in enumerate(measured.HANDLERS) if not kept}
    assert dropped(lab, {"hooks": {"PostToolUse": groups}}) == expected


def test_each_broken_group_is_dropped_and_each_sound_one_kept(lab):
    expected = {number for number, (_, kept) in enumerate(measured.GROUPS) if not kept}
    assert dropped(lab, {"hooks": {"PostToolUse": [group for group, _ in measured.GROUPS]}}) == expected


def test_a_file_above_two_megabytes_is_skipped(lab):
    for scope, size in (("project", measured.LARGEST), ("local", measured.LARGEST + 1)):
        head = json.dumps({"hooks": {"PreToolUse": [{"hooks": [lab.probe(scope)]}]}, "x": ""}).encode()[:-2]
        put(place(lab, scope), head + b"y" * (size - len(head) - 2) + b'"}')
    assert fired(lab.run(PLAY, args=["--allowedTools", "Bash"])) == {"project"}


def test_matchers_fire_as_measured(lab):
    rows = [*measured.MATCHERS, *((matcher, False) for matcher in measured.BROKEN_MATCHERS)]
    for number, (matcher, _) in enumerate(rows):
        lab.hook("PreToolUse", f"m{number}", matcher=matcher)
    seen = fired(lab.run(PLAY, args=["--allowedTools", "Bash"]))
    assert seen == {f"m{number}" for number, (_, fires) in enumerate(rows) if fires}


# name → text in front of hooks.json, events beside the healthy one, whether the plugin's hook fires
PLUGINS = [
    ("plain", "", {}, True),
    ("mark", "\ufeff", {}, False),
    ("comment", "// x\n", {}, False),
    ("broken_guard", "", {"PermissionRequest": measured.BROKEN}, False),
    ("broken_other", "", {"Stop": measured.BROKEN}, True),
    ("unknown_event", "", {"Zork": measured.GROUP}, True),
]


def test_plugins_are_dropped_as_the_rules_say(lab):
    args = ["--allowedTools", "Bash"]
    for name, front, events, _ in PLUGINS:
        hooks = {"PreToolUse": [{"hooks": [lab.probe(name)]}], **events}
        put(lab.path("plugins", name, "hooks", "hooks.json"), (front + json.dumps({"hooks": hooks})).encode())
        put(lab.path("plugins", name, ".claude-plugin", "plugin.json"), {"name": name, "version": "1.0.0"})
        args += ["--plugin-dir", lab.path("plugins", name)]
    assert fired(lab.run(PLAY, args=args)) == {name for name, _, _, alive in PLUGINS if alive}


def frontmatter(command, more=""):
    return (
        "---\nname: sk\ndescription: d\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n"
        f"        - type: command\n          command: {json.dumps(command)}\n{more}---\nbody\n"
    ).encode()


def shell_text(handler):
    return " ".join([handler["command"], *handler["args"]])


def test_hooks_of_skills_and_commands_fire_once_they_are_called(lab):
    lab.allow("Bash", "Skill")
    base = os.path.join(lab.project, ".claude")
    put(os.path.join(base, "skills", "one", "SKILL.md"), frontmatter(shell_text(lab.probe("skill"))))
    put(os.path.join(base, "skills", "deep", "two", "SKILL.md"), frontmatter(shell_text(lab.probe("deep"))))
    put(os.path.join(base, "commands", "three.md"), frontmatter(shell_text(lab.probe("command"))))
    broken = "        - type: zork\n"
    put(os.path.join(base, "skills", "four", "SKILL.md"), frontmatter(shell_text(lab.probe("broken")), broken))
    put(os.path.join(base, "skills", "five", "SKILL.md"), frontmatter(shell_text(lab.probe("uncalled"))))
    calls = [call("Skill", skill=name) for name in ("one", "two", "three", "four")]
    run = lab.run([*calls, bash("echo hello"), "done"])
    assert fired(run) == {"skill", "command"}


def test_the_strongest_file_decides_about_the_switch(lab):
    lab.hook("PreToolUse", "user")
    lab.scopes["project"]["disableAllHooks"] = True
    lab.scopes["local"]["disableAllHooks"] = False
    assert fired(lab.run(PLAY, args=["--allowedTools", "Bash"])) == {"user"}
