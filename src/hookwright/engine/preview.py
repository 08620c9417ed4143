"""Shorten long texts: above 10,000 characters Claude gets the beginning and the name of a file with the whole text.

context, plain stdout, system message → [LongTextStore.shorten_texts] → the text, or its preview
Reasons are never shortened. Length is counted as in JavaScript, in UTF-16 code units.
"""

from __future__ import annotations

import itertools
import os

from hookwright.engine.interpret import HandlerEffect
from hookwright.protocol.hook_output import TEXT_LIMIT

PREVIEW_LENGTH = 2000


class LongTextStore:
    """The files with the long texts of a session."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.join(folder, "tool-results")
        self.numbers = itertools.count(1)

    def shorten_texts(self, effect: HandlerEffect, event: str) -> None:
        """Shorten every text of an effect that the client shortens."""
        effect.context = [self.preview_text(text, f"{event}-additionalContext") for text in effect.context]
        effect.plain = [self.preview_text(text, f"{event}-stdout") for text in effect.plain]
        effect.message = self.preview_text(effect.message, f"{event}-systemMessage")

    def preview_text(self, text: str, name: str) -> str:
        units = text.encode("utf-16-le", "surrogatepass")
        length = len(units) // 2
        if length <= TEXT_LIMIT:
            return text
        path = self._save_text(text, name)
        head = units[: PREVIEW_LENGTH * 2].decode("utf-16-le", "ignore")
        line_end = head.rfind("\n")
        if line_end > PREVIEW_LENGTH // 2:
            head = head[:line_end]
        return (
            f"<persisted-output>\nOutput too large ({format_size(length)}). Full output saved to: {path}\n\n"
            f"Preview (first 2KB):\n{head}\n...\n</persisted-output>"
        )

    def _save_text(self, text: str, name: str) -> str:
        os.makedirs(self.folder, exist_ok=True)
        path = os.path.join(self.folder, f"hook-{next(self.numbers)}-{name}.txt")
        with open(path, "w", encoding="utf-8", errors="surrogatepass") as handle:
            handle.write(text)
        return path


def format_size(count: int) -> str:
    """`9.8KB`, `20KB`, `1.4MB`."""
    kilobytes = count / 1024
    amount, unit = (kilobytes, "KB") if kilobytes < 1024 else (kilobytes / 1024, "MB")
    return f"{amount:.1f}".removesuffix(".0") + unit
