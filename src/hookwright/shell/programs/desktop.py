"""Programs with a window or sound: they stay until closed.

The programs and their tables are in desktop.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs.desktop_table import STAYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_game_engine(call: Call) -> Row | None:
    """Game engines: the editor and the game keep running, an export or a batch is a build."""
    words = " ".join(call.args).lower()
    if "export" in words or "-batchmode" in words or "build" in words or "--import" in words:
        return "force", "build", "builds the game"
    return None if "--version" in words or "--check-only" in words or "--script" in words else STAYS
