"""Loop and Redirect: loops around a call and its redirections; loaded when a command has one.

evaluator.py, fast_parser.py → [these] → call.loop, call.redirects
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call, Word


class Loop:
    """A loop around a call: its kind, its number of iterations, and whether it ends by itself."""

    __slots__ = ("breaks", "condition", "count", "endless", "kind", "outer", "unrolled", "values", "variable")

    def __init__(self, kind: str, outer: Loop | None) -> None:
        self.kind = kind  # for, while, until, select
        self.outer = outer
        self.count: int | None = None  # iterations, when known
        self.endless = False  # while true, until false, for ((;;))
        self.breaks = False  # break, exit or return is in the body
        self.unrolled = False  # each iteration has its own calls in the list
        self.variable = ""
        self.values: tuple[Word, ...] = ()
        self.condition: list[Call] = []


class Redirect:
    """One redirection: `op` (`>`, `>>`, `<`, `<<`, `<<<`, `&>`, …), `fd`, `target`, and `text` of a here-document."""

    __slots__ = ("fd", "op", "target", "text")

    def __init__(self, op: str, fd: str, target: Word, text: Word | None) -> None:
        self.op = op
        self.fd = fd
        self.target = target
        self.text = text  # body of a here-document or here-string

    @property
    def writes(self) -> bool:
        """Whether a file is written: `> f`, `>> f`, `&> f`, `>| f`; not `2>&1`."""
        if ">" not in self.op or self.op == "<>":
            return False
        return self.op != ">&" or not (self.target.rstrip("-").isdigit() or self.target == "-")

    def __repr__(self) -> str:
        return f"Redirect({self.fd}{self.op}{self.target})"
