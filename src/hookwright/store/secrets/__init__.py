"""Find the secrets in a text: by their shape, by the name they are assigned to, by the program that takes them.

redact.mask → [find_secrets: shapes, assignments, flags] → spots (start, end, kind)
Prefers to mask too much of a secret; leaves `$VARIABLES` and placeholders readable. The tables are Python constants at
the top of each module: the hook process loads them from its bundle without parsing a file.
Hot, but only for a text in which `redact` found a hint.
"""

from __future__ import annotations

from hookwright.store.secrets import assignments, flags, shapes

TYPE_CHECKING = False  # the hook process must not import typing
if TYPE_CHECKING:
    Spot = tuple[int, int, str]


def find_secrets(text: str) -> list[Spot]:
    """All spots, unsorted; they may overlap."""
    spots: list[Spot] = []
    shapes.find_known_shapes(text, spots)
    assignments.find_assignments(text, spots)
    flags.find_flag_secrets(text, spots)
    return spots
