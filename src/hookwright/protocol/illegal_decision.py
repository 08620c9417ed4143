"""Raised for a decision that its event cannot carry: the client would ignore it silently."""

from __future__ import annotations


class IllegalDecision(Exception):
    """A mistake of the hook's author, which no other event will cure: the user is told once."""

    is_mistake = True

    def __init__(self, event: str, word: str, legal: tuple[str, ...]) -> None:
        super().__init__(f"{event} cannot carry {word}; it can carry {', '.join(legal) or 'nothing'}")
