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
_STRONG = ("password", "passwd", "passphrase", "passcode", "storepass", "keypass", "secret")
_WEAK = (
    *("token", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "signingkey", "encryptionkey"),
    *("masterkey", "accountkey", "servicekey", "sharedkey", "credential", "credentials"),
)
_NEVER = frozenset(("pwd", "oldpwd", "bypass", "compass", "secrets"))

_WORDS = frozenset(
    (
        *("true", "false", "null", "none", "nil", "yes", "no", "on", "off", "undefined", "string", "str", "int"),
        *("number", "bool", "boolean", "bytes", "any", "optional", "object", "text", "varchar", "required"),
        *("inherit", "enabled", "disabled", "default", "unset", "missing", "redacted"),
    )
)
_PATHS = (
    *("self.", "this.", "config.", "settings.", "process.env", "os.environ", "os.getenv", "env.", "args."),
    *("secrets.", "xxx"),
)


def names_secret(name: str) -> str:
    """`strong` for a password, `weak` for a token or key (whose value may be a number or a path), else nothing."""
    variable = name.isupper()
    name = name.lower().replace("-", "_").replace(".", "_").replace(":", "_").strip("_")
    parts = name.split("_")
    last = parts[-1]
    if name in _NEVER or last in _ABOUT:
        return ""
    flat = name.replace("_", "")
    if flat.endswith(_STRONG) or last == "pass" or (variable and last.endswith("pass")):
        return "" if flat.endswith("existingsecret") else "strong"
    if last == "pwd" and len(parts) > 1:
        return "strong"
    if flat.endswith(_WEAK):
        return "weak"
    if "password" in flat or ("secret" in parts and "key" in parts):
        return "strong"
    return ""


def stands_in(value: str, strength: str) -> bool:
    """Is this no secret but a variable, a placeholder, a type, an expression?"""
    if not value or value[0] in "$<{%*[(\\":
        return True
    low = value.lower()
    if low in _WORDS or low.startswith(_PATHS):
        return True
    if strength == "strong":
        return False
    return value.startswith(("/", "./", "../", "~/")) or (len(value) < 7 and value.isdecimal())


def until(text: str, start: int, stops: str, stop: int | None = None) -> int:
    """The first place from `start` that holds one of `stops`, else the end."""
    stop = len(text) if stop is None else stop
    for at in range(start, stop):
        if text[at] in stops:
            return at
    return stop
