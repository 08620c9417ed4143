"""The pytest plugin: fixtures `hook` and `claude`, and case files as tests.

pytest → [this] → testing/fixtures, testing/session, testing/play, each loaded when it is used
A test run that uses none of it pays for one small module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from hookwright.testing.cases import Case
    from hookwright.testing.fixtures import HookTrial
    from hookwright.testing.play import Result
    from hookwright.testing.session import Claude

OURS = ".hookwright"  # a project's own folder; pytest passes over names with a dot otherwise
_ENOUGH = 1 << 16  # characters in which a case file shows its first title


# -- fixtures --------------------------------------------------------------------------------------------------------


@pytest.fixture
def hook(tmp_path: Path, request: pytest.FixtureRequest) -> HookTrial:
    """Try one hook: `hook(no_sudo, bash("sudo ls")).verdict == "deny"`."""
    from hookwright.testing.fixtures import HookTrial  # noqa: PLC0415

    return HookTrial(str(tmp_path / "hookwright"), str(request.path.parent))


@pytest.fixture
def claude(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Claude]:
    """Play a session: `claude.prompt("fix it"); assert not claude.bash("git push --force").ran`."""
    from hookwright.testing.session import Claude  # noqa: PLC0415

    cache = tmp_path_factory.getbasetemp() / "hookwright-cache"  # what our own process is made of is made once
    played = Claude(str(tmp_path / "claude"), str(cache), str(request.path.parent))
    yield played
    played.close()


# -- case files and examples as tests --------------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Look into our folder in spite of its dot, unless somebody has named it as one to pass over."""
    if collection_path.name != OURS or not collection_path.is_dir():
        return None
    named = [*(config.getoption("ignore") or ()), *(config.getoption("ignore_glob") or ())]
    named += [pattern for pattern in config.getini("norecursedirs") if pattern != ".*"]
    return None if any(OURS in str(one) for one in named) else False


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix == ".case" and _has_a_title(file_path):
        return CaseFile.from_parent(parent, path=file_path)
    if file_path.suffix == ".py" and file_path.parent.name == "hooks" and file_path.parent.parent.name == OURS:
        return CaseFile.from_parent(parent, path=file_path)
    return None


def _has_a_title(path: Path) -> bool:
    """Other programs have files of this name too."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(_ENOUGH)
    except (OSError, UnicodeDecodeError):
        return False
    return text.startswith("=== ") or "\n=== " in text


class CaseFile(pytest.File):
    """A case file, or a hook file with its examples."""

    def collect(self) -> Iterable[pytest.Item]:
        from hookwright.errors import UserError  # noqa: PLC0415
        from hookwright.testing.run import cases_in  # noqa: PLC0415

        try:
            cases = cases_in(str(self.path))
        except UserError as error:
            raise self.CollectError(str(error)) from None
        yield from self._items(cases)

    def _items(self, cases: list[Case]) -> Iterator[pytest.Item]:
        """A case that goes on brings along those before it: each item can be run by itself."""
        chain: list[Case] = []
        for case in cases:
            chain = [*chain, case] if case.follows else [case]
            yield CaseItem.from_parent(self, name=case.title, chain=chain)


class Differs(Exception):
    """The case is not as written."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.case.title)
        self.result = result


class CaseItem(pytest.Item):
    """One case."""

    def __init__(self, *, chain: list[Case], **rest: Any) -> None:
        super().__init__(**rest)
        self.chain = chain

    def runtest(self) -> None:
        from hookwright.testing.play import Player  # noqa: PLC0415

        with Player() as player:
            *_, last = player.play(self.chain)
        if not last.ok:
            raise Differs(last)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if not isinstance(excinfo.value, Differs):
            return super().repr_failure(excinfo, style)
        result = excinfo.value.result
        lines = str(result.error).splitlines() if result.error else [*result.diff, f"  at: {result.case.where}"]
        return "\n".join(lines)

    def reportinfo(self) -> tuple[Path, int, str]:
        case = self.chain[-1]
        return self.path, case.line - 1, case.title
