"""Options that are lists of TOML tables: every wrong row is named, every right one is complete."""

import pytest

from hookwright.options import REQUIRED, BadValue, option, validate_option


def even(value):
    if value % 2:
        raise BadValue(f"must be even, got {value}")
    return value


CHECKS = option(
    (),
    kind="tables",
    help="Checks.",
    columns={
        "command": option(REQUIRED, kind="words", help="what to run"),
        "timeout": option(120, help="seconds", check=even),
        "when": option(("stop",), help="events"),
    },
)


def test_a_row_is_filled_up_with_the_defaults_of_its_columns():
    assert validate_option(CHECKS, [{"command": "make test"}, {"command": ["make", "lint"], "timeout": 10}]) == (
        {"command": "make test", "timeout": 120, "when": ("stop",)},
        {"command": ("make", "lint"), "timeout": 10, "when": ("stop",)},
    )


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("make test", "must be a list of tables, got 'make test'"),
        ([{}], "number 1 needs command: what to run"),
        ([{"command": "a"}, {"command": ""}], "number 2: command must be a text or a list of texts, not empty, got ''"),
        ([{"command": []}], "number 1: command must be a text or a list of texts, not empty, got []"),
        ([{"command": 5}], "number 1: command must be a text or a list of texts, not empty, got 5"),
        ([{"command": "a", "timeout": "5s"}], "number 1: timeout must be a whole number, got '5s'"),
        ([{"command": "a", "timeout": 3}], "number 1: timeout must be even, got 3"),
        ([{"command": "a", "timeuot": 3}], "number 1 has no key timeuot; it knows command, timeout and when"),
    ],
)
def test_a_wrong_row_says_which_and_why(rows, said):
    with pytest.raises(BadValue) as wrong:
        validate_option(CHECKS, rows)
    assert str(wrong.value) == said
