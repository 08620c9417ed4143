"""Which secret a call reads: a key file, the environment, a keychain.

rules/credentials_sent, write_targets → [secret_read_by] → a name for the secret, or ""
"""

from __future__ import annotations

from hookwright.hooks.command_guard.protected_paths import SECRET, find_protection
from hookwright.shell.command import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call

FOLDERS = ("/.ssh", "/.aws", "/.gnupg", "/.kube", "/.azure", "/.config/gcloud", "/.password-store")
# Not secret to read, but private.
PRIVATE = ("/etc/passwd", "_history", "/Cookies", "/Login Data")
PRINTERS = frozenset(("history", "env", "printenv", "set", "security", "pass", "export", "declare"))
ENVIRONMENT = "the environment with its tokens"
LOCAL = ("localhost", "127.0.0.1", "0.0.0.0", "[::1]", "::1", "host.docker.internal")  # noqa: S104


def secret_read_by(source: Call) -> str:
    """A name for the secret that the call prints; "" if it prints none."""
    if source.program in PRINTERS and len(source.operands()) == 0:
        return ENVIRONMENT
    if source.program == "security" and source.has_flag("-w", "-g"):
        return "a password from the keychain"
    if source.program in ("gpg", "gpg2") and any(word.startswith("--export-secret") for word in source.args):
        return "a private key"
    if source.program in ("kubectl", "oc") and not {"secret", "secrets"}.isdisjoint(source.operands()):
        return "the cluster's secrets"
    if source.is_("gh", "auth", "token"):
        return "a token"
    if source.program in ("echo", "printf"):
        names = [word.strip("${}") for word in source.args if word[:1] == "$"]
        return next((f"${name}" for name in names if name.endswith(("_KEY", "TOKEN", "SECRET", "PASSWORD"))), "")
    for word in source.operands():
        if is_secret(source, word):
            return str(word)
    return ""


def is_secret(call: Call, word: str) -> bool:
    text = Word(word)
    text.home = text[:1] == "~"
    text.literal = getattr(word, "literal", True)
    path = call.path(text)
    if path is None:
        return False
    return find_protection(path) == SECRET or path.rstrip("/").endswith((*FOLDERS, *PRIVATE))
