"""Giving, taking or weakening access.

Why: a door left open is found by others first.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "access"
EXAMPLES = {
    "Grant the bot admin access?": "ask",
    "Disable branch protection?": "ask",
    "Revoke the grant?": "ask",
    "Skip TLS verification?": "ask",
    "Which auth method?": None,
    "Which access pattern is common?": None,
}
WORDS = ("revoke", "revokes", "revoked", "revoking", "revocation", "whitelist", "unblock", "ban", "sudo")
PHRASES = (
    *("chmod 777", "skip permissions", "dangerously skip", "bypass permissions", "bypass security", "public access"),
    *("make admin", "as admin", "admin rights", "admin access", "root access", "run as root", "transfer ownership"),
    *("no verify", "skip verification", "without authentication", "allow all", "open the port", "open the firewall"),
)
GIVES = frozenset(("grant", "grants", "granting", "give", "gives", "giving", "elevate", "escalate", "share"))
RIGHTS = frozenset(("access", "permission", "permissions", "admin", "role", "rights", "privileges", "root", "owner"))
WEAKENS = frozenset(("disable", "disables", "disabling", "bypass", "bypasses", "weaken", "skip", "ignore", "lift"))
SHIELDS = frozenset(
    (*("security", "authentication", "auth", "protection", "protections", "2fa", "mfa", "firewall", "encryption"),
     *("tls", "ssl", "sandbox", "audit", "backup", "backups", "safety", "verification", "permissions"))
)  # fmt: skip


def check(text: Text) -> str:
    found = text.word(WORDS) or text.phrase(PHRASES)
    return found or text.together(GIVES, RIGHTS) or text.together(WEAKENS, SHIELDS)
