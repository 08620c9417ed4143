"""A whole run: files gathered, cases read, played, counted.

paths → [Run.results] → results, and the problems of files that could not be read
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hookwright.errors import UserError
from hookwright.testing import cases, examples
from hookwright.testing.gather import CASE, gathered
from hookwright.testing.play import Player, Result
from hookwright.testing.stage import plan_of_file


class Run:
    """What `hookwright test` does, without its words."""

    def __init__(self, paths: Sequence[str], word: str = "") -> None:
        self.word = word.lower()
        self.found = gathered(paths)
        self.problems: list[UserError] = []

    def results(self) -> Iterator[Result]:
        with Player() as player:
            for file in self.found.files:
                try:
                    read = cases_in(file)
                except UserError as error:
                    self.problems.append(error)
                    continue
                if not read:
                    self.found.untested.append(file)
                yield from player.play(one for one in read if self.word in one.title.lower())
        self._load_the_rest()

    def _load_the_rest(self) -> None:
        """A hook without examples can still be broken."""
        for file in list(self.found.untested):
            try:
                plan_of_file(file)
            except UserError as error:
                self.found.untested.remove(file)
                self.problems.append(error)

    def ok(self, results: Sequence[Result]) -> bool:
        """Something was played, and all of it is as written."""
        return bool(results) and not self.problems and all(result.ok for result in results)

    def as_json(self, results: Sequence[Result]) -> dict[str, Any]:
        return {
            "ok": self.ok(results),
            "passed": sum(result.ok for result in results),
            "failed": sum(bool(result.diff) for result in results),
            "errors": sum(result.error is not None for result in results) + len(self.problems),
            "cases": [result.as_json() for result in results],
            "problems": [_told(error) for error in self.problems],
            "untested": self.found.untested,
            "left_out": [_told(error) for error in self.found.left_out],
        }


def cases_in(file: str) -> list[cases.Case]:
    """The cases of a case file, or the examples of a hook file."""
    return cases.read_file(file) if file.endswith(CASE) else examples.cases_of(file)


def _told(error: UserError) -> dict[str, str]:
    return {"what": error.what, "where": error.where, "try": error.fix}
