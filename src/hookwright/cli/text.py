"""Turn values and untrusted text into what a terminal may show: escape, shorten, count, format times.

record, path, number → [this] → text
Imports nothing of hookwright and nothing heavy, so that any command can use it without paying for another one's work.
"""

from __future__ import annotations

import os

BARS = "▁▂▃▄▅▆▇█"


# --- untrusted text
# Not printable are the controls C0, C1 and DEL, marks of direction and other invisible ones, separators of lines, and
# surrogates: whatever moves a cursor, hides a text or shows it in another order.
def escape_line(text: object, max_length: int = 0) -> str:
    """One line without control characters, cut to `max_length` if that is not 0. None is the empty string."""
    line = "" if text is None else str(text)
    if not line.isprintable():
        line = "".join(c if c.isprintable() else "⏎" if c == "\n" else "·" for c in line)
    return line if not max_length or len(line) <= max_length else line[: max_length - 1] + "…"


def escape_name(text: str, keep: str = "") -> str:
    r"""A text in which nothing is hidden: what is not printable becomes \uXXXX, except the characters of `keep`."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _escape_character(c) for c in text)


def escape_block(text: str) -> str:
    """Several lines in which nothing is hidden."""
    return escape_name(text.replace("\r\n", "\n"), "\n\t")


def _escape_character(character: str) -> str:
    """As JSON writes it, in which a large code point is a pair of surrogates."""
    number = ord(character)
    if number < 0x10000:
        return f"\\u{number:04x}"
    high, low = divmod(number - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


# --- paths
def shorten_home(path: str) -> str:
    """The path with ~ for the home directory."""
    home = os.environ.get("HOME", "").rstrip("/")
    return "~" + path[len(home) :] if home and (path == home or path.startswith(home + "/")) else path


def shorten_home_paths(sentence: str) -> str:
    """A sentence with ~ for the home directory in every path that it mentions."""
    home = os.environ.get("HOME", "").rstrip("/")
    return sentence.replace(home + "/", "~/") if home else sentence


# --- numbers
def count(number: int, noun: str, plural: str = "") -> str:
    """`1 hook`, `2 hooks`, `1,200 hooks`; give `plural` where it is not noun + s."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def render_sparkline(values: list[float]) -> str:
    top = max(values, default=0)
    return "".join(BARS[min(7, int(value / top * 7.99))] if top > 0 else BARS[0] for value in values)


def render_bar(value: float, top: float, width: int) -> str:
    """A bar of at most `width` columns, in eighths; anything above 0 is visible."""
    if value <= 0 or top <= 0:
        return ""
    eighths = max(1, round(min(value / top, 1.0) * width * 8))
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


# --- times
def format_seconds(value: float | None) -> str:
    """A duration with the unit that fits: 12 ms, 3.2 s, 5 min, 2.5 h."""
    if value is None:
        return "-"
    if value < 1:
        return f"{value * 1000:.0f} ms"
    if value < 10:
        return f"{value:.1f} s"
    if value < 120:
        return f"{value:.0f} s"
    return f"{value / 60:.0f} min" if value < 7200 else f"{value / 3600:.1f} h"


def format_micros(value: int | None) -> str:
    """The time of a hook, always in µs: columns of them can be compared."""
    return "-" if value is None else f"{value:,} µs"


def format_ago(moment: float | None, now: float) -> str:
    if moment is None:
        return "-"
    return "just now" if now - moment < 1 else f"{format_seconds(now - moment)} ago"


def format_moment(moment: float) -> str:
    """Seconds since the epoch in local time, to the minute."""
    from datetime import datetime  # noqa: PLC0415  few lines have a time

    return datetime.fromtimestamp(moment).astimezone().strftime("%Y-%m-%d %H:%M")


def format_local_time(iso: str) -> str:
    """The ISO time of a record in local time, to the second."""
    from datetime import datetime  # noqa: PLC0415  as above

    try:
        return datetime.fromisoformat(iso).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except ValueError:
        return iso


# --- lines
def split_at_width(text: str, width: int, hang: int = 0) -> list[tuple[int, int]]:
    """Where the lines of a wrapped text begin and end; every line but the first has `hang` columns less.

    Breaks at spaces only. A longer word stays whole, so that a path or a command can be copied.
    """
    lines = []
    start, room = 0, width
    indent = len(text) - len(text.lstrip(" "))
    while len(text) - start > room:
        end = text.rfind(" ", max(start, indent) + 1, start + room + 1)
        if end < 0:
            end = text.find(" ", max(start + room, indent))
        if end < 0:
            break
        lines.append((start, end))
        start = end + len(text[end:]) - len(text[end:].lstrip(" "))
        room = max(20, width - hang)
    if start < len(text) or not lines:
        lines.append((start, len(text)))
    return lines
