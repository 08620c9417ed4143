"""The escape sequence with which the user's terminal shows a notification, sent as `terminalSequence`.

notify, command_guard → [find_sequence] → sequence, or ""
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.base import World


def find_sequence(world: World, title: str, body: str) -> str:
    """The notification sequence of the user's terminal; "" if it is not known to have one."""
    env = world.env
    program, term = env("TERM_PROGRAM") or "", env("TERM") or ""
    title, body = ("".join([c if c.isprintable() else " " for c in text]).replace(";", ",") for text in (title, body))
    if env("KITTY_WINDOW_ID") or "kitty" in term:
        return f"\x1b]99;;{title}: {body}\x1b\\"
    if program in ("iTerm.app", "WezTerm", "ghostty"):
        return f"\x1b]9;{title}: {body}\x07"
    if term.startswith(("rxvt", "foot")):
        return f"\x1b]777;notify;{title};{body}\x07"
    return ""
