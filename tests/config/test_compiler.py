"""Configuration: layers, trust, and problems that say what, where and what to try."""

import os
import sys

import pytest

from hookwright.config import compiler
from hookwright.config.hook_spec import HookSpec
from hookwright.options import option


@pytest.fixture
def files(tmp_path):
    class Files:
        user = tmp_path / "config.toml"
        project = tmp_path / ".hookwright.toml"

        def resolved(self, *, trusted=False):
            return compiler.resolve_options(str(self.user), str(self.project), trusted=trusted)

        def value(self, option, *, trusted=False):
            value = self.resolved(trusted=trusted).values["auto_background"][option]
            return value.value, value.origin

    return Files()


def test_without_files_everything_is_built_in(files):
    result = files.resolved()
    assert (files.value("patience"), result.problems) == ((30, "built-in"), [])


def test_the_project_stands_over_the_user(files):
    files.user.write_text("[auto_background]\npatience = 10\naction = 'suggest'\n")
    files.project.write_text("[auto_background]\npatience = 20\n")
    assert files.value("patience", trusted=True) == (20, "project")
    assert files.value("action", trusted=True) == ("suggest", "user")


def test_an_untrusted_project_may_only_tighten(files):
    files.user.write_text("[auto_background]\nmode = 'off'\n")
    files.project.write_text("[auto_background]\nmode = 'on'\nextra = '.*'\n")
    assert files.value("mode") == ("on", "project")
    assert files.value("extra") == ("", "built-in")
    [problem] = files.resolved().problems
    assert (problem.fix, problem.where) == ("hookwright trust", f"{files.project}:3")


@pytest.mark.parametrize(
    ("text", "what", "line", "fix"),
    [
        (
            "[auto_background]\npatience = '5s'\n",
            "auto_background.patience must be a whole number, got '5s'",
            2,
            "Seconds",
        ),
        (
            "[auto_background]\n\npatiense = 5\n",
            "[auto_background] has no option patiense",
            3,
            "did you mean patience?",
        ),
        ("[auto_backgruond]\n", "unknown section [auto_backgruond]", 1, "did you mean auto_background?"),
        ("[backgruond]\n", "unknown section [backgruond]", 1, "did you mean auto_background?"),
        ("[background]\n\npatiense = 5\n", "[background] has no option patiense", 3, "did you mean patience?"),
        ("background = 5\n", "background must be a table, got 5", 1, "write [auto_background]"),
        (
            "[auto_background]\nmode = 'maybe'\n",
            "auto_background.mode must be on, off or shadow, got 'maybe'",
            2,
            "on, off",
        ),
    ],
)
def test_a_problem_says_what_where_and_what_to_try(files, text, what, line, fix):
    files.user.write_text(text)
    [problem] = files.resolved().problems
    assert (problem.what, problem.where) == (what, f"{files.user}:{line}")
    assert fix in problem.fix


def test_a_section_is_also_read_under_its_former_name(files):
    files.user.write_text("[auto_background]\npatience = 10\n\n[background]\npatience = 20\naction = 'suggest'\n")
    assert files.value("patience") == (10, "user")  # the present name wins, wherever it stands
    assert files.value("action") == ("suggest", "user")
    result = files.resolved()
    assert result.problems == []
    [note] = result.notes
    assert note.what == "[background] is the former name of [auto_background]"
    assert (note.where, note.fix) == (f"{files.user}:4", "write [auto_background]")


def test_problems_are_named_in_the_order_of_the_file_also_under_former_names(files):
    files.user.write_text("[guard]\nx = 1\n[nobody]\ny = 1\n[stop]\nz = 1\n")
    lines = [int(problem.where.rpartition(":")[2]) for problem in files.resolved().problems]
    assert lines == [2, 3, 6]


def test_lists_under_both_names_of_a_section_add_up(files):
    files.user.write_text("[command_guard]\noff = ['deploy']\n[guard]\noff = ['publish']\n")
    assert files.resolved().values["command_guard"]["off"].value == ("publish", "deploy")


def test_a_hook_of_the_user_may_bear_a_former_name(files):
    own = HookSpec("stop", "stop", "open", 1.0, {}, {"voice": option("", help="x")}, "")
    files.user.write_text("[stop]\nvoice = 'loud'\n")
    result = compiler.resolve_options(str(files.user), "", trusted=False, hooks=[*compiler.declare_builtins(), own])
    assert (result.values["stop"]["voice"].value, result.notes, result.problems) == ("loud", [], [])


def test_one_bad_value_costs_only_itself(files):
    files.user.write_text("[auto_background]\npatience = 'x'\naction = 'suggest'\n")
    assert (files.value("patience"), files.value("action")) == ((30, "built-in"), ("suggest", "user"))


@pytest.mark.parametrize("text", ["[auto_background\n", "a = = 1", '[auto_background]\nmode = "on\n'])
def test_a_file_that_does_not_parse_names_line_and_column(files, text):
    files.user.write_text(text)
    result = files.resolved()
    assert result.broken
    assert "line" in result.problems[0].what


def test_invalid_utf8_is_a_problem_not_a_crash(files):
    files.user.write_bytes(b"\xff\xfe[auto_background]")
    assert files.resolved().broken


