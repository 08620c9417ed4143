"""Loop and Redirect: what may stand around a call; loaded when a command has one.

walk.py, plain.py → [these] → call.loop, call.redirects
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call, Word


class Loop:
    """A loop around a call: its kind, how often it turns, and whether it ends by itself."""

    __slots__ = ("breaks", "condition", "count", "endless", "kind", "outer", "unrolled", "values", "variable")

    def __init__(self, kind: str, outer: Loop | None) -> None:
        self.kind = kind  # for, while, until, select
        self.outer = outer
        self.count: int | None = None  # turns, when the words say so
        self.endless = False  # while true, until false, for ((;;))
        self.breaks = False  # break, exit or return stands in the body
        self.unrolled = False  # each turn has its own calls in the list
        self.variable = ""
        self.values: tuple[Word, ...] = ()
        self.condition: list[Call] = []


class Redirect:
    """One redirection: `op` (`>`, `>>`, `<`, `<<`, `<<<`, `&>`, …), `fd`, `target`, and the text of a here-document."""

    __slots__ = ("fd", "op", "target", "text")

    def __init__(self, op: str, fd: str, target: Word, text: Word | None) -> None:
        self.op = op
        self.fd = fd
        self.target = target
        self.text = text  # body of a here-document or here-string; text.literal tells whether it is fully known

    @property
    def writes(self) -> bool:
        """Whether a file is written: `> f`, `>> f`, `&> f`, `>| f`; not `2>&1`."""
        if ">" not in self.op or self.op == "<>":
            return False
        return self.op != ">&" or not (self.target.rstrip("-").isdigit() or self.target == "-")

    def __repr__(self) -> str:
        return f"Redirect({self.fd}{self.op}{self.target})"
