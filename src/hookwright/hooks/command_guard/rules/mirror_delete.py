"""Stops copies that delete at the target what the source does not have: rsync --delete, rclone sync.

Why: an empty or mistyped source empties the target. A dry run shows what would be deleted.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.path_kinds import DESCRIPTION, FREE, HOME, ROOT, SYSTEM, classify_word
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, quote_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
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
    "rclone «delete|move|cleanup|rmdirs|deletefile» remote:x": "ask",
    "rsync -a --delete «-e|--rsh|--exclude|--include|-f|--filter|--exclude-from|--files-from» x src/ backup/": "ask",
    "rsync -a --delete src/ ann@host:/": "ask",
    "rsync -an --delete src/ /srv/app/": None,
    "rsync -a src/ /srv/app/": None,
    "rsync -a --delete src/ /tmp/copy/": None,
    "rsync -a --delete src/ /tmp/copy/ «-e|--rsh|--exclude|--include|-f|--filter|--exclude-from|--files-from» x": None,
    "rclone ls remote:": None,
    "rclone sync --dry-run . remote:bucket": None,
    "rsync -a src/ backup/": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    if call.has_flag("-n", "--dry-run"):
        return None
    if call.program == "rclone":
        if call.verb not in ("sync", "purge", "delete", "move", "cleanup", "rmdirs", "deletefile"):
            return None
        return ask(f"`{format_call(call)}` deletes files at its target", f"{call.text} --dry-run")
    if not any(word.startswith(("--del", "--remove-source-files")) for word in call.args):
        return None
    operands = call.operands(
        "-e", "--rsh", "--exclude", "--include", "-f", "--filter", "--exclude-from", "--files-from"
    )
    kind = classify_word(call, operands[-1], scene) if operands and ":" not in operands[-1] else ""
    dry = " ".join(["rsync -n", *(quote_word(word) for word in call.args)])
    if kind in (ROOT, HOME, SYSTEM):
        return deny(f"`{format_call(call)}` would delete {DESCRIPTION[kind]} that the source does not have", dry)
    return None if kind in FREE else ask(f"`{format_call(call)}` deletes files that the source does not have", dry)
