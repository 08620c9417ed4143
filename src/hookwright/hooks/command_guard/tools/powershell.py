"""Judges the PowerShell tool: verbs and aliases of cmdlets, programs through the rules for Bash.

text → powershell_reader → each statement: secrets, protected files, deletions, downloads that run, state of the system
PowerShell names its verbs, so an unknown cmdlet is judged by its verb: what removes, disables or resets is asked about.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.own_network import host_of, is_metadata, is_own_network
from hookwright.hooks.command_guard.path_kinds import BUILT
from hookwright.hooks.command_guard.rule_api import Finding, quote_word
from hookwright.hooks.command_guard.secret_paths import is_secret_folder, is_secret_path
from hookwright.hooks.command_guard.tools.powershell_reader import Statement, Unreadable, read_statements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.command_guard.guard_settings import ToolSettings

ID = "powershell"
MAX_DEPTH = 4
NEVER = frozenset(
    (
        "format-volume clear-disk initialize-disk remove-partition stop-computer restart-computer remove-virtualdisk "
        "remove-storagepool reset-physicaldisk remove-computer clear-tpm"
    ).split()
)
# Verbs that take something away, whatever the noun; and nouns for which they do not.
VERBS = frozenset("remove disable uninstall unregister reset revoke clear deny dismount suspend lock unpublish".split())
HARMLESS = frozenset(
    (
        "remove-variable remove-module remove-job remove-event remove-typedata remove-pssession remove-alias "
        "remove-psbreakpoint remove-psdrive clear-host clear-variable clear-history clear-content reset-progress "
        "remove-item remove-itemproperty disable-psbreakpoint clear-item remove-cimsession unregister-event"
    ).split()
)
ASKED = {
    **dict.fromkeys(("stop-service", "set-service", "restart-service", "suspend-service", "new-service"),
                    "changes a service of the system"),
    **dict.fromkeys(("set-netfirewallprofile", "new-netfirewallrule", "set-netfirewallrule", "enable-netfirewallrule"),
                    "changes the firewall"),
    **dict.fromkeys(("set-executionpolicy",), "changes which scripts may run"),
    **dict.fromkeys(("set-mppreference", "add-mppreference"), "changes the virus scanner"),
    **dict.fromkeys(("new-localuser", "set-localuser", "add-localgroupmember", "enable-localuser", "rename-computer"),
                    "changes accounts or the name of this machine"),
    **dict.fromkeys(("register-scheduledtask", "set-scheduledtask", "new-scheduledtask", "start-scheduledtask"),
                    "changes what the system runs by itself"),
    **dict.fromkeys(("enable-windowsoptionalfeature", "add-windowscapability", "set-windowsfeature"),
                    "changes the system's features"),
    **dict.fromkeys(("set-acl", "takeown", "icacls"), "changes who may use files"),
    **dict.fromkeys(("set-dnsclientserveraddress", "set-netipaddress", "new-netroute", "set-netadapter",
                     "enter-pssession"),
                    "changes the network, or works on another machine"),
    **dict.fromkeys(("send-mailmessage",), "sends a mail"),
    **dict.fromkeys(("clear-content",), "empties a file"),
    **dict.fromkeys(("publish-module", "publish-script", "publish-psresource"), "publishes to everybody"),
}  # fmt: skip
# Programs of Windows: the words that make them dangerous, the verdict, why.
PROGRAMS = (
    ("vssadmin", ("delete",), "deny", "deletes the copies from which files are restored"),
    ("wbadmin", ("delete",), "deny", "deletes backups"),
    ("bcdedit", ("/set", "/delete", "/deletevalue"), "deny", "changes how the machine starts"),
    ("diskpart", (), "ask", "changes the partitions of a disk"),
    ("format", (), "deny", "destroys a disk's content"),
    ("cipher", ("/w",), "ask", "overwrites what was deleted"),
    ("auditpol", ("/set", "/clear", "/remove"), "ask", "changes what the system records"),
    ("wevtutil", ("cl", "clear-log"), "ask", "empties a log of the system"),
    ("reg", ("delete", "add", "import", "restore"), "ask", "changes the registry"),
    ("sc", ("delete", "stop", "config", "create"), "ask", "changes a service of the system"),
    ("net", ("user", "localgroup", "stop", "share"), "ask", "changes accounts, services or shares"),
    ("netsh", ("set", "add", "delete", "reset"), "ask", "changes the network or the firewall"),
    ("schtasks", ("/create", "/delete", "/change", "/run"), "ask", "changes what the system runs by itself"),
    ("shutdown", (), "deny", "stops the machine"),
    ("takeown", (), "ask", "takes the ownership of files"),
    ("wmic", ("delete", "call"), "ask", "changes the system"),
    ("dism", ("/disable-feature", "/remove-package", "/enable-feature"), "ask", "changes the system's features"),
)
DOWNLOADS = ("invoke-webrequest", "invoke-restmethod", "downloadstring", "downloadfile", "downloaddata",
             "start-bitstransfer",
             "irm ", "iwr ", "curl ", "wget ", "net.webclient")  # fmt: skip
READERS_OF_NAMES = frozenset(
    "test-path get-item get-childitem resolve-path split-path join-path remove-item get-acl get-location set-location "
    "push-location new-item get-itemproperty cd git where-object foreach-object sort-object measure-object".split()
)
WRITERS = frozenset("set-content add-content out-file tee-object new-item export-csv export-clixml".split())
PATHS = ("-path", "-literalpath", "-filepath", "-destination")
REGISTRY = ("hklm:", "hkcu:", "hkcr:", "hku:", "hkey_", "registry::")
TOPS = ("windows", "users", "program files", "program files (x86)", "programdata", "")
HOMES = ("~", "$home", "$env:userprofile", "$env:homepath", "$env:systemroot", "$env:windir", "$env:systemdrive",
         "$env:programfiles", "$env:appdata", "$env:localappdata")  # fmt: skip
TEMPS = ("$env:temp", "$env:tmp", "[system.io.path]::gettemppath")
TOKENS = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "PRIVATE_KEY", "ACCESS_KEY")


def check(settings: ToolSettings, tool: str, given: Mapping[str, Any], cwd: str, mode: str) -> list[Finding]:
    text = given.get("command")
    return evaluate_powershell(settings, text, cwd) if isinstance(text, str) and text.strip() else []


def evaluate_powershell(settings: ToolSettings, text: str, cwd: str, depth: int = 0) -> list[Finding]:
    """The findings on a PowerShell text."""
    if depth > MAX_DEPTH:
        return [build_finding("ask", f"`{shorten(text)}` is nested too deeply to be judged", "unreadable")]
    try:
        statements = read_statements(text)
    except Unreadable as problem:
        return [build_finding("ask", f"`{shorten(text)}` could not be judged: {problem}", "unreadable")]
    findings: list[Finding] = []
    low = text.lower()
    for statement in statements:
        if statement.has("-whatif"):
            continue
        findings += check_statement(settings, statement, low, cwd, depth)
    return findings


def check_statement(settings: ToolSettings, statement: Statement, low: str, cwd: str, depth: int) -> list[Finding]:
    name = statement.name
    findings = check_writes(settings, statement, cwd)
    if name in ("invoke-expression", "pwsh", "powershell", "cmd", "wsl") or "scriptblock]::create" in name:
        return findings + check_inner(settings, statement, low, cwd, depth)
    findings += check_secrets(settings, statement)
    if name == "remove-item":
        return findings + check_delete(settings, statement, cwd)
    if "-" not in name and name not in ("takeown", "icacls"):
        return findings + check_program(settings, statement, cwd)
    return findings + check_cmdlet(statement)


def check_inner(settings: ToolSettings, statement: Statement, low: str, cwd: str, depth: int) -> list[Finding]:
    """Code that a statement runs: a text, a download, something that is only known at run time."""
    shown = shorten(" ".join(statement.words))
    if statement.has("-encodedcommand", "-ec"):
        return [build_finding("ask", f"`{shown}` runs encoded code, which could not be judged", "network-code")]
    if statement.name in ("cmd", "wsl"):
        rest = " ".join(statement.words[1:])
        inner = rest.partition(" ")[2] if rest[:2].lower() in ("/c", "/k") else rest
        return judge(settings, f"cmd /c {quote_word(inner)}" if statement.name == "cmd" else inner, cwd)
    if any(name in low for name in DOWNLOADS):
        why = f"`{shown}` runs what was downloaded, unseen"
        return [build_finding("ask", why, "network-code", "Invoke-WebRequest URL -OutFile fetched.ps1")]
    if statement.name in ("pwsh", "powershell"):
        code = statement.parameter("-command")
        operands = statement.operands()
        code = code if code is not None else operands[0] if operands and statement.literal[-1] else None
        return evaluate_powershell(settings, code, cwd, depth + 1) if code else []
    code = next((word for word, quoted in zip(statement.words[1:], statement.literal[1:], strict=True) if quoted), None)
    if code is None or "$" in code:
        return [build_finding("ask", f"`{shown}` runs code that is only known at run time", "dynamic-program")]
    return evaluate_powershell(settings, code, cwd, depth + 1)


def check_writes(settings: ToolSettings, statement: Statement, cwd: str) -> list[Finding]:
    """Files that are written, through the options for file tools."""
    from hookwright.hooks.command_guard.file_access import evaluate_file_access

    targets = list(statement.targets)
    name = statement.name
    if name in WRITERS:
        named = statement.parameter(*PATHS)
        targets += [named] if named else statement.operands()[:1]
    elif name in ("copy-item", "move-item"):
        targets += [statement.parameter("-destination") or (statement.operands() or [""])[-1]]
    elif name in ("invoke-webrequest", "invoke-restmethod"):
        targets += [statement.parameter("-outfile") or ""]
    findings: list[Finding] = []
    for target in targets:
        path = unify_path(settings, target)
        if not path or "$" in path or path[1:2] == ":" or is_null(path):
            continue
        findings += evaluate_file_access(settings, path, cwd, "PowerShell", writes=True)
    return findings


def check_secrets(settings: ToolSettings, statement: Statement) -> list[Finding]:
    name = statement.name
    shown = shorten(" ".join(statement.words))
    words = statement.words[1:]
    if name in ("get-childitem", "get-item", "get-content") and any(
        w.lower().rstrip(":/\\*") == "env" and ":" in w for w in words
    ):
        return [build_finding("ask", f"`{shown}` prints the environment with its secrets", "secret-read")]
    shows = "-" in name or name[:5] == "$env:"
    for word in statement.words if shows else ():
        variable = word.partition("$env:")[2] or word.partition("$ENV:")[2] or word.partition("$Env:")[2]
        if (
            variable
            and any(token in variable.upper() for token in TOKENS)
            and name in ("write-output", "write-host", word.lower())
        ):
            return [build_finding("ask", f"`{shown}` prints a secret from the environment", "secret-read")]
    if name in READERS_OF_NAMES and name != "git":
        return []
    for word in words if "-" in name else ():
        path = word.replace("\\", "/")
        for part in path.split(","):
            if is_secret_path(part) or (is_secret_folder(part) and name in ("copy-item", "compress-archive")):
                if name in WRITERS:
                    continue  # the file tools' option
                level = settings.secrets
                return (
                    []
                    if level == "off"
                    else [build_finding(level, f"`{shown}` reads {part}, which holds secrets", "secret-read")]
                )
    return []


def check_delete(settings: ToolSettings, statement: Statement, cwd: str) -> list[Finding]:
    shown = shorten(" ".join(statement.words))
    recursive = statement.has("-recurse") or "/s" in [word.lower() for word in statement.words]
    targets = [word for word in statement.operands() if word.lower() not in ("/s", "/q", "/f")]
    if not targets:
        if statement.piped_from is not None:
            return [
                build_finding("ask", f"`{shown}` deletes whatever the pipe gives it", "find-delete", "Get-ChildItem")
            ]
        return []
    findings: list[Finding] = []
    for target in targets:
        low = target.lower().replace("/", "\\").rstrip("\\*")
        if low.startswith(REGISTRY):
            findings.append(build_finding("ask", f"`{shown}` deletes keys of the registry", ID, "Get-Item"))
        elif low.startswith(TEMPS):
            continue
        elif low in HOMES or (low[1:2] == ":" and is_top(low)) or low in ("", "\\"):
            if recursive or target.endswith("*"):
                findings.append(
                    build_finding(
                        "deny", f"`{shown}` would delete a drive, the system or a home folder", ID, "Get-ChildItem"
                    )
                )
        elif low[1:2] == ":" or low.startswith(("\\\\", "$")):
            if recursive and low.rpartition("\\")[2] not in BUILT:
                findings.append(build_finding("ask", f"`{shown}` deletes a whole folder", ID, "Get-ChildItem"))
        else:
            path = unify_path(settings, target)
            findings += [
                rename(finding, shown)
                for finding in judge(settings, f"rm {'-rf' if recursive else '-f'} {quote_path(path)}", cwd)
            ]
    return findings


def check_program(settings: ToolSettings, statement: Statement, cwd: str) -> list[Finding]:
    """A program and not a cmdlet: those of Windows by the table, others through the rules for Bash."""
    name = statement.name
    shown = shorten(" ".join(statement.words))
    words = [word.lower() for word in statement.words[1:]]
    for program, signs, verdict, why in PROGRAMS:
        if name == program:
            if program == "sc" and statement.words[0].lower() == "sc":
                break  # the alias of Set-Content
            if program == "format" and not any(word[1:2] == ":" for word in words):
                break
            if program == "net" and len(words) < 3 and "stop" not in words:
                break
            if not signs or any(sign in words for sign in signs):
                return [build_finding(verdict, f"`{shown}` {why}", ID)]
            return []
    if name[:1] in ("$", "[") or not name:
        return check_methods(statement)
    return judge(settings, " ".join(quote_path(word) for word in statement.words), cwd)


def check_methods(statement: Statement) -> list[Finding]:
    """Calls of .NET that delete: `[IO.Directory]::Delete('x', $true)`."""
    text = " ".join(statement.words)
    low = text.lower()
    if ("io.directory]::delete" in low or "io.file]::delete" in low) and "whatif" not in low:
        return [build_finding("ask", f"`{shorten(text)}` deletes files", ID, "Get-ChildItem")]
    if "win32_" in low and ".delete(" in low:
        return [build_finding("ask", f"`{shorten(text)}` deletes an object of the system", ID, "Get-CimInstance")]
    return []


def check_cmdlet(statement: Statement) -> list[Finding]:
    name = statement.name
    shown = shorten(" ".join(statement.words))
    if name in NEVER:
        return [build_finding("deny", f"`{shown}` destroys a disk's content or stops the machine", ID, "Get-Volume")]
    if name in (
        "set-itemproperty",
        "remove-itemproperty",
        "new-itemproperty",
        "rename-itemproperty",
        "clear-itemproperty",
    ):
        if any(word.lower().lstrip("'\"").startswith(REGISTRY) for word in statement.words[1:]):
            return [build_finding("ask", f"`{shown}` changes the registry", ID, "Get-ItemProperty")]
        return []
    if name in ("new-item", "clear-item", "copy-item") and any(
        w.lower().startswith(REGISTRY) for w in statement.words[1:]
    ):
        return [build_finding("ask", f"`{shown}` changes the registry", ID, "Get-Item")]
    if name == "set-executionpolicy" and (statement.parameter("-scope") or "").lower() == "process":
        return []
    if name in ("invoke-webrequest", "invoke-restmethod"):
        return check_request(statement, shown)
    if name == "start-process" and (statement.parameter("-verb") or "").lower() == "runas":
        return [build_finding("ask", f"`{shown}` runs with the rights of an administrator", "root-shell")]
    if name == "stop-process" and any("*" in word for word in statement.words):
        return [build_finding("ask", f"`{shown}` ends every process that matches", "kill-broad", "Get-Process")]
    if name == "invoke-command" and statement.parameter("-computername", "-hostname") is not None:
        return [build_finding("ask", f"`{shown}` runs on another machine", ID)]
    if name in ASKED:
        return [build_finding("ask", f"`{shown}` {ASKED[name]}", ID)]
    verb = name.partition("-")[0]
    if verb in VERBS and name not in HARMLESS:
        return [build_finding("ask", f"`{shown}` takes something away ({verb})", ID)]
    return []


def check_request(statement: Statement, shown: str) -> list[Finding]:
    url = statement.parameter("-uri") or next((word for word in statement.operands() if "://" in word), "")
    host = host_of(url)
    if url and is_metadata(host):
        return [build_finding("deny", f"`{shown}` would print this machine's cloud credentials", "metadata-address")]
    method = (statement.parameter("-method", "-custommethod") or "").upper()
    sends = method in ("POST", "PUT", "PATCH", "DELETE") or statement.has("-infile")
    if not sends or (host and is_own_network(host)):
        return []
    for name in ("-infile", "-body"):
        file = (statement.parameter(name) or "").replace("\\", "/")
        if file and is_secret_path(file):
            return [build_finding("deny", f"`{shown}` would send {file} to another machine", "credentials-sent")]
    return [
        build_finding("ask", f"`{shown}` sends {method or 'a file'} to {host or 'another machine'}", "remote-write")
    ]


def judge(settings: ToolSettings, command: str, cwd: str) -> list[Finding]:
    from hookwright.hooks.command_guard.policy import evaluate_command

    return evaluate_command(settings, command, cwd)


def rename(finding: Finding, shown: str) -> Finding:
    """The finding on a deletion, in the words that were typed."""
    _, mark, rest = finding.reason.partition("` ")
    return build_finding(finding.verdict, f"`{shown}` {rest}" if mark else finding.reason, finding.rule)


def build_finding(verdict: str, reason: str, rule: str, instead: str = "") -> Finding:
    found = Finding(verdict, reason, instead)
    found.rule = rule
    return found


def unify_path(settings: ToolSettings, path: str) -> str:
    """With slashes, and the home directory in place of its variables."""
    path = path.replace("\\", "/")
    low = path.lower()
    for name in ("$home", "$env:userprofile", "$env:home"):
        if low.startswith(name) and settings.world.home:
            return settings.world.home + path[len(name) :]
    return path


def is_top(low: str) -> bool:
    """A drive, or one of the folders that a machine does not do without."""
    parts = low[2:].strip("\\").split("\\")
    return (
        (len(parts) == 1 and parts[0] in TOPS)
        or (parts[0] == "users" and len(parts) == 2)
        or (parts[0] == "windows" and len(parts) <= 2)
    )


def is_null(path: str) -> bool:
    return path.lower() in ("nul", "$null", "/dev/null")


def quote_path(word: str) -> str:
    """A word for the shell reader: wildcards and `~` keep their meaning."""
    return word if word and all(c.isalnum() or c in "_-./:=,@%+~*?" for c in word) else quote_word(word)


def shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 100 else text[:97] + "…"
