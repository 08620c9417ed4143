"""Stops PowerShell and cmd one-liners that delete trees, format disks or stop the machine.

Why: it is the same damage in another shell.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "powershell"
EXAMPLES = {
    "pwsh -c 'Remove-Item -Recurse -Force /'": "deny",
    'powershell.exe -Command "Format-Volume -DriveLetter D"': "deny",
    "cmd.exe /c 'rd /s /q C:\\'": "deny",
    "rd /s /q C:\\": "deny",
    "pwsh -c '«Clear-Disk|Stop-Computer|Restart-Computer|Initialize-Disk|Remove-Partition» 1'": "deny",
    "pwsh -c 'Remove-Item -Recurse «C:\\|C:/|~|$HOME|$env:USERPROFILE|C:\\Windows|C:\\Users»'": "deny",
    "pwsh -c 'Remove-Item -Recurse $env:SystemRoot'": "deny",
    "pwsh -c 'Remove-Item -Recurse «/|\\»'": "deny",
    "cmd /c '«rmdir|rd|del|erase» /s C:\\'": "deny",
    "pwsh -c '«ri|rm» -«r|rec» C:\\'": "deny",
    "format C:": "deny",
    "«Format-Volume|Clear-Disk» 1": "deny",
    "«Remove-Item|del» C:\\\\ «-Recurse|-r|/s»": "deny",
    "pwsh -c 'Remove-Item -Recurse src'": "ask",
    "diskpart": "ask",
    "Remove-Item -Recurse old": "ask",
    "pwsh -c 'Get-ChildItem'": None,
    "pwsh -File build.ps1": None,
    "format --check src": None,
    "pwsh -c 'Remove-Item a.txt'": None,
    "pwsh -c 'Get-ChildItem -Recurse'": None,
    "del a.txt": None,
}

NEVER = ("format-volume", "clear-disk", "stop-computer", "restart-computer", "initialize-disk", "remove-partition")
DELETES = ("remove-item", "rmdir", "rd ", "del ", "erase ", "ri ", "rm ")
TOPS = ("c:\\", "c:/", "/", "~", "$home", "$env:userprofile", "\\", "c:\\windows", "c:\\users", "$env:systemroot")


BARE = frozenset(("format", "diskpart", "Remove-Item", "del", "rd", "Format-Volume", "Clear-Disk"))


def check_bare(call: Call) -> Finding | None:
    """The same commands without `cmd /c` or `pwsh -c`, as typed in that shell."""
    words = [word.lower() for word in call.args]
    drive = any(word[1:2] == ":" and not word[2:].strip("\\/*.") for word in words)
    if call.program in ("format", "Format-Volume", "Clear-Disk"):
        return (
            deny(f"`{format_call(call)}` destroys a disk's content", "df -h")
            if drive or call.program != "format"
            else None
        )
    if call.program == "diskpart":
        return ask(f"`{format_call(call)}` changes the partitions of a disk", "df -h")
    if not {"/s", "-recurse", "-r"}.intersection(words):
        return None
    if drive:
        return deny(f"`{format_call(call)}` would delete a whole drive", "df -h")
    return ask(f"`{format_call(call)}` deletes a whole folder", "ls -la")


def check(call: Call, scene: Scene) -> Finding | None:
    if call.program in BARE:
        return check_bare(call)
    text = " ".join(call.args).lower()
    if any(name in text for name in NEVER):
        return deny(f"`{format_call(call)}` destroys a disk's content or stops the machine", "pwsh -c 'Get-Volume'")
    words = text.replace(";", " ").replace("'", " ").replace('"', " ").split()
    recursive = any(word in ("-recurse", "-r", "/s", "-rec") for word in words)
    if not recursive or not any(name in text + " " for name in DELETES):
        return None
    if any(
        (word.rstrip("*\\/") in [top.rstrip("\\/") for top in TOPS] and word[:1] not in "-/") or word in ("/", "\\")
        for word in words
    ):
        return deny(
            f"`{format_call(call)}` would delete a drive, the system or a home folder", "pwsh -c 'Get-ChildItem'"
        )
    return ask(f"`{format_call(call)}` deletes a whole folder", "pwsh -c 'Get-ChildItem'")
