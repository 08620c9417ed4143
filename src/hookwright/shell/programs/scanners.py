"""Security scanners and breakers: whole sites, networks and word lists take minutes, a project's files half a minute.

force    sqlmap -u "http://localhost/?id=1" --batch
force    nmap -p- 10.0.0.0/24
none     nmap -p 22,80 localhost
suggest  govulncheck ./...
suggest  trivy image app:latest
none     trivy --version
force    hashcat -m 0 hashes.txt words.txt
none     hashcat --show hashes.txt
suggest  gitleaks detect
"""

from __future__ import annotations

from hookwright.shell.programs import each

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

SCANS: Row = ("suggest", "check", "scans for weaknesses")
ATTACKS: Row = ("force", "job", "tries many things, one after the other")

# Verbs that tell, fetch a list or sign in; every other word of these tools starts a scan.
QUIET = frozenset(
    "version help list ls config login logout completion plugin cache auth view status init clean show".split()
)


def scanner(call: Call) -> Row | None:
    """With a verb that scans, or with the thing to scan as its first word."""
    verb = call.verb
    if verb in QUIET and not (call.program == "trivy" and verb == "config"):
        return None
    return SCANS if call.args else None


def bare(call: Call) -> Row | None:
    """Scans the folder that it is called in."""
    return None if call.verb in QUIET else SCANS


def codeql(call: Call) -> Row | None:
    slow = {"create", "analyze", "run", "upgrade", "init-bundle"}
    if not slow.isdisjoint(call.operands()[:2]):
        return "force", "check", "analyses a whole program"
    return None


def nmap(call: Call) -> Row | None:
    """A network or all ports take long; one host and few ports are quick."""
    if call.has_flag("-sL"):
        return None
    if "-p-" in call.args or any("/" in word for word in call.operands("-p", "-oN", "-oX", "-oA", "-iL", "--script")):
        return None if call.has_flag("-sn") and not any("/" in word for word in call.operands()) else ATTACKS
    return None if call.has_flag("-sn", "-F") or call.option("-p") is not None else SCANS


def attack(call: Call) -> Row | None:
    asks = ("--show", "--help", "--version", "-V", "--list", "--left", "-Version")
    return None if len(call.args) < 2 or call.has_flag(*asks) or call.verb in QUIET else ATTACKS


PROGRAMS: dict[str, Handler] = {
    **each("trivy grype syft snyk osv-scanner gitleaks trufflehog checkov kubescape terrascan kics", scanner),
    **each(
        "scan-build sonar-scanner semgrep megalinter super-linter dependency-check govulncheck pip-audit tfsec "
        "ansible-lint detect-secrets kube-bench polaris",
        bare,
    ),
    "codeql": codeql,
    "nmap": nmap,
    **each(
        "nikto nuclei sqlmap gobuster ffuf feroxbuster dirb wfuzz wpscan masscan hydra amass zap-baseline.py lynis "
        "hashcat john rkhunter chkrootkit aircrack-ng",
        attack,
    ),
}
