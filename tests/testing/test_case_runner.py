"""Cases are played through the real dispatcher, and what differs is shown so that it can be pasted."""

import os

import pytest

from hookwright.testing.case_runner import CaseRunner
from hookwright.testing.cases import parse_cases
from hookwright.testing.run_cases import load_cases

HOOK = '''\
"""One hook that can say everything."""
import os
from hookwright import PreToolUse, Hook, add_context, ask, deny, option, rewrite, stop, system_message

EXAMPLES = {
    "deny me": "deny: as you wish",
    "ls": None,
}


class Speaker(Hook):
    on = (PreToolUse, "Bash")
    word = option("as you wish", help="What it says.")

    def decide(self, event):
        text = event.tool_input["command"]
        if text == "deny me":
            return deny(self.word) & add_context("and more")if "more" in self.word else deny(self.word)
        if text == "ask me":
            return ask("may it?")
        if text == "change me":
            return rewrite("better", drop=("timeout",), command="changed", description=event.cwd + "/here")
        if text == "tell":
            return add_context("for Claude") & system_message("for you")
        if text == "end":
            return stop("enough")
        if text == "break":
            return 1 // 0
        if text == "env":
            return add_context(str(self.world.env("TEAM")) + " " + str(self.world.env("HOOKWRIGHT_TEST_UNSEEN")))
        if text == "files":
            with open(event.cwd + "/src/a.txt") as file:
                return add_context(file.read())
        if text == "now":
            return add_context(str(int(self.world.now)))
        if text == "count":
            path = self.world.state + "/count"
            os.makedirs(self.world.state, exist_ok=True)
            with open(path, "a") as file:
                file.write("x")
            return add_context(f"{os.path.getsize(path)} times")
        return None
'''


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "speaker.py").write_text(HOOK)
    return tmp_path


def played(folder, text, name="speaker.case"):
    (folder / name).write_text(text)
    with CaseRunner() as player:
        return list(player.run_cases(load_cases(str(folder / name))))


EXACT = """\
{"hookSpecificOutput": {
  "hookEventName": "PreToolUse",
  "permissionDecision": "ask",
  "permissionDecisionReason": "[hookwright speaker] may it?"}}
"""
GOOD = [
    ("command: deny me", "deny"),
    ("command: deny me", "deny: you wish"),
    ("command: deny me", "deny\nby: speaker"),
    ("command: ls", "silence"),
    ("command: ask me", "ask: may it?"),
    ("command: change me\ntimeout: 100", "rewrite"),
    ("command: change me", "updated_input.command: changed\nupdated_input.description: @/here"),
    ("command: change me\ntimeout: 100", "updated_input.timeout: (absent)"),
    ("command: change me", 'updated_input: {"command": "changed", "description": "@/here"}'),
    ("command: tell", "context: for Claude\nmessage: for you"),
    ("command: tell", "context: Claude\n..."),
    ("command: end", "stop: enough"),
    ("command: break", "failure: ZeroDivisionError"),
    ("command: env\nenv TEAM: blue", "context: blue None"),
    ("command: files\nfile src/a.txt: hello", "context: hello"),
    ("command: now\nnow: 1970-01-02T00:00+00:00", "context: 86400"),
    ("command: deny me\noption word: no more", "deny: no more\ncontext: and more"),
    ("command: deny me\nconfig:\n    [speaker]\n    word = 'in TOML'", "deny: in TOML"),
    ("command: deny me\nenv HOOKWRIGHT_SPEAKER_WORD: by variable", "deny: by variable"),
    ("command: deny me\noption mode: shadow", "silence"),
    ('{"tool_input": {"command": "ask me"}}', "ask"),
    ('{"tool_input": {"command": "ask me"}}', EXACT),
    ("command: ask me", EXACT + "by: speaker"),
    ("tool: Write\nfile_path: x", "silence"),
    ("hook: command_guard\ncommand: rm -rf ~", "deny\nby: command_guard"),
    ("hook: ./speaker.py\nhook: command_guard\ncommand: ask me", "ask\nby: speaker"),
    ("hook: stop_guard\nevent: Stop", "silence"),
    ('hook: command_guard\noption off: ["git-force-push"]\ncommand: git push --force', "silence"),
]


@pytest.mark.parametrize(("given", "expected"), GOOD)
def test_what_is_as_written_passes(folder, monkeypatch, given, expected):
    monkeypatch.setenv("HOOKWRIGHT_TEST_UNSEEN", "the user's own environment")
    (result,) = played(folder, f"=== it\n{given}\n---\n{expected}\n")
    assert (result.diff, result.error) == ([], None)


