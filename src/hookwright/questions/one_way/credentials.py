"""Handling credentials: showing, changing, storing, revoking them.

Why: a secret that was shown once is known, and a revoked key stops whatever used it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "credentials"
EXAMPLES = {
    "Rotate the API keys?": "ask",
    "Which API key should I use?": "ask",
    "Commit the token?": "ask",
    "Which credentials?": "ask",
    "Reset the password?": "ask",
    "Sign with JWT tokens or sessions?": None,
    "Which primary key type?": None,
    "Which password hash: bcrypt or argon2?": None,
}
WORDS = ("credential", "credentials", "passphrase", "passphrases", "zugangsdaten")
PHRASES = (
    *("private key", "private keys", "ssh key", "ssh keys", "signing key", "signing keys", "gpg key", "env file"),
    *("master key", "encryption key", "seed phrase", "recovery codes", "service account key"),
)
ACTS = frozenset(
    (*("rotate", "rotates", "rotating", "rotation", "revoke", "revokes", "revoking", "reset", "regenerate", "expose"),
     *("share", "commit", "print", "paste", "leak", "invalidate", "renew", "replace", "change", "send", "upload"),
     *("reveal", "publish", "hardcode", "log", "copy", "expire"))
)  # fmt: skip
USES = frozenset(("use", "enter", "provide", "give", "store", "save", "add", "read", "create", "set", "write", "keep"))
SECRETS = frozenset(
    (*("token", "tokens", "secret", "secrets", "password", "passwords", "passwort", "apikey", "apikeys", "keys"),
     *("cert", "certificate", "certificates", "otp", "pin", "key"))
)  # fmt: skip
OWN_SECRETS = frozenset(("password", "passwords", "apikey", "secrets", "passwort", "pin", "otp"))
KEYS = ("api key", "api keys", "access key", "access keys", "secret key", "secret keys", "access token",
        "access tokens", "api token", "api tokens", "personal access token", "client secret")  # fmt: skip


def check(text: Text) -> str:
    found = text.word(WORDS) or text.phrase(PHRASES) or text.together(ACTS, SECRETS) or text.together(USES, OWN_SECRETS)
    if found:
        return found
    named = text.phrase(KEYS)
    return named if named and text.word((*ACTS, *USES)) else ""
