"""Loads what users wrote in a process of its own: a file that hangs or ends the process costs itself only.

compiler → [carefully] → fork → plan over a pipe; or which file was being loaded when it stopped
"""

from __future__ import annotations

import marshal
import os
import select
import signal
import time
from collections.abc import Callable
from typing import Any

LOAD_S = 5.0  # for one file; a library that takes longer to import should not be imported at a hook's top
_CHUNK = 1 << 16


class Stopped(Exception):
    """Loading did not come to its end; `file` was being loaded."""

    def __init__(self, file: str, why: str) -> None:
        super().__init__(why)
        self.file = file
        self.why = why


def carefully(make: Callable[[Callable[[str], None]], Any], seconds: float = LOAD_S) -> Any:
    """What `make(tell)` returns, made in a fork. It calls `tell(file)` before each file; Stopped names the last."""
    result, results = os.pipe()
    progress, told = os.pipe()
    child = os.fork()
    if not child:
        _make(make, results, told)
    os.close(results)
    os.close(told)
    try:
        return _wait(child, result, progress, seconds)
    finally:
        os.close(result)
        os.close(progress)


def _make(make: Callable[[Callable[[str], None]], Any], results: int, told: int) -> None:
    """The child's whole life."""
    try:
        me = os.getpid()
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        data = marshal.dumps(make(lambda file: _write(told, os.fsencode(file) + b"\0")))
        if os.getpid() == me:
            _write(results, len(data).to_bytes(8, "little") + data)
    finally:
        os._exit(0)


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _wait(child: int, result: int, progress: int, seconds: float) -> Any:
    data, names = b"", b""
    ends = time.monotonic() + 2 * seconds  # our own part comes before the first file
    why = ""
    poll = select.poll()
    poll.register(result, select.POLLIN)
    poll.register(progress, select.POLLIN)
    try:
        while len(data) < 8 or len(data) < 8 + int.from_bytes(data[:8], "little"):
            ready = poll.poll(max(0.0, ends - time.monotonic()) * 1000)
            if not ready:
                why = f"it took longer than {seconds:g} s"
                break
            for descriptor, _ in ready:
                more = os.read(descriptor, _CHUNK)
                if descriptor == progress and more:
                    names += more
                    ends = time.monotonic() + seconds
                elif descriptor == progress:
                    poll.unregister(progress)
                elif more:
                    data += more
                else:
                    why = "it ended the process"
            if why:
                break
    finally:
        _end(child)
    if why:
        raise Stopped(os.fsdecode(names.rstrip(b"\0").rpartition(b"\0")[2]), why)
    return marshal.loads(data[8:])  # noqa: S302  written by ourselves, above


def _end(child: int) -> None:
    for kill in (os.killpg, os.kill):
        try:
            kill(child, signal.SIGKILL)
        except OSError:
            continue
    os.waitpid(child, 0)
