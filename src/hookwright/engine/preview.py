"""Long texts: above 10,000 characters Claude reads the beginning, and the name of a file that holds the rest.

context, plain stdout, system message → [Shelf.shown] → the text itself, or its preview
Reasons are never cut. Characters are counted as JavaScript counts them, in UTF-16.
"""

from __future__ import annotations

import itertools
import os

from hookwright.engine.judge import Heard
from hookwright.protocol.output import TEXT_LIMIT

SHOWN = 2000


class Shelf:
    """Where long texts of a session lie."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.join(folder, "tool-results")
        self.numbers = itertools.count(1)

    def shorten(self, heard: Heard, event: str) -> None:
        """Everything in it that may be cut."""
        heard.context = [self.shown(text, f"{event}-additionalContext") for text in heard.context]
        heard.plain = [self.shown(text, f"{event}-stdout") for text in heard.plain]
        heard.message = self.shown(heard.message, f"{event}-systemMessage")

    def shown(self, text: str, name: str) -> str:
        units = text.encode("utf-16-le", "surrogatepass")
        length = len(units) // 2
        if length <= TEXT_LIMIT:
            return text
        path = self._keep(text, name)
        head = units[: SHOWN * 2].decode("utf-16-le", "ignore")
        line_end = head.rfind("\n")
        if line_end > SHOWN // 2:
            head = head[:line_end]
        return (
            f"<persisted-output>\nOutput too large ({size(length)}). Full output saved to: {path}\n\n"
            f"Preview (first 2KB):\n{head}\n...\n</persisted-output>"
        )

    def _keep(self, text: str, name: str) -> str:
        os.makedirs(self.folder, exist_ok=True)
        path = os.path.join(self.folder, f"hook-{next(self.numbers)}-{name}.txt")
        with open(path, "w", encoding="utf-8", errors="surrogatepass") as handle:
            handle.write(text)
        return path


def size(count: int) -> str:
    """`9.8KB`, `20KB`, `1.4MB`."""
    kilobytes = count / 1024
    amount, unit = (kilobytes, "KB") if kilobytes < 1024 else (kilobytes / 1024, "MB")
    return f"{amount:.1f}".removesuffix(".0") + unit
