"""Which names speak of a secret, and which values only stand for one.

The middle of every finder here: a name, a value, a yes or no.
"""

from __future__ import annotations

# A name is cut at _ - . : and judged by its end; these ends speak about a secret without being one.
_ABOUT = frozenset(
    (
        *("file", "files", "path", "dir", "name", "names", "id", "ids", "url", "uri", "type", "length", "len"),
        *("count", "ttl", "expiry", "expires", "expiration", "lifetime", "policy", "stdin", "env", "prompt", "max"),
        *("min", "limit", "budget", "mode", "version", "arn", "ref", "field", "header", "size", "algorithm"),
        *("strategy", "provider", "index", "usage", "bits", "rotation", "hash", "helper", "store", "manager"),
        *("enabled", "required", "reset", "only", "hint", "label", "class", "regex", "pattern"),
    )
)
_STRONG = (
    "mnemonic",
    "seedphrase",
    "rediscliauth",
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "storepass",
    "keypass",
    "secret",
)
_WEAK = (
    *("token", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "signingkey", "encryptionkey"),
    *("masterkey", "accountkey", "servicekey", "sharedkey", "credential", "credentials"),
)
# Ends that may speak of a secret: then the value decides.
_FAINT = frozenset(("key", "auth", "psk", "salt", "pepper", "dsn", "seed", "cookie", "session", "login"))
_PLAIN = frozenset(
    (
        *("public", "primary", "foreign", "sort", "cache", "partition", "row", "group", "order"),
        *("object", "index", "event", "i18n", "idempotency"),
    )
)
_NEVER = frozenset(("pwd", "oldpwd", "bypass", "compass", "secrets"))

_WORDS = frozenset(
    (
        *("true", "false", "null", "none", "nil", "yes", "no", "on", "off", "undefined", "string", "str", "int"),
        *("number", "bool", "boolean", "bytes", "any", "optional", "object", "text", "varchar", "required"),
        *("public", "replace_me", "inherit", "enabled", "disabled", "default", "unset", "missing", "redacted"),
    )
)
_PATHS = (
    *("self.", "this.", "config.", "settings.", "process.env", "os.environ", "os.getenv", "env.", "args."),
    *("secrets.", "xxx", ".", "your_", "your-", "replace_", "replace-", "insert_", "insert-", "placeholder", "dummy"),
)


def names_secret(name: str) -> str:
    """`strong` for a password, `weak` for a token or key, `faint` for what may mean another thing, else nothing.

    The value of a weak name may be a number or a path, that of a faint one must look random to be a secret.
    """
    if name in ("--secret", "--key"):
        return "faint"  # often the name of one
    if name in ("--pw", "-pw", "--pwd"):
        return "strong"
    given = name
    variable = name.isupper()
    name = name.lower().replace("-", "_").replace(".", "_").replace(":", "_").strip("_")
    parts = name.split("_")
    last = parts[-1]
    if name.endswith("root_token_id"):
        return "strong"
    if name in _NEVER or last in _ABOUT:
        return ""
    flat = name.replace("_", "")
    if (
        flat.endswith(_STRONG)
        or (given[:2] == "--" and last.endswith("pass"))
        or last == "pass"
        or (variable and last.endswith("pass"))
    ):
        return "" if flat.endswith("existingsecret") else "strong"
    if last in ("pwd", "pw") and len(parts) > 1:
        return "strong"
    if parts[:2] == ["tf", "token"]:
        return "weak"  # TF_TOKEN_app_terraform_io
    if flat.endswith(_WEAK):
        return "weak"
    if "password" in flat or ("secret" in parts and "key" in parts):
        return "strong"
    if last in _FAINT and len(parts) > 1 and _PLAIN.isdisjoint(parts):
        return "faint"
    return ""


def stands_in(value: str, strength: str) -> bool:
    """Is this no secret but a variable, a placeholder, a type, an expression?"""
    if not value or (value[0] in "$<{%*[(\\" and not (value[:2] in ('{"', "{'") or value.count("$") >= 3)):
        return True
    low = value.lower()
    if low in _WORDS or low.startswith(_PATHS):
        return True
    if strength == "strong":
        return False
    if strength == "faint" and not looks_random(value):
        return True
    if value.isalpha() and len(value) < 7:
        return True  # API_KEY=test
    return value.startswith(("/", "./", "../", "~/")) or (len(value) < 7 and value.isdecimal())


def looks_random(value: str) -> bool:
    """Twelve characters or more of letters and digits in a mix that people do not write."""
    value = value.removeprefix("base64:")
    if len(value) < 12 or not all(c.isalnum() or c in "_-+/=.~" for c in value):
        return False
    if "/" in value and "." in value[-6:]:
        return False  # a file
    digits = sum(c.isdigit() for c in value)
    if not 2 <= digits < len(value):
        return False
    runs = sum(value[at].isdigit() != value[at - 1].isdigit() for at in range(1, len(value)))
    return runs >= 3 or (any(c.isupper() for c in value) and any(c.islower() for c in value))


def until(text: str, start: int, stops: str, stop: int | None = None) -> int:
    """The first place from `start` that holds one of `stops`, else the end."""
    stop = len(text) if stop is None else stop
    for at in range(start, stop):
        if text[at] in stops:
            return at
    return stop
