"""Which names denote a secret, and which values are only placeholders. Used by every finder of this package."""

from __future__ import annotations

# A name is split at _ - . : and classified by its last part; these parts describe a secret without being one.
_DESCRIBING = frozenset(
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
# Last parts that may denote a secret: the value decides.
_FAINT = frozenset(
    ("key", "auth", "authorization", "psk", "salt", "pepper", "dsn", "seed", "cookie", "session", "login")
)
_HARMLESS = frozenset(
    (
        *("public", "primary", "foreign", "sort", "cache", "partition", "row", "group", "order"),
        *("object", "index", "event", "i18n", "idempotency"),
    )
)
_NEVER = frozenset(("pwd", "oldpwd", "bypass", "compass", "secrets"))

_PLACEHOLDER_WORDS = frozenset(
    (
        *("true", "false", "null", "none", "nil", "yes", "no", "on", "off", "undefined", "string", "str", "int"),
        *("number", "bool", "boolean", "bytes", "any", "optional", "object", "text", "varchar", "required"),
        *("public", "replace_me", "inherit", "enabled", "disabled", "default", "unset", "missing", "redacted"),
    )
)
_PLACEHOLDER_PREFIXES = (
    *("self.", "this.", "config.", "settings.", "process.env", "os.environ", "os.getenv", "env.", "args."),
    *("file:", "env:", "fd:", "op://", "arn:", "keyring:"),  # where the secret is, not the secret
    *("secrets.", "xxx", ".", "your_", "your-", "replace_", "replace-", "insert_", "insert-", "placeholder", "dummy"),
)


def secret_strength(name: str) -> str:
    """`strong` for a password, `weak` for a token or key, `faint` for an ambiguous name, else "".

    A number or a path after a weak name is no secret; after a faint name the value must look random.
    """
    if name in ("--secret", "--key"):
        return "faint"  # often the name of a secret
    if name in ("--pw", "-pw", "--pwd"):
        return "strong"
    given = name
    variable = name.isupper()
    if not name.islower() and not variable:
        name = _split_camel_case(name)
    name = name.lower().replace("-", "_").replace(".", "_").replace(":", "_").strip("_")
    parts = name.split("_")
    last = parts[-1]
    if name.endswith("root_token_id"):
        return "strong"
    if name in _NEVER or last in _DESCRIBING:
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
    if last in _FAINT and len(parts) > 1 and _HARMLESS.isdisjoint(parts):
        return "faint"
    return ""


def _split_camel_case(name: str) -> str:
    """JwtKey → jwt_Key."""
    parts = [f"_{c}" if at and c.isupper() and name[at - 1].islower() else c for at, c in enumerate(name)]
    return "".join(parts)


def is_placeholder(value: str, strength: str) -> bool:
    """Whether this value is a variable, a placeholder, a type or an expression instead of a secret."""
    if not value or (value[0] in "$<{%*[(\\" and not (value[:2] in ('{"', "{'") or value.count("$") >= 3)):
        return True
    low = value.lower()
    if low in _PLACEHOLDER_WORDS or low.startswith(_PLACEHOLDER_PREFIXES):
        return True
    if strength == "strong":
        return False
    if strength == "faint" and not looks_random(value):
        return True
    if value.isalpha() and len(value) < 7:
        return True  # API_KEY=test
    return value.startswith(("/", "./", "../", "~/")) or (len(value) < 7 and value.isdecimal())


def looks_random(value: str) -> bool:
    """At least twelve letters and digits, mixed as in a generated key."""
    value = value.removeprefix("base64:")
    if len(value) < 12 or not all(c.isalnum() or c in "_-+/=.~" for c in value):
        return False
    if "/" in value and "." in value[-6:]:
        return False  # a file name
    digits = sum(c.isdigit() for c in value)
    if not 2 <= digits < len(value):
        return False
    runs = sum(value[at].isdigit() != value[at - 1].isdigit() for at in range(1, len(value)))
    return runs >= 3 or (any(c.isupper() for c in value) and any(c.islower() for c in value))


def find_first_of(text: str, start: int, stops: str, stop: int | None = None) -> int:
    """The index of the first of the characters `stops` from `start` on, else the end."""
    stop = len(text) if stop is None else stop
    for at in range(start, stop):
        if text[at] in stops:
            return at
    return stop
