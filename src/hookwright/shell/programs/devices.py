"""Boards, chips and emulators: flashing takes a while, monitors and debug servers stay.

The programs and their tables are in devices.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs.devices_table import BUILDS, FLASHES, FOLLOWS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_board(call: Call) -> Row | None:
    """West, ESP-IDF, PlatformIO, Arduino."""
    words = set(call.words)
    if "monitor" in words or call.has_flag("--monitor"):
        return FOLLOWS
    if not words.isdisjoint({"build", "flash", "compile", "upload", "run", "test", "check", "all"}):
        return BUILDS
    if call.verb in {"device", "board", "boards", "system"}:
        return None
    return ("suggest", "install", "downloads packages") if {"update", "install", "init"} & words else None


def classify_flasher(call: Call) -> Row | None:
    """esptool, st-flash, avrdude, dfu-util, probe-rs, espflash."""
    if "monitor" in call.words or call.has_flag("--monitor", "-M") or call.verb in {"run", "attach", "gdb", "rtt"}:
        return FOLLOWS
    text = call.text
    marks = ("write", "flash", "erase", "read", "download", "-U", "-D", " save ", " load ", "verify")
    return FLASHES if any(mark in text.partition(" ")[2] for mark in marks) else None
