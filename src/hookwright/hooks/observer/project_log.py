"""Append commands to a log file inside the project, one JSON line each, in the format of the Agent OS hooks.

observer → [append_command] → <project>/.agent-os/observed-bash.jsonl
Never writes outside of the project; secrets are masked; failures to write are ignored.
"""

from __future__ import annotations

import posix
import time

from hookwright.protocol.json import dumps
from hookwright.store.redact import mask
from hookwright.store.secret_values import find_payload_secrets, mask_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# O_NONBLOCK: the project is not ours, and a fifo in this place would wait for a reader.
_FLAGS = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK
LONGEST = 4096


def append_command(project: str, name: str, now: float, facts: Mapping[str, Any]) -> bool:
    """Append one line; False if the file is not inside the project or cannot be written."""
    if not project or name.startswith("/") or ".." in name.split("/"):
        return False
    line = {
        "ts": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now)),
        "event": "post" if "outcome" in facts else "pre",
        "cmd": mask(facts["command"][: LONGEST + 512])[0][:LONGEST],
    }
    for ours, theirs in (("intent", "intent"), ("exit_code", "exit"), ("outcome", "outcome"), ("duration_ms", "ms")):
        if ours in facts:
            line[theirs] = facts[ours]
    known = find_payload_secrets({"tool_input": facts["command"]}) if line.get("intent") else []
    if known:
        line["intent"] = mask_values(line["intent"], known)
    path = f"{project}/{name}"
    try:
        try:
            descriptor = posix.open(path, _FLAGS, 0o600)
        except FileNotFoundError:
            posix.mkdir(path[: path.rfind("/")], 0o700)
            descriptor = posix.open(path, _FLAGS, 0o600)
        data = (dumps(line) + "\n").encode("utf-8", "replace")
        try:
            return posix.write(descriptor, data) == len(data)
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return False