BAD = [
    ("command: ls", "deny", ["- deny", "+ silence"]),
    ("command: deny me", "silence", ["- silence", "+ deny: [hookwright speaker] as you wish"]),
    (
        "command: deny me",
        "deny: something else",
        ["- deny: something else", "+ deny: [hookwright speaker] as you wish"],
    ),
    ("command: deny me", "ask", ["- ask", "+ deny: [hookwright speaker] as you wish"]),
    ("command: tell", "context: for Claude", ["  context: for Claude", "+ message: [hookwright speaker] for you"]),
    ("command: change me", "updated_input.command: chang", ["- updated_input.command: chang", "+ updated_input: {"]),
    ("command: change me", "updated_input.command: (absent)", ["- updated_input.command: (absent)", "+ updated_input"]),
    ("command: deny me", "deny\nby: command_guard", ["  deny", "- by: command_guard", "+ by: speaker"]),
    ("command: break", "silence", ["- silence", "+ failure: speaker: ZeroDivisionError"]),
    ("command: deny me", "deny\nexit: 2", ["  deny", "- exit: 2", "+ exit: 0"]),
    ("command: tell", "deny\n...", ["- deny", "  ...", "+ context: [hookwright speaker] for Claude", "+ message: "]),
    ("command: ask me", EXACT + "by: command_guard", ["- by: command_guard", "+ by: speaker"]),
    ("command: break", "answer: {}\n...", ["+ failure: speaker: ZeroDivisionError"]),
    ("command: ask me", '{"a": 1}', ["--- expected", "+++ got", '-  "a": 1', '+  "hookSpecificOutput"']),
]


@pytest.mark.parametrize(("given", "expected", "shown"), BAD)
def test_what_differs_is_shown(folder, given, expected, shown):
    (result,) = played(folder, f"=== it\n{given}\n---\n{expected}\n")
    assert not result.has_passed
    assert result.error is None
    assert [one for one in shown if not any(line.startswith(one) for line in result.diff)] == []


UNPLAYABLE = [
    ("event: Stop", "does not listen to Stop; it listens to PreToolUse", 1),
    ("event: Stopp", "did you mean Stop?", 1),
    ("hook: nobody.py", "no such hook file", 1),
    ("hook: comand_guard", "there is no hook 'comand_guard'", 1),
    ("hook: format\nevent: PostToolUse\ntool: Write", "format is off", 1),
    ("comand: ls", "did you mean command?", 2),
    ("timeout: soon", "timeout takes int or None, written as JSON", 2),
    ("tool_input.comand: ls", "did you mean command?", 2),
    ("payload.promt: x", "PreToolUse has no promt", 2),
    ("option wrd: x", "no hook here has an option wrd; there are debug, mode, word", 1),
    ("option mode: sideways", "mode must be on, off or shadow", 1),
    ("config:\n    [speaker\n", "not valid TOML", 1),
    ("file ../../x: y", "outside of the test's project", 1),
]


@pytest.mark.parametrize(("given", "what", "line"), UNPLAYABLE)
def test_what_cannot_be_played_is_an_error_with_a_place_and_never_a_pass(folder, given, what, line):
    (result,) = played(folder, f"=== it\n{given}\n---\nsilence\n")
    assert not result.has_passed
    assert what in result.error.what
    assert result.error.where.endswith((f"speaker.case:{line}", "nobody.py"))


def test_a_case_that_goes_on_keeps_home_project_and_state(folder):
    text = "=== one\ncommand: count\n---\ncontext: 1 times\n=== then two\ncommand: count\n---\ncontext: 2 times\n"
    again = "=== a new one\ncommand: count\n---\ncontext: 1 times\n"
    assert [result.diff for result in played(folder, text + again)] == [[], [], []]


def test_examples_have_the_line_of_their_own(folder):
    path = folder / "speaker.py"
    path.write_text(HOOK.replace('"ls": None', '"ls": "deny"'))
    with CaseRunner() as player:
        good, bad = player.run_cases(load_cases(str(path)))
    assert (good.has_passed, bad.has_passed, bad.case.line, bad.case.title) == (True, False, 7, "ls")
    assert bad.diff == ["- deny", "+ silence"]


