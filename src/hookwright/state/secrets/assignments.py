"""NAME=value, name: value, "name": "value", ?name=value& and headers, wherever in the text they stand."""

from __future__ import annotations

from hookwright.state.secrets.names import names_secret, stands_in, until

TYPE_CHECKING = False  # the door must not import typing
if TYPE_CHECKING:
    Spot = tuple[int, int, str]

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")
_HEADERS = frozenset(("authorization", "proxy-authorization", "cookie", "set-cookie"))
_QUOTES = ('"', "'")


def find(text: str, spots: list[Spot]) -> None:
    for sign in "=:":
        at = text.find(sign)
        while at >= 0:
            spot = _assignment(text, at, sign)
            if spot:
                spots.append(spot)
                at = spot[1] - 1  # what is masked is not read again
            at = text.find(sign, at + 1)


def _assignment(text: str, at: int, sign: str) -> Spot | None:
    if text[at + 1 : at + 2] in ("=", ":"):  # a comparison, a scope
        return None
    start, end = _name_before(text, at, sign)
    name = text[start:end]
    before = text[start - 1 : start]
    if not name or before == "$":
        return None
    if before == "{" and text[start - 2 : start - 1] == "$":
        return _default(text, at, name)
    return _plain(text, at, name, before)


def _plain(text: str, at: int, name: str, before: str) -> Spot | None:
    sign = text[at]
    if sign == ":" and name.lower() in _HEADERS:
        return _header(text, at + 1)
    if name.startswith("BUNDLE_") and sign == "=":
        return _login(text, at + 1)
    strength = _strength(name, sign, before)
    if not strength:
        return None
    begin = at + 1
    if sign == ":" or text[at - 1] == " ":
        while text[begin : begin + 1] in (" ", "\t"):
            begin += 1
    if text[begin : begin + 1] == "\\":
        begin += 1
    if text[begin : begin + 2] == "$(":
        return _printed(text, begin)
    quote = text[begin : begin + 1]
    if quote in _QUOTES:
        begin, end = _quoted(text, begin, quote)
    else:
        end = until(text, begin, " \t\n\"'`&;|<>)")
    value = text[begin:end].rstrip("\\,}]")
    if stands_in(value, strength) or value == name or "(" in value or (name == "auth" and len(value) < 12):
        return None
    if quote not in _QUOTES and (_is_prose(value, sign) or (text[at - 1] == " " and _is_expression(value))):
        return None
    return begin, end, "assignment"


def _is_prose(value: str, sign: str) -> bool:
    """Read aloud, "token: refresh it earlier"; or a pattern, /password:/."""
    return sign == ":" and ((value.isalpha() and len(value) < 16) or value[0] == "/")


def _printed(text: str, begin: int) -> Spot | None:
    """NAME=$(echo value)."""
    for command in ("$(echo ", "$(printf "):
        end = text.find(")", begin)
        if text.startswith(command, begin) and end > 0 and "$" not in text[begin + 2 : end]:
            return begin + len(command), end, "assignment"
    return None


def _is_expression(value: str) -> bool:
    """Of a program: password = request.form[…]."""
    return "." in value and value.partition("[")[0].replace(".", "").isalpha()


def _login(text: str, begin: int) -> Spot | None:
    """BUNDLE_GEMS__ACME__IO=user:password."""
    end = until(text, begin, " \t\n\"'")
    colon = text.find(":", begin, end)
    return (colon + 1, end, "assignment") if colon > 0 and "/" not in text[begin:end] else None


def _name_before(text: str, at: int, sign: str) -> tuple[int, int]:
    """Where the name in front of the sign begins and ends; a space before `=` and a closing quote are skipped."""
    end = at
    if sign == "=" and text[end - 1 : end] == " ":
        end -= 1
    if text[end - 1 : end] == "]":
        end -= 1  # environ['NAME']=
    while end and text[end - 1] in "\"'\\":
        end -= 1
    start = end
    while start and text[start - 1] in _NAME:
        start -= 1
    return start, end


_QUERIES = frozenset(("appid", "key", "code", "auth", "apptoken", "k", "subscription"))


def _strength(name: str, sign: str, before: str) -> str:
    strength = names_secret(name)
    if name in ("Pwd", "pwd") and (before == ";" or sign == ":"):
        return "strong"  # of a connection, of a database's user
    if before in ("?", "&") and name.lower() in _QUERIES:
        return "faint"
    if not strength and sign == "=":
        if name == "_auth":
            return "strong"
        if before in ("?", "&") and name.lower().endswith(("sig", "signature")):
            return "weak"
    return "weak" if name == "auth" and before == '"' else strength  # a registry's entry: {"auth": "dXNl…"}


def _quoted(text: str, begin: int, quote: str) -> tuple[int, int]:
    """What a quote encloses, or nothing when that quote closes one that was opened before the name."""
    line = text.rfind("\n", 0, begin) + 1
    escaped = text[begin - 1] == "\\"
    if not escaped and text.count(quote, line, begin) % 2:
        return begin, begin
    end = text.find(quote, begin + 1)
    end = len(text) if end < 0 else end
    return begin + 1, end - 1 if escaped and text[end - 1] == "\\" else end


def _default(text: str, at: int, name: str) -> Spot | None:
    """${NAME:-value} and ${NAME:=value}: the default is a value, other forms hold none."""
    end = text.find("}", at)
    strength = names_secret(name)
    if not strength or end < 0 or text[at + 1] not in "-=" or stands_in(text[at + 2 : end], strength):
        return None
    return at + 2, end, "assignment"


def _header(text: str, begin: int) -> Spot | None:
    """Authorization: Bearer xyz; Cookie: a=b; c=d. The scheme stays readable."""
    end = until(text, begin, "\"'\n`")
    value = text[begin:end].strip()
    scheme, _, rest = value.partition(" ")
    if scheme.isalpha():
        value = rest.strip()
    if len(value) < 4 or stands_in(value, "strong"):
        return None
    start = text.find(value, begin)
    return start, start + len(value), "header"
