"""Where in a text are the secrets? Read by shape, by name, and by the program that takes them.

text → shapes, assignments, flags → spots (start, end, kind)
Masks rather too much of a secret than too little; leaves `$VARIABLES` and placeholders readable.
Hot, but only for a text in which `redact` saw a hint.
"""

from __future__ import annotations

from hookwright.state.secrets import assignments, flags, shapes

TYPE_CHECKING = False  # the door must not import typing
if TYPE_CHECKING:
    Spot = tuple[int, int, str]


def find_secrets(text: str) -> list[Spot]:
    """All spots, in no order; they may overlap."""
    spots: list[Spot] = []
    shapes.find(text, spots)
    assignments.find(text, spots)
    flags.find(text, spots)
    return spots
