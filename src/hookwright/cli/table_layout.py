"""Lay out a table: column widths that fit the screen, cells folded at spaces, wide characters counted as two columns.

rows of cells → [lay_out] → lines of padded cells → output.print_table
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

GAP = 2
LEAST_WIDTH = 8  # a column is not made narrower for the sake of others


def lay_out(
    columns: Sequence[str], rows: Sequence[Sequence[str]], right: Container[str], screen: int
) -> list[list[list[str]]]:
    """For the head and each row: its lines, each a list of padded cells. A screen of 0 columns folds nothing."""
    table = [list(columns), *map(list, rows)]
    widths = [max(map(measure_text, column)) for column in zip(*table, strict=True)]
    if screen:
        shrink_columns(widths, screen - 1 - GAP * (len(widths) - 1))
    found = []
    for row in table:
        folded = [fold_text(cell, width) for cell, width in zip(row, widths, strict=True)]
        lines = []
        for number in range(max(map(len, folded))):
            cells = []
            for name, parts, width in zip(columns, folded, widths, strict=True):
                text = parts[number] if number < len(parts) else ""
                space = " " * (width - measure_text(text))
                cells.append(space + text if name in right else text + space)
            lines.append(cells)
        found.append(lines)
    return found


def shrink_columns(widths: list[int], room: int) -> None:
    """Take from the widest column until all fit."""
    while sum(widths) > room:
        widest = max(widths)
        if widest <= LEAST_WIDTH:
            return
        others = [width for width in widths if width != widest]
        at = [number for number, width in enumerate(widths) if width == widest]
        least = max(LEAST_WIDTH, max(others, default=0))
        share = max(1, min(widest - least, (sum(widths) - room) // len(at)))
        for number in at:
            widths[number] -= share
            if sum(widths) <= room:
                return


def fold_text(text: str, width: int) -> list[str]:
    """The lines of a cell: broken at spaces, a longer word wherever it has to be."""
    if measure_text(text) <= width:
        return [text]
    lines, line = [], ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if measure_text(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        while measure_text(word) > width:
            head = _take_width(word, width)
            lines.append(head)
            word = word[len(head) :]  # noqa: PLW2901  what is left of it
        line = word
    return [*lines, line]


def _take_width(text: str, width: int) -> str:
    """As many characters as fit, at least one."""
    used = 0
    for number, character in enumerate(text):
        used += measure_text(character)
        if used > width:
            return text[: max(1, number)]
    return text


def measure_text(text: str) -> int:
    """Columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # noqa: PLC0415  seldom

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
