"""Starts a program as Claude Code starts a hook, and tells how it went.

argv, payload → [start] → exit code, output, time, what was left unread on stdin
A session of its own, no terminal, the payload and then the end of stdin. Whatever it started is gone afterwards.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LARGEST = 4 << 20  # bytes of output that are kept; more is read and forgotten
GRACE_S = 0.5  # between the polite and the other signal


@dataclass(frozen=True)
class Ended:
    """How a start went. `problem` is why there was none."""

    problem: str = ""
    exit_code: int | None = None
    stdout: bytes = b""
    stderr: bytes = b""
    ms: float = 0.0
    late: bool = False
    unread: int = 0  # bytes of the payload that nobody read

    @property
    def started(self) -> bool:
        return not self.problem


def start(argv: Sequence[str], payload: bytes, *, env: Mapping[str, str], cwd: str, timeout_s: float) -> Ended:
    """Run it to its end, or to the end of its time. `payload` must fit into a pipe (64 KiB)."""
    stdin, writing = os.pipe()
    try:
        os.write(writing, payload)
    finally:
        os.close(writing)
    began = time.monotonic()
    try:
        process = subprocess.Popen(
            argv,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        os.close(stdin)
        return Ended(problem=getattr(error, "strerror", None) or str(error))
    with process:
        output, late = _until_end(process, began + timeout_s)
        spent = (time.monotonic() - began) * 1000
        _end_group(process, late=late)
    return Ended(
        exit_code=None if late else process.returncode,
        stdout=output[0],
        stderr=output[1],
        ms=round(spent, 1),
        late=late,
        unread=_left(stdin),
    )


def _until_end(process: subprocess.Popen[bytes], deadline: float) -> tuple[list[bytes], bool]:
    """Both outputs until the main process ends; a child that keeps them open does not hold the client up."""
    assert process.stdout is not None
    assert process.stderr is not None
    kept: list[bytearray] = [bytearray(), bytearray()]
    late = False
    with selectors.DefaultSelector() as selector:
        for place, stream in enumerate((process.stdout, process.stderr)):
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ, place)
        while selector.get_map():
            if time.monotonic() > deadline:
                late = True
                break
            ended = process.poll() is not None
            ready = selector.select(0 if ended else min(0.02, max(0.0, deadline - time.monotonic())))
            for key, _ in ready:
                chunk = os.read(key.fd, 1 << 16)
                if not chunk:
                    selector.unregister(key.fileobj)
                elif len(kept[key.data]) < LARGEST:
                    kept[key.data] += chunk
            if ended and not ready:
                break
    while not late and process.poll() is None:
        late = time.monotonic() > deadline
        time.sleep(0.002)
    return [bytes(part) for part in kept], late


def _end_group(process: subprocess.Popen[bytes], *, late: bool) -> None:
    """The client ends a late hook and all its children; a finished hook's children go with it here too."""
    if late:
        _signal(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
    _signal(process.pid, signal.SIGKILL)


def _signal(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _left(stdin: int) -> int:
    """How much of the payload is still in the pipe."""
    left = 0
    try:
        os.set_blocking(stdin, False)
        while chunk := os.read(stdin, 1 << 16):
            left += len(chunk)
    except BlockingIOError:
        return left
    finally:
        os.close(stdin)
    return left
