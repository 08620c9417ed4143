"""Format: a file that Claude wrote gets the form that the project has chosen, and Claude is told which lines changed.

PostToolUse of Write, Edit, NotebookEdit → [this hook] → the file in form, one line for Claude | silence
Off until you switch it on: a project's formatter is a program of the project's, and only you can trust it.
"""

from __future__ import annotations

from hookwright.hooks.base import QUIET, Hook
from hookwright.options import MODES, REQUIRED, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event

NAMES = ("black", "ruff", "biome", "prettier", "gofmt", "rustfmt", "clang-format", "shfmt", "terraform")
# Ends of file names that one of them formats; for any other file nothing more is loaded.
_ENDS = frozenset(
    (
        *("py", "pyi", "ipynb", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "css", "scss", "less", "html"),
        *("vue", "json", "jsonc", "json5", "md", "mdx", "yaml", "yml", "graphql", "go", "rs", "c", "h", "cc", "hh"),
        *("cpp", "hpp", "cxx", "hxx", "m", "mm", "proto", "cu", "cuh", "sh", "bash", "tf"),
    )
)


def _known(value: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.options import BadValue  # noqa: PLC0415  only when files are read

    wrong = [name for name in value if name not in NAMES]
    if wrong:
        raise BadValue(f"must be some of {', '.join(NAMES)}, got {', '.join(wrong)}")
    return value


def _bounded(value: float) -> float:
    from hookwright.options import BadValue  # noqa: PLC0415

    if not 0.1 <= value <= 120:
        raise BadValue(f"must be 0.1 to 120, got {value:g}")
    return value


class Format(Hook):
    """Bring files that Claude wrote into the form that the project has chosen."""

    on = (("PostToolUse", "Write", "Edit", "MultiEdit", "NotebookEdit"),)
    section = "format"
    mode: str = option(
        "off",
        choices=MODES,
        env={"AGENT_OS_HOOKS_QUIET": QUIET},
        help="on, off, or shadow: says in the record what it would change, but changes nothing.",
    )
    formatters: tuple[str, ...] = option(
        NAMES, check=_known, help="Those that may run, where the project's own configuration chooses them."
    )
    commands: tuple[Mapping[str, Any], ...] = option(
        (),
        kind="tables",
        help="Formatters of your own, asked before the known ones.",
        columns={
            "command": option(
                REQUIRED,
                kind="words",
                help="what to run: it reads the text from stdin and prints the new one, or has {file} in it and "
                "changes that file",
            ),
            "files": option(REQUIRED, kind="texts", help='patterns of its files, such as ["*.proto"]'),
            "name": option("", help="what it is called in messages; its first word if it has none"),
        },
    )
    exclude: tuple[str, ...] = option((), help="Patterns of files that are never formatted.")
    legacy: bool = option(False, help="Also format files that were not in form before Claude's change.")
    seconds: float = option(10.0, check=_bounded, tighter="lower", help="Time for one file.")

    def decide(self, event: Event) -> Decision | None:
        tool = event.raw.get("tool_input")
        path = (tool.get("file_path") or tool.get("notebook_path")) if isinstance(tool, dict) else None
        if not isinstance(path, str) or path[:1] != "/":
            return None
        if not self.commands and path.rpartition(".")[2].lower() not in _ENDS:
            return None
        self.world.alarm(self.seconds + 10)
        from hookwright.work.formatting import Formatting  # noqa: PLC0415  there is work now
        from hookwright.work.places import project_root  # noqa: PLC0415

        work = Formatting(
            project_root(self.world),
            formatters=self.formatters,
            commands=self.commands,
            exclude=self.exclude,
            seconds=self.seconds,
            legacy=self.legacy,
            search_path=self.world.env("PATH") or "",
            dry=self.mode != "on",
        )
        outcome = work.format(path, original_of(event.raw.get("tool_response")))
        self.aside(outcome.left or outcome.problem or outcome.line or f"in form ({outcome.formatter})")
        return self._said(event, outcome)

    def _said(self, event: Event, outcome: Any) -> Decision | None:
        from hookwright.protocol.decisions import Decision  # noqa: PLC0415

        if outcome.line:
            return Decision(context=outcome.line)
        if outcome.problem and self._first_time(event, f"{outcome.formatter} {outcome.problem}"):
            return Decision(context=f"{outcome.formatter} could not format it: {outcome.problem}")
        return None

    def _first_time(self, event: Event, what: str) -> bool:
        """Each failure is told once, and not more than a few in an hour."""
        from hookwright.state import limits  # noqa: PLC0415

        here = limits.scope(self.world.state, event.session_id, event.agent_id)
        return limits.once(here, f"format {what}") and limits.allow(
            here, "format failures", self.world.now, most=5, per_seconds=3600
        )


def original_of(response: object) -> str | None:
    """The text before the change, as the client reports it; None for a new file, or where it is not known."""
    if not isinstance(response, dict):
        return None
    text = response.get("originalFile", response.get("original_file"))
    return text if isinstance(text, str) else None
