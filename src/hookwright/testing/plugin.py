"""The pytest plugin: fixtures `hook` and `claude`, and case files as tests.

pytest → [this] → testing/fixtures, testing/session, testing/case_runner, each loaded on first use
A test run that uses none of them imports this small module only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from hookwright.testing.case_runner import CaseResult
    from hookwright.testing.cases import Case
    from hookwright.testing.fixtures import HookTrial
    from hookwright.testing.session import Claude

HOOKWRIGHT_DIR = ".hookwright"  # pytest does not collect directories with a dot otherwise
_TITLE_SEARCH_CHARS = 1 << 16  # a case file has its first title within these


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
    """Simulate a session: `claude.prompt("fix it"); assert not claude.bash("git push --force").ran`."""
    from hookwright.testing.session import Claude  # noqa: PLC0415

    cache = (
        tmp_path_factory.getbasetemp() / "hookwright-cache"
    )  # the bundle of the hook process is built once per test run
    session = Claude(str(tmp_path / "claude"), str(cache), str(request.path.parent))
    yield session
    session.close()


# -- case files and examples as tests --------------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Collect .hookwright in spite of its dot, unless the user ignores it explicitly."""
    if collection_path.name != HOOKWRIGHT_DIR or not collection_path.is_dir():
        return None
    named = [*(config.getoption("ignore") or ()), *(config.getoption("ignore_glob") or ())]
    named += [pattern for pattern in config.getini("norecursedirs") if pattern != ".*"]
    return None if any(HOOKWRIGHT_DIR in str(one) for one in named) else False


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix == ".case" and _has_case_title(file_path):
        return CaseFile.from_parent(parent, path=file_path)
    if (
        file_path.suffix == ".py"
        and file_path.parent.name == "hooks"
        and file_path.parent.parent.name == HOOKWRIGHT_DIR
    ):
        return CaseFile.from_parent(parent, path=file_path)
    return None


def _has_case_title(path: Path) -> bool:
    """Whether this is a case file of ours: other programs use the suffix too."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(_TITLE_SEARCH_CHARS)
    except (OSError, UnicodeDecodeError):
        return False
    return text.startswith("=== ") or "\n=== " in text


class CaseFile(pytest.File):
    """A case file, or a hook file with its examples."""

    def collect(self) -> Iterable[pytest.Item]:
        from hookwright.errors import UserError  # noqa: PLC0415
        from hookwright.testing.run_cases import load_cases  # noqa: PLC0415

        try:
            cases = load_cases(str(self.path))
        except UserError as error:
            raise self.CollectError(str(error)) from None
        yield from self._make_items(cases)

    def _make_items(self, cases: list[Case]) -> Iterator[pytest.Item]:
        """One item per case; a "then" case includes the cases before it, so that each item can be run alone."""
        chain: list[Case] = []
        for case in cases:
            chain = [*chain, case] if case.is_continuation else [case]
            yield CaseItem.from_parent(self, name=case.title, chain=chain)


class CaseFailed(Exception):
    """The case failed."""

    def __init__(self, result: CaseResult) -> None:
        super().__init__(result.case.title)
        self.result = result


class CaseItem(pytest.Item):
    """One case."""

    def __init__(self, *, chain: list[Case], **rest: Any) -> None:
        super().__init__(**rest)
        self.chain = chain

    def runtest(self) -> None:
        from hookwright.testing.case_runner import CaseRunner  # noqa: PLC0415

        with CaseRunner() as runner:
            *_, last = runner.run_cases(self.chain)
        if not last.has_passed:
            raise CaseFailed(last)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if not isinstance(excinfo.value, CaseFailed):
            return super().repr_failure(excinfo, style)
        result = excinfo.value.result
        lines = str(result.error).splitlines() if result.error else [*result.diff, f"  at: {result.case.source_line}"]
        return "\n".join(lines)

    def reportinfo(self) -> tuple[Path, int, str]:
        case = self.chain[-1]
        return self.path, case.line - 1, case.title
