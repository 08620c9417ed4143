"""Security scanners and breakers: whole sites, networks and word lists take minutes, a project's files half a minute.

The programs and their tables are in scanners.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs.scanners_table import ATTACKS, QUIET, SCANS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_codeql(call: Call) -> Row | None:
    slow = {"create", "analyze", "run", "upgrade", "init-bundle"}
    if not slow.isdisjoint(call.operands()[:2]):
        return "force", "check", "analyses a whole program"
    return None


def classify_nmap(call: Call) -> Row | None:
    """A network or all ports take long; one host and few ports are quick."""
    if call.has_flag("-sL"):
        return None
    if "-p-" in call.args or any("/" in word for word in call.operands("-p", "-oN", "-oX", "-oA", "-iL", "--script")):
        return None if call.has_flag("-sn") and not any("/" in word for word in call.operands()) else ATTACKS
    return None if call.has_flag("-sn", "-F") or call.option("-p") is not None else SCANS


def classify_attack(call: Call) -> Row | None:
    asks = ("--show", "--help", "--version", "-V", "--list", "--left", "-Version")
    return None if len(call.args) < 2 or call.has_flag(*asks) or call.verb in QUIET else ATTACKS
