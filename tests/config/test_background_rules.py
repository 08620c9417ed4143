"""[[auto_background.rules]] in a configuration file: complete when right, named with its line when wrong."""

import pytest

from hookwright.config import compiler
from hookwright.shell.duration import CLASSES


def resolved(tmp_path, text):
    file = tmp_path / "config.toml"
    file.write_text(text)
    found = compiler.resolve_options(str(file), "", trusted=False)
    return found.values["auto_background"]["rules"].value, [str(problem) for problem in found.problems]


def test_a_rule_is_filled_up_with_what_it_leaves_out(tmp_path):
    rules, problems = resolved(tmp_path, '[[auto_background.rules]]\nprogram = "slowly"\nclass = "job"\n')
    assert problems == []
    assert rules == ({"program": "slowly", "subcommand": "", "flags": (), "class": "job"},)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('class = "job"', "number 1 needs program: the program's name, without directories"),
        ('program = "x"', "number 1 needs class"),
        ('program = "x"\nclass = "slow"', "number 1: class must be quick, suggest, force"),
        ('program = "x"\nclass = "job"\nflags = "--wait"', "number 1: flags must be a list of texts, got '--wait'"),
        ('program = "x"\nclass = "job"\nverb = "y"', "number 1 has no key verb; it knows program, subcommand, flags"),
    ],
)
def test_a_wrong_rule_says_which_and_why_and_changes_nothing(tmp_path, text, said):
    rules, problems = resolved(tmp_path, f"[[auto_background.rules]]\n{text}\n")
    assert rules == ()
    [problem] = problems
    assert said in problem
    assert "config.toml:1" in problem


def test_every_class_that_a_rule_may_name_has_a_verdict():
    from hookwright.hooks.auto_background.hook import CLASSES as NAMES  # noqa: PLC0415

    assert set(NAMES) == set(CLASSES)
