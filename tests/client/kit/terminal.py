"""The client as a person sees it: on a screen, in a tmux server of its own.

    with lab.terminal([bash("echo hi"), "done"]) as screen:
        screen.say("go")
        screen.wait("done")

The tmux server runs behind the fence beside the client; only its socket is visible here.
"""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from typing import Self

from tests.client.kit.lab import Lab

READY = re.compile("^\\s*\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}", re.MULTILINE)


class Terminal:
    """A screen to type on; `run` holds the records, while it goes on and afterwards."""

    def __init__(self, lab: Lab, script, *, args=(), env=None, size=(140, 50), **api):
        self.lab, self.run = lab, lab._new_run()
        self._opened = contextlib.ExitStack()
        # A socket's path may have 108 characters; a test's own folder can be deeper.
        self._folder = tempfile.mkdtemp(prefix="hw-")
        self._socket = os.path.join(self._folder, "tmux")
        tmux = {"socket": self._socket, "size": list(size)}
        self._start = lambda: lab._client(list(args), script, env=env, terminal=tmux, **api)

    def __enter__(self) -> Self:
        try:
            self._client = self._opened.enter_context(self._start())
            self.wait(READY, "the prompt")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exc) -> None:
        try:
            self._opened.close()
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)
        self.run.seconds = time.time() - self.run.since

    def say(self, words: str) -> None:
        """Type a line and submit it."""
        self.type(words)
        # The client takes text and Enter in one gulp for a paste: submit only what it has shown.
        self.wait(words.rsplit(maxsplit=1)[-1][-30:], "the typed text")
        self.keys("Enter")

    def type(self, words: str) -> None:
        self._tmux("send-keys", "-l", words)

    def keys(self, *names: str) -> None:
        """Keys by tmux's names: Enter, Escape, Down, C-c…"""
        self._tmux("send-keys", *names)

    def answer(self, dialog: str, *keys: str, seconds: float = 60) -> None:
        """Wait for a dialog and press keys until it is gone: a fresh dialog ignores keys for a moment."""
        self.wait(dialog, seconds=seconds)
        deadline = time.monotonic() + seconds
        while self.shows(dialog):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{dialog!r} does not go away; the screen:\n{self.screen()}")
            self.keys(*keys)
            time.sleep(1)

    def screen(self) -> str:
        """What is shown now."""
        return self._tmux("capture-pane", "-p")

    def shows(self, wanted) -> bool:
        shown = self.screen()
        return wanted in shown if isinstance(wanted, str) else bool(wanted.search(shown))

    def wait(self, wanted, what: str | None = None, seconds: float = 60) -> str:
        """Wait until a text or pattern is on the screen, and return the screen."""
        return self.until(lambda: self.shows(wanted), what or repr(wanted), seconds)

    def until(self, true, what: str, seconds: float = 60) -> str:
        """Wait until something became true, such as the arrival of a hook call in `run`."""
        deadline = time.monotonic() + seconds
        while not true():
            if self._client.poll() is not None:
                raise EOFError(f"the terminal is gone: {self._client.stderr.read()}")
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what} did not come in {seconds} s; the screen:\n{self.screen()}")
            time.sleep(0.1)
        return self.screen()

    def leave(self) -> None:
        """End the session as a person would, and wait until the client is gone."""
        self.say("/exit")
        gone = ("display-message", "-p", "#{pane_dead}")
        self.until(lambda: self._tmux(*gone).strip() == "1", "the client's end")

    def _tmux(self, *words: str) -> str:
        asked = ["tmux", "-S", self._socket, *words]
        return subprocess.run(asked, capture_output=True, text=True, timeout=30, check=False).stdout
