"""Run all tests of hook files and case files, for `hookwright test`.

paths → [CaseSuite.run_all] → results, and the problems of files that could not be read
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hookwright.errors import UserError
from hookwright.testing import cases, examples
from hookwright.testing.case_runner import CaseResult, CaseRunner
from hookwright.testing.discover import CASE, discover_files
from hookwright.testing.sandbox import plan_of_file


class CaseSuite:
    """The files to test, the problems found in them, and how to run them."""

    def __init__(self, paths: Sequence[str], word: str = "") -> None:
        self.word = word.lower()
        self.found = discover_files(paths)
        self.problems: list[UserError] = []

    def run_all(self) -> Iterator[CaseResult]:
        with CaseRunner() as runner:
            for file in self.found.files:
                try:
                    read = load_cases(file)
                except UserError as error:
                    self.problems.append(error)
                    continue
                if not read:
                    self.found.untested.append(file)
                yield from runner.run_cases(one for one in read if self.word in one.title.lower())
        self._load_untested()

    def _load_untested(self) -> None:
        """Load the hooks without examples too: they may be broken."""
        for file in list(self.found.untested):
            try:
                plan_of_file(file)
            except UserError as error:
                self.found.untested.remove(file)
                self.problems.append(error)

    def all_passed(self, results: Sequence[CaseResult]) -> bool:
        """At least one test ran, and all passed."""
        return bool(results) and not self.problems and all(result.has_passed for result in results)

    def as_json(self, results: Sequence[CaseResult]) -> dict[str, Any]:
        return {
            "ok": self.all_passed(results),
            "passed": sum(result.has_passed for result in results),
            "failed": sum(bool(result.diff) for result in results),
            "errors": sum(result.error is not None for result in results) + len(self.problems),
            "cases": [result.as_json() for result in results],
            "problems": [_error_as_json(error) for error in self.problems],
            "untested": self.found.untested,
            "left_out": [_error_as_json(error) for error in self.found.left_out],
        }


def load_cases(file: str) -> list[cases.Case]:
    """The cases of a case file, or the examples of a hook file."""
    return cases.read_cases(file) if file.endswith(CASE) else examples.load_examples(file)


def _error_as_json(error: UserError) -> dict[str, str]:
    return {"what": error.what, "where": error.where, "try": error.fix}
