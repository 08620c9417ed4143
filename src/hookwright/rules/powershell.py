"""Stops PowerShell and cmd one-liners that delete trees, format disks or stop the machine.

Why: the same damage in another language; these names mean the same everywhere.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, deny, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "powershell"
EXAMPLES = {
    "pwsh -c 'Remove-Item -Recurse -Force /'": "deny",
    'powershell.exe -Command "Format-Volume -DriveLetter D"': "deny",
    "cmd.exe /c 'rd /s /q C:\\'": "deny",
    "rd /s /q C:\\": "deny",
    "pwsh -c 'Remove-Item -Recurse src'": "ask",
    "pwsh -c 'Get-ChildItem'": None,
    "pwsh -File build.ps1": None,
}

NEVER = ("format-volume", "clear-disk", "stop-computer", "restart-computer", "initialize-disk", "remove-partition")
DELETES = ("remove-item", "rmdir", "rd ", "del ", "erase ", "ri ", "rm ")
TOPS = ("c:\\", "c:/", "/", "~", "$home", "$env:userprofile", "\\", "c:\\windows", "c:\\users", "$env:systemroot")


BARE = frozenset(("format", "diskpart", "Remove-Item", "del", "rd", "Format-Volume", "Clear-Disk"))


def bare(call: Call) -> Finding | None:
    """The same without `cmd /c` in front, as one writes it where that is the shell."""
    words = [word.lower() for word in call.args]
    drive = any(word[1:2] == ":" and not word[2:].strip("\\/*.") for word in words)
    if call.program in ("format", "Format-Volume", "Clear-Disk"):
        return (
            deny(f"`{shown(call)}` destroys a disk's content", "df -h") if drive or call.program != "format" else None
        )
    if call.program == "diskpart":
        return ask(f"`{shown(call)}` changes the partitions of a disk", "df -h")
    if not {"/s", "-recurse", "-r"}.intersection(words):
        return None
    if drive:
        return deny(f"`{shown(call)}` would delete a whole drive", "df -h")
    return ask(f"`{shown(call)}` deletes a whole folder", "ls -la")


def check(call: Call, scene: Scene) -> Finding | None:
    if call.program in BARE:
        return bare(call)
    text = " ".join(call.args).lower()
    if any(name in text for name in NEVER):
        return deny(f"`{shown(call)}` destroys a disk's content or stops the machine", "pwsh -c 'Get-Volume'")
    words = text.replace(";", " ").replace("'", " ").replace('"', " ").split()
    recursive = any(word in ("-recurse", "-r", "/s", "-rec") for word in words)
    if not recursive or not any(name in text + " " for name in DELETES):
        return None
    if any(
        (word.rstrip("*\\/") in [top.rstrip("\\/") for top in TOPS] and word[:1] not in "-/") or word in ("/", "\\")
        for word in words
    ):
        return deny(f"`{shown(call)}` would delete a drive, the system or a home folder", "pwsh -c 'Get-ChildItem'")
    return ask(f"`{shown(call)}` deletes a whole folder", "pwsh -c 'Get-ChildItem'")
