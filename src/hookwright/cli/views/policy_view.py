"""How the administrator's policy is shown: where it is, its revision, its values, what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookwright.cli.output import FAILED, OK, dim, print_line, print_table
from hookwright.cli.text import count

if TYPE_CHECKING:
    from hookwright.config.policy import Policy

ORIGINS = {
    "last good": "the last good one; its files have a problem: hookwright policy check",
    "sound parts": "what is right in it; its files have a problem: hookwright policy check",
}


def describe_policy(policy: Policy) -> str:
    """Where the policy in force comes from, in a few words."""
    return ORIGINS.get(policy.origin) or (
        policy.files[0] if len(policy.files) == 1 else f"{count(len(policy.files), 'file')} in {policy.source}"
    )


def show_policy(policy: Policy, values: dict[str, Any]) -> None:
    if policy.revision is None:
        print_line(f"no policy is in force; it would be in {policy.source}")
    else:
        print_line(f"policy {policy.revision} ", dim(f"({describe_policy(policy)})"))
        print_table(("option", "at least"), [(name, str(value)) for name, value in values.items()])
        if policy.holds_exceptions:
            print_line("exceptions that users make to the guard's rules do not count")
    show_problems(policy)


def show_problems(policy: Policy) -> None:
    for problem in policy.problems:
        for line in str(problem).splitlines():
            print_line(FAILED if line == str(problem).splitlines()[0] else " ", f" {line}")


def show_check(policy: Policy) -> None:
    show_problems(policy)
    if not policy.problems:
        what = f"policy {policy.revision}: no problems" if policy.revision else f"there is no policy in {policy.source}"
        print_line(OK, f" {what}")
