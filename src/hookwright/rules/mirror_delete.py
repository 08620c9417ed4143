"""Stops copies that delete at the target what the source does not have: rsync --delete, rclone sync.

Why: an empty or mistyped source empties the target. The dry run shows what would go.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, deny, quoted, shown
from hookwright.rules.paths import FREE, HOME, ROOT, SYSTEM, WHAT, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "mirror-delete"
EXAMPLES = {
    "rsync -a --delete src/ /": "deny",
    "rsync -a --delete empty/ ~/": "deny",
    "rsync -a --delete src/ /srv/app/": "ask",
    "rsync -av --delete-after ./ ann@host:/srv/": "ask",
    "rsync -a --remove-source-files a/ b/": "ask",
    "rclone purge remote:bucket": "ask",
    "rclone sync . remote:bucket": "ask",
    "rsync -an --delete src/ /srv/app/": None,
    "rsync -a src/ /srv/app/": None,
    "rsync -a --delete src/ /tmp/copy/": None,
    "rclone ls remote:": None,
    "rclone sync --dry-run . remote:bucket": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    if call.has_flag("-n", "--dry-run", "--help"):
        return None
    if call.program == "rclone":
        if call.verb not in ("sync", "purge", "delete", "move", "cleanup", "rmdirs", "deletefile"):
            return None
        return ask(f"`{shown(call)}` deletes files at its target", f"{call.text} --dry-run")
    if not any(word.startswith(("--del", "--remove-source-files")) for word in call.args):
        return None
    operands = call.operands(
        "-e", "--rsh", "--exclude", "--include", "-f", "--filter", "--exclude-from", "--files-from"
    )
    what = kind(call, operands[-1], scene) if operands and ":" not in operands[-1] else ""
    dry = " ".join(["rsync -n", *(quoted(word) for word in call.args)])
    if what in (ROOT, HOME, SYSTEM):
        return deny(f"`{shown(call)}` would delete {WHAT[what]} that the source does not have", dry)
    return None if what in FREE else ask(f"`{shown(call)}` deletes files that the source does not have", dry)
