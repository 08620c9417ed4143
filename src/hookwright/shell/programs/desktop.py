"""Programs with a window or a sound of their own: they stay until somebody closes them.

force    mpv talk.mp4
none     google-chrome --headless --screenshot http://localhost:3000
force    firefox http://localhost:3000
force    godot --path game
force    godot --headless --export-release Linux build/game
none     ffplay -version
"""

from __future__ import annotations

from hookwright.shell.programs import each

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

STAYS: Row = ("force", "terminal", "stays until its window is closed")


def window(call: Call) -> Row | None:
    """Browsers and players; without a window they end by themselves."""
    asks = ("--headless", "--headless=new", "--screenshot", "--version", "-version", "--help", "--dump-dom", "--list")
    if call.has_flag(*asks) and not call.has_flag("--remote-debugging-port", "--remote-debugging-pipe"):
        return None
    return STAYS


def engine(call: Call) -> Row | None:
    """Game engines: the editor and the game stay, an export or a batch is a build."""
    words = " ".join(call.args).lower()
    if "export" in words or "-batchmode" in words or "build" in words or "--import" in words:
        return "force", "build", "builds the game"
    return None if "--version" in words or "--check-only" in words or "--script" in words else STAYS


PROGRAMS: dict[str, Handler] = {
    **each(
        "firefox google-chrome google-chrome-stable chromium chromium-browser mpv vlc mplayer ffplay feh eog xterm "
        "wireshark gnome-terminal konsole alacritty kitty gimp glxgears evince zathura",
        window,
    ),
    **each("godot godot4 unity Unity love", engine),
}
