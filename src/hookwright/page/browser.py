"""Open the page in the user's browser without showing the token to other users of the machine.

address with token → file of mode 0600 that leads to it → [BrowserLink.open] → browser
The arguments of a process are visible to every user; so the browser is given the file, which only this user can read.
The file is removed as soon as the page was opened.
"""

from __future__ import annotations

import os
import sys
from html import escape

from hookwright.store.paths import make_private

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")


class BrowserLink:
    """A private file that leads a browser to the page."""

    def __init__(self, state: str) -> None:
        self._folder = f"{state}/page"
        self.path = f"{self._folder}/open-{os.getpid()}.html"
        self.problem = ""  # why no browser was opened

    def open(self, address: str) -> bool:
        """True if a browser was started."""
        if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in DISPLAYS):
            self.problem = "there is no display here"  # a text browser would take over the terminal
            return False
        try:
            self._write(address)
        except OSError as error:
            self.problem = f"{self._folder} cannot be written: {error.strerror}"
            return False
        import webbrowser  # noqa: PLC0415  only if one is wanted

        try:
            if webbrowser.open(f"file://{self.path}"):
                return True
            self.problem = "none was found"
        except (webbrowser.Error, OSError) as error:
            self.problem = str(error)
        self.remove()
        return False

    def remove(self) -> None:
        try:
            os.unlink(self.path)
        except OSError:  # never written, or removed before
            return

    def _write(self, address: str) -> None:
        if not make_private(self._folder):
            raise OSError(1, "it is not a private directory of yours")
        target = escape(address)
        text = (
            '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>hookwright</title>'
            f'<meta http-equiv="refresh" content="0; url={target}"><p><a href="{target}">hookwright</a>'
        )
        with open(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
