"""The fence around the client: a namespace with loopback, its own processes, and nothing else.

pytest (outside) → unshare → [this fence] → worker → the client
Whatever runs inside can reach 127.0.0.1 only, and dies with the worker, children included.
"""

import fcntl
import functools
import os
import shutil
import socket
import struct
import subprocess
import sys

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 0x1
IFREQ = struct.Struct("16sh14x")


class NotFencedError(RuntimeError):
    """The client was about to run where it could reach a network."""


def inside(command: list[str]) -> list[str]:
    """The command line that runs `command` behind the fence, as root or rootless."""
    own_user = [] if os.geteuid() == 0 else ["--map-root-user"]
    fence = ["--net", "--pid", "--mount", "--mount-proc", "--fork", "--kill-child"]
    return ["unshare", *own_user, *fence, "--", *command]


@functools.cache
def why_not() -> str | None:
    """What keeps this machine from raising the fence; None when it can."""
    if sys.platform != "linux":
        return "network namespaces exist only on Linux"
    if not shutil.which("unshare"):
        return "unshare is missing (package util-linux)"
    tried = subprocess.run(
        inside(["true"]), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    return None if tried.returncode == 0 else f"a namespace was refused: {tried.stderr.strip()}"


def raise_loopback() -> None:
    """A fresh namespace has loopback, but down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        _, flags = IFREQ.unpack(fcntl.ioctl(sock, SIOCGIFFLAGS, IFREQ.pack(b"lo", 0)))
        fcntl.ioctl(sock, SIOCSIFFLAGS, IFREQ.pack(b"lo", flags | IFF_UP))


def refuse_unless_fenced() -> None:
    interfaces = [name for _, name in socket.if_nameindex()]
    if interfaces != ["lo"]:
        raise NotFencedError(f"the client must see loopback only, this process sees {', '.join(interfaces)}")