def test_a_failure_has_its_line(folder):
    (result,) = played(folder, "=== it\ncommand: break\n---\nsilence\n")
    number = HOOK.splitlines().index("            return 1 // 0") + 1
    assert result.diff[-1] == f"  at: {folder / 'speaker.py'}:{number} in decide: return 1 // 0"


def test_a_hook_file_imports_helpers_and_ignores_broken_neighbours(folder):
    """A hook file sees the helpers beside it, and suffers from no neighbour."""
    (folder / "broken.py").write_text("raise SystemExit\n")
    (folder / "hanging.py").write_text("while True: pass\n")
    (folder / "_words.py").write_text("WORD = 'help'\n")
    (folder / "helped.py").write_text(
        "from _words import WORD\nfrom hookwright import PreToolUse, deny, hook\n"
        "@hook(PreToolUse)\ndef helped(event):\n    return deny(WORD)\n"
    )
    assert [result.diff for result in played(folder, "=== it\n---\ndeny: help\n", "helped.case")] == [[]]
    assert [result.has_passed for result in played(folder, "=== it\ncommand: ls\n---\nsilence\n")] == [True]


def test_commands_of_the_configuration_are_hooks_too(tmp_path):
    text = "config:\n    [[hooks.command]]\n    name = 'old'\n    event = 'PreToolUse'\n    matcher = 'Bash'\n"
    text += "    command = 'echo no >&2; exit 2'\n"
    (result,) = played(tmp_path, f"=== it\n{text}command: ls\n---\ndeny: no\nby: old\n", "old.case")
    assert (result.diff, result.error) == ([], None)


def test_nothing_is_left_behind(folder):
    (folder / "speaker.case").write_text("=== it\ncommand: count\n---\ncontext\n")
    with CaseRunner() as player:
        list(player.run_cases(load_cases(str(folder / "speaker.case"))))
        place = player.folder
        assert os.listdir(place)
    assert not os.path.exists(place)


def test_nothing_goes_on_behind_a_case_that_is_over(tmp_path):
    """At the end of a turn the observer would start a process that learns."""
    (tmp_path / "end.case").write_text("config: none\n=== it\nevent: Stop\n---\nsilence\n")
    with CaseRunner() as player:
        (result,) = player.run_cases(load_cases(str(tmp_path / "end.case")))
        state = f"{player.folder}/1/home/.local/state/hookwright"
        assert (result.has_passed, os.path.exists(f"{state}/refresh")) == (True, False)


def test_the_configuration_in_force_is_asked_where_no_hook_is_named(tmp_path, monkeypatch):
    home = tmp_path / "home"
    (home / ".config/hookwright").mkdir(parents=True)
    (home / ".config/hookwright/config.toml").write_text('[command_guard]\noff = ["git-force-push"]\n')
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "HOOKWRIGHT_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    push = "command: git push --force\n---\n"
    text = f"=== mine\n{push}silence\n=== nobody's\nconfig: none\n{push}deny\n..."
    own = f"\n=== its own\nconfig:\n    [command_guard]\n    ask = ['git-force-push']\n{push}ask\n..."
    assert [(result.diff, result.error) for result in played(tmp_path, text + own, "all.case")] == [([], None)] * 3


def test_what_was_pasted_may_be_newer_than_we_are(folder):
    pasted = '{"tool_name": "BrandNew", "tool_input": {"command": "deny me"}, "new_key": 1}'
    text = "hook: _any.py\n=== it\n" + pasted + "\ncwd: @\ntool_input.more: 1\n---\ncontext: BrandNew 1 1\n"
    (folder / "any.py").write_text(
        "from hookwright import PreToolUse, add_context, hook\n@hook(PreToolUse)\ndef anything(event):\n"
        "    return add_context(f\"{event.tool_name} {event.raw['new_key']} {event.tool_input['more']}\")\n"
    )
    (result,) = played(folder, text.replace("_any.py", "any.py"), "new.case")
    assert (result.diff, result.error) == ([], None)


def test_events_are_read_in_the_form_of_the_case(tmp_path):
    lines = parse_cases("=== a\nprompt: true\nevent: UserPromptSubmit\n---\nsilence\n", str(tmp_path / "x.case"))
    from hookwright.testing import case_runner, sandbox  # noqa: PLC0415

    place = sandbox.Sandbox(str(tmp_path), {"hooks": {}})
    made = case_runner.build_payload(lines[0].given, None, place, "x.case")
    assert (made["prompt"], made["cwd"], made["hook_event_name"]) == ("true", place.project, "UserPromptSubmit")
