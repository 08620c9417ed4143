"""Format: run the project's formatter on files that Claude wrote, and tell Claude which lines changed.

PostToolUse of Write, Edit, NotebookEdit → [this hook] → formatted file, one line for Claude | nothing
Off by default. A formatter that is a program of the project, or may run one, needs the user's trust in that project.
"""

from __future__ import annotations

from hookwright.hooks.base import Hook
from hookwright.options import LEGACY_QUIET, REQUIRED, mode_option, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.format.format_file import FormatResult
    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event

NAMES = ("black", "ruff", "biome", "prettier", "gofmt", "rustfmt", "clang-format", "shfmt", "terraform")
# Extensions that one of them formats; for any other file nothing more is loaded.
_EXTENSIONS = frozenset(
    (
        *("py", "pyi", "ipynb", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "css", "scss", "less", "html"),
        *("vue", "json", "jsonc", "json5", "md", "mdx", "yaml", "yml", "graphql", "go", "rs", "c", "h", "cc", "hh"),
        *("cpp", "hpp", "cxx", "hxx", "m", "mm", "proto", "cu", "cuh", "sh", "bash", "tf"),
    )
)


def _check_formatters(value: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.options import BadValue  # noqa: PLC0415  only when configuration is read

    wrong = [name for name in value if name not in NAMES]
    if wrong:
        raise BadValue(f"must be some of {', '.join(NAMES)}, got {', '.join(wrong)}")
    return value


def _check_seconds(value: float) -> float:
    from hookwright.options import BadValue  # noqa: PLC0415

    if not 0.1 <= value <= 120:
        raise BadValue(f"must be 0.1 to 120, got {value:g}")
    return value


def _check_directories(value: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.options import BadValue  # noqa: PLC0415

    wrong = [path for path in value if path[:1] != "/" and path[:2] != "~/"]
    if wrong:
        raise BadValue(f"must be directories that begin with / or ~/, got {', '.join(wrong)}")
    return value


class Format(Hook):
    """Format files that Claude wrote with the project's own formatter."""

    on = (("PostToolUse", "Write", "Edit", "MultiEdit", "NotebookEdit"),)
    mode: str = mode_option(
        "off", shadow="records what it would change, but changes nothing", tighter=None, env=LEGACY_QUIET
    )
    formatters: tuple[str, ...] = option(
        NAMES,
        check=_check_formatters,
        help="Formatters that may run, where the project's configuration selects them.",
    )
    commands: tuple[Mapping[str, Any], ...] = option(
        (),
        kind="tables",
        help="Your own formatters, tried before the known ones.",
        columns={
            "command": option(
                REQUIRED,
                kind="words",
                help="what to run: it reads the text from stdin and prints the formatted one, or contains {file} and "
                "changes that file",
            ),
            "files": option(REQUIRED, kind="texts", help='patterns of its files, such as ["*.proto"]'),
            "name": option("", help="its name in messages; its first word if empty"),
        },
    )
    exclude: tuple[str, ...] = option((), help="Patterns of files that are never formatted.")
    legacy: bool = option(False, help="Also format files that were not formatted before Claude's change.")
    trusted: tuple[str, ...] = option(
        (),
        check=_check_directories,
        help="Directories, such as ~/work, whose projects may run their own formatters (.venv/bin, node_modules/.bin) "
        "and those that run code of the project (prettier). Others need `hookwright trust`.",
    )
    seconds: float = option(10.0, check=_check_seconds, tighter="lower", help="Timeout for one file.")

    def decide(self, event: Event) -> Decision | None:
        tool = event.raw.get("tool_input")
        path = (tool.get("file_path") or tool.get("notebook_path")) if isinstance(tool, dict) else None
        if not isinstance(path, str) or path[:1] != "/":
            return None
        if not self.commands and path.rpartition(".")[2].lower() not in _EXTENSIONS:
            return None
        self.world.alarm(self.seconds + 10)
        from hookwright.hooks.format.format_file import ProjectFormatter  # noqa: PLC0415  only when there is work
        from hookwright.hooks.project_root import find_project_root, is_project_trusted  # noqa: PLC0415

        root = find_project_root(self.world)
        work = ProjectFormatter(
            root,
            formatters=self.formatters,
            commands=self.commands,
            exclude=self.exclude,
            seconds=self.seconds,
            legacy=self.legacy,
            search_path=self.world.env("PATH") or "",
            dry=self.mode != "on",
            trusted=is_project_trusted(self.world, root, self.trusted),
        )
        outcome = work.format_file(path, read_original(event.raw.get("tool_response")))
        self.log_debug(outcome.skipped or outcome.problem or outcome.line or f"already formatted ({outcome.formatter})")
        return self._build_decision(event, outcome)

    def _build_decision(self, event: Event, outcome: FormatResult) -> Decision | None:
        from hookwright.protocol.decisions import Decision  # noqa: PLC0415

        if outcome.line:
            return Decision(context=outcome.line)
        if outcome.problem and self._may_report(event, f"{outcome.formatter} {outcome.problem}"):
            return Decision(context=f"{outcome.formatter} could not format it: {outcome.problem}")
        return None

    def _may_report(self, event: Event, what: str) -> bool:
        """Report each failure once, and at most five in an hour."""
        from hookwright.store import limits  # noqa: PLC0415

        here = limits.scope(self.world.state, event.session_id, event.agent_id)
        return limits.once(here, f"format {what}") and limits.allow(
            here, "format failures", self.world.now, most=5, per_seconds=3600
        )


def read_original(response: object) -> str | None:
    """The text before the change, as the client reports it; None for a new file or if it is unknown."""
    if not isinstance(response, dict):
        return None
    text = response.get("originalFile", response.get("original_file"))
    return text if isinstance(text, str) else None
