"""Whether a host is this machine or one of the user's own network, and not a machine on the internet.

rules about sending, web tools → [is_own_network] → True: what is sent there stays in the house
Private addresses, names without a dot (of a container or a machine next door) and names that no public server has.
"""

from __future__ import annotations

METADATA = frozenset(
    (
        *("169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "192.0.0.192", "168.63.129.16"),
        *("metadata.google.internal", "metadata", "metadata.goog", "instance-data", "instance-data.ec2.internal"),
        *("fd00:ec2::254", "fd20:ce::254", "metadata.tencentyun.com", "metadata.azure.internal"),
    )
)
LOCAL_ENDS = (".local", ".localhost", ".test", ".lan", ".home", ".internal", ".intranet", ".home.arpa", ".invalid")
LOCAL_NAMES = ("localhost", "host.docker.internal", "gateway.docker.internal", "host.containers.internal")


def host_of(url: str) -> str:
    """The host of a URL, or of `host:port/path`, in lower case; without user, port and brackets."""
    rest = url.partition("://")[2] or url
    for mark in "/?#\\":
        rest = rest.partition(mark)[0]
    host = rest.rpartition("@")[2].lower()
    if host[:1] == "[":
        return host[1:].partition("]")[0]
    return host.partition(":")[0].rstrip(".") if host.count(":") < 2 else host


def is_own_network(host: str) -> bool:
    """True for this machine, private addresses, single-label names and names of a local network."""
    if not host or host in METADATA:
        return not host
    if host in LOCAL_NAMES or host.endswith(LOCAL_ENDS):
        return True
    if ":" in host:
        return host in ("::1", "::") or host.startswith(("fe80:", "fc", "fd"))
    address = parse_address(host)
    if address is None:
        return "." not in host and "$" not in host and not host.startswith("-")
    first, second = address >> 24, address >> 16 & 255
    return (
        first in (0, 10, 127)
        or (first == 172 and 16 <= second < 32)
        or (first == 192 and second == 168)
        or (first == 169 and second == 254)
        or (first == 100 and 64 <= second < 128)
    )


def is_metadata(host: str) -> bool:
    """True for the address at which a cloud gives its machines their credentials, in any spelling of the number."""
    if host in METADATA:
        return True
    if ":" in host:
        tail = host.rpartition(":")[2]
        return (host.startswith(("::ffff:", "0:0:0:0:0:ffff:")) and (is_metadata(tail) or tail == "a9fe")) or (
            host.endswith("a9fe:a9fe")
        )
    if host.endswith((".nip.io", ".sslip.io", ".xip.io")):
        return any(name in host.replace("-", ".") for name in ("169.254.169.254", "100.100.100.200"))
    address = parse_address(host)
    return address is not None and format_address(address) in METADATA


def parse_address(host: str) -> int | None:
    """An IPv4 address as `inet_aton` reads it: decimal, octal and hexadecimal parts, one to four of them."""
    parts = host.split(".")
    if len(parts) > 4:
        return None
    value = 0
    for index, part in enumerate(parts):
        try:
            number = int(part, 16 if part[:2] in ("0x", "0X") else 8 if part[:1] == "0" and len(part) > 1 else 10)
        except ValueError:
            return None
        if "_" in part or number < 0:
            return None
        last = index == len(parts) - 1
        value = value << (8 * (5 - len(parts)) if last else 8) | number
        if number > (256 ** (5 - len(parts)) if last else 256) - 1:
            return None
    return value


def format_address(address: int) -> str:
    return ".".join(str(address >> shift & 255) for shift in (24, 16, 8, 0))
