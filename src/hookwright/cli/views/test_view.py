"""How `hookwright test` shows results: each case that differs, then one line in summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookwright.cli.output import FAILED, OK, WARNING, Styled, dim, print_line
from hookwright.cli.text import count, shorten_home

if TYPE_CHECKING:
    from hookwright.errors import UserError
    from hookwright.testing.case_runner import CaseResult
    from hookwright.testing.run_cases import CaseSuite

DIFF_STYLES = {"-": "red", "+": "green"}


def show_result(result: CaseResult) -> None:
    case = result.case
    if result.has_passed:
        print_line(OK, f" {case.title}  ", dim(shorten_home(case.source_line)))
        return
    print_line(FAILED, f" {case.title}")
    if result.error is not None:
        for line in str(result.error).splitlines():
            print_line(f"    {line.strip()}")
        return
    print_line(f"    at: {shorten_home(case.source_line)}")
    for line in result.diff:
        print_line("    ", Styled(line, DIFF_STYLES.get(line[:1], "")), hang=6)


def show_summary(suite: CaseSuite, results: list[CaseResult]) -> None:
    for problem in suite.problems:
        _show_error(FAILED, problem)
    for file in suite.found.untested:
        print_line(dim(f"· no examples: {shorten_home(file)}"))
    for note in suite.found.left_out:
        _show_error(WARNING, note)
    failed = sum(not result.has_passed for result in results)
    counts = _count_cases(results)
    if not results and not suite.problems:
        searched = ", ".join(suite.found.looked_in)
        print_line(Styled("no tests", "yellow"), f": no examples and no cases{f' in {searched}' if searched else ''}")
        if not suite.found.left_out:
            print_line("  try: hookwright new hook NAME")
    elif failed or suite.problems:
        errors = f"{count(len(suite.problems), 'file')} with errors" if suite.problems else ""
        parts = (counts, f"{failed} failed" if results else "", errors)
        print_line(FAILED, f" {', '.join(part for part in parts if part)}")
    else:
        print_line(OK, f" {counts} passed")


def _show_error(mark: Styled, error: UserError) -> None:
    first, *rest = str(error).splitlines()
    print_line(mark, f" {first}")
    for line in rest:
        print_line(line)


def _count_cases(results: list[CaseResult]) -> str:
    numbers = {kind: sum(result.case.kind == kind for result in results) for kind in ("example", "case")}
    return " and ".join(count(number, kind) for kind, number in numbers.items() if number)