def test_a_users_file_that_cannot_be_loaded_is_named_and_the_others_load(tmp_path):
    (tmp_path / "a.py").write_text("raise RuntimeError('no')")
    (tmp_path / "b.py").write_text("from hookwright import *\nx = 1")
    (tmp_path / "c.py").write_text("from hookwright import Stop, hook\n@hook(Stop)\ndef fine(event): return None\n")
    (tmp_path / "_helper.py").write_text("1/0")
    found = compiler.load_user_hooks(str(tmp_path))
    assert [hook.name for hook in found.hooks] == ["fine"]
    assert [problem.where for problem in found.problems] == [f"{tmp_path}/a.py:1", str(tmp_path / "b.py")]


WRONG_DECLARATIONS = {
    "@hook('PreToolUze')\ndef h(event): ...": (2, "did you mean PreToolUse?"),
    "@hook(PreToolUse, 'bash')\ndef h(event): ...": (2, 'did you mean "Bash"?'),
    "@hook(Stop, 'Bash')\ndef h(event): ...": (2, "Stop is not about a tool"),
    "@hook\ndef h(event): ...": (2, "h names no event"),
    "@hook(PreToolUse, timeout=3)\ndef h(event): ...": (2, "unexpected keyword argument 'timeout'"),
    "class H(Hook):\n    on = (PreToolUse, 'bash')\n    def decide(self, event): ...": (2, "H is not loaded: 'bash'"),
    "class H(Hook):\n    def decide(self, event): ...": (2, "H decides but listens to no event"),
    "x = 1\n\ny = 1 / 0": (4, "ZeroDivisionError"),
    "def h(": (2, "SyntaxError"),
}


@pytest.mark.parametrize(("text", "expected"), WRONG_DECLARATIONS.items())
def test_a_hook_that_can_never_run_is_named_with_its_line(tmp_path, text, expected):
    (tmp_path / "a.py").write_text("from hookwright import *\n" + text)
    found = compiler.load_user_hooks(str(tmp_path))
    assert found.hooks == []
    line, words = expected
    [problem] = found.problems
    assert problem.where == f"{tmp_path}/a.py:{line}"
    assert words in problem.what


def test_a_tool_that_nobody_knows_is_reported_and_its_hook_stays(tmp_path):
    (tmp_path / "a.py").write_text("from hookwright import *\n@hook(PreToolUse, 'Teleport')\ndef h(event): ...\n")
    found = compiler.load_user_hooks(str(tmp_path))
    assert [hook.on for hook in found.hooks] == [{"PreToolUse": ("Teleport",)}]
    [problem] = found.problems
    assert "is called 'Teleport'" in problem.what


def test_a_base_class_without_events_is_no_mistake(tmp_path):
    base = "from hookwright import *\nclass Base(Hook):\n    def decide(self, event): return None\n"
    (tmp_path / "a.py").write_text(base + "class Real(Base):\n    on = (Stop,)\n")
    found = compiler.load_user_hooks(str(tmp_path))
    assert ([hook.name for hook in found.hooks], found.problems) == (["real"], [])


FINE = "from hookwright import Stop, hook\n@hook(Stop)\ndef fine(event): return None\n"


def test_a_pipe_in_the_folder_is_no_hook_and_nobody_waits_for_it(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "fine.py").write_text(FINE)
    found = compiler.load_user_hooks(str(tmp_path))
    assert [hook.name for hook in found.hooks] == ["fine"]
    assert [problem.where for problem in found.problems] == [str(tmp_path / "pipe.py")]
    assert "hookwright_user.pipe" not in sys.modules  # whoever reads the files of all modules would wait for ever


def test_a_file_that_ends_the_process_does_not_end_the_command_that_asks(tmp_path, capsys):
    (tmp_path / "ends.py").write_text("import os\nos._exit(3)\n")
    (tmp_path / "fine.py").write_text("print('at import')\n" + FINE)
    every = compiler.load_hook_set_isolated(hooks=str(tmp_path))
    assert "fine" in [hook.name for hook in every.hooks]
    assert [(error.what, error.where) for error in every.resolved.problems] == [
        ("this hook file cannot be loaded: it ended the process", str(tmp_path / "ends.py"))
    ]
    assert capsys.readouterr().out == ""


def test_too_many_such_files_are_named_and_our_own_hooks_stay(tmp_path):
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text("import os\nos._exit(3)\n")
    plan = compiler.compile_plan(hooks=str(tmp_path))
    ended = [f"{name} (it ended the process)" for name in ("a.py", "b.py", "c.py")]
    assert plan["problems"][0].splitlines()[0] == (
        "your hooks do not run: too many cannot be loaded: " + ", ".join(ended)
    )
    assert "command_guard" in [row["hook"] for row in plan["hooks"]["PreToolUse"]]


def test_every_built_in_hook_has_help_for_every_option_and_a_section_of_its_own():
    hooks = compiler.declare_builtins()
    assert [hook.section for hook in hooks] == [hook.name for hook in hooks]
    assert all(option.help.endswith(".") for hook in hooks for option in hook.options.values())
    assert all(hook.doc for hook in hooks)


def test_every_option_has_its_environment_name():
    names = {variable for hook in compiler.declare_builtins() for variable, *_ in compiler.list_variables(hook)}
    assert {"HOOKWRIGHT_AUTO_BACKGROUND_HEADLESS", "CLAUDE_AUTOBACKGROUND", "CLAUDE_AUTOBACKGROUND_EXTRA"} <= names
