"""Secrets after a name: NAME=value, name: value, "name": "value", ?name=value& and HTTP headers, anywhere in a text."""

from __future__ import annotations

from hookwright.store.secrets.names import find_first_of, is_placeholder, secret_strength

TYPE_CHECKING = False  # the hook process must not import typing
if TYPE_CHECKING:
    Spot = tuple[int, int, str]

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")
_HEADERS = frozenset(("authorization", "proxy-authorization", "cookie", "set-cookie"))
_QUOTES = ('"', "'")


def find_assignments(text: str, spots: list[Spot]) -> None:
    for sign in "=:":
        at = text.find(sign)
        while at >= 0:
            spot = _match_assignment(text, at, sign)
            if spot:
                spots.append(spot)
                at = spot[1] - 1  # skip what is masked
            at = text.find(sign, at + 1)


def _match_assignment(text: str, at: int, sign: str) -> Spot | None:
    if text[at + 1 : at + 2] in ("=", ":"):  # == or ::
        return None
    arrow = sign == "=" and text[at + 1 : at + 2] == ">"  # password => 'x'
    start, end = _name_before(text, at, sign)
    name = text[start:end]
    before = text[start - 1 : start]
    if not name or before == "$":
        return None
    if before == "{" and text[start - 2 : start - 1] == "$":
        return _match_default(text, at, name)
    return _match_value(text, at, name, before, 2 if arrow else 1)


def _match_value(text: str, at: int, name: str, before: str, sign_length: int) -> Spot | None:
    sign = text[at]
    if sign == ":" and name.lower() in _HEADERS:
        return _match_header(text, at + 1)
    if name.startswith("BUNDLE_") and sign == "=":
        return _match_login(text, at + 1)
    strength = _name_strength(name, sign, before)
    if not strength and name.lower() in _VALUE_NAMES:
        strength = _strength_of_named_value(text, at)
    if not strength:
        return None
    begin = at + sign_length
    if sign == ":" or text[at - 1] == " ":
        while text[begin : begin + 1] in (" ", "\t"):
            begin += 1
    if text[begin : begin + 1] == "\\":
        begin += 1
    if text[begin : begin + 2] == "$(":
        return _match_echo(text, begin)
    quote = text[begin : begin + 1]
    if quote in _QUOTES:
        begin, end = _quoted_span(text, begin, quote)
    else:
        end = find_first_of(text, begin, " \t\n\"'`&;|<>)")
    value = text[begin:end].rstrip("\\,}]")
    if is_placeholder(value, strength) or value == name or "(" in value or (name == "auth" and len(value) < 12):
        return None
    if quote not in _QUOTES and (_is_prose(value, sign, name) or (text[at - 1] == " " and _is_expression(value))):
        return None
    return begin, end, "assignment"


def _is_prose(value: str, sign: str, name: str) -> bool:
    """Prose ("token: refresh it earlier"), a pattern (/password:/) or a line of a file (password.ts:12)."""
    if sign != ":":
        return False
    return (value.isalpha() and len(value) < 16) or value[0] == "/" or ("." in name and value.isdecimal())


def _match_echo(text: str, begin: int) -> Spot | None:
    """NAME=$(echo value)."""
    for command in ("$(echo ", "$(printf "):
        end = text.find(")", begin)
        if text.startswith(command, begin) and end > 0 and "$" not in text[begin + 2 : end]:
            return begin + len(command), end, "assignment"
    return None


def _is_expression(value: str) -> bool:
    """Source code: password = request.form[…]."""
    return "." in value and value.partition("[")[0].replace(".", "").isalpha()


def _match_login(text: str, begin: int) -> Spot | None:
    """BUNDLE_GEMS__ACME__IO=user:password."""
    end = find_first_of(text, begin, " \t\n\"'")
    colon = text.find(":", begin, end)
    return (colon + 1, end, "assignment") if colon > 0 and "/" not in text[begin:end] else None


def _name_before(text: str, at: int, sign: str) -> tuple[int, int]:
    """Start and end of the name before the sign; a space before `=` and a closing quote are skipped."""
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


# {"name": "DB_PASSWORD", "value": "x"}, ParameterKey=DbPassword,ParameterValue=x: the name stands in another field.
_VALUE_NAMES = frozenset(("value", "parametervalue"))
_LOOK_BACK = 80


def _strength_of_named_value(text: str, at: int) -> str:
    words = text[max(0, at - _LOOK_BACK) : at]
    place = max(words.rfind("name"), words.rfind("Name"), words.rfind("Key"))
    if place < 0:
        return "strong" if "/secrets" in words else ""
    name = words[place:].partition("=" if "=" in words[place : place + 8] else ":")[2].lstrip(" \"'\\")
    strength = secret_strength(name[: find_first_of(name, 0, "\"'\\,; \n")])
    return strength if strength in ("strong", "weak") else ""


_QUERIES = frozenset(("appid", "key", "code", "auth", "apptoken", "k", "subscription"))


def _name_strength(name: str, sign: str, before: str) -> str:
    strength = secret_strength(name)
    if name in ("Pwd", "pwd") and (before == ";" or sign == ":"):
        return "strong"  # in a connection string or a database user
    if before in ("?", "&") and name.lower() in _QUERIES:
        return "faint"
    if not strength and sign == "=":
        if name.lower() == "secret_id":
            return "faint"  # of an approle; elsewhere the name of a secret
        if name == "_auth":
            return "strong"
        if before in ("?", "&") and name.lower().endswith(("sig", "signature")):
            return "weak"
    return "weak" if name == "auth" and before == '"' else strength  # a registry entry: {"auth": "dXNl…"}


def _quoted_span(text: str, begin: int, quote: str) -> tuple[int, int]:
    """The quoted text; empty when this quote closes one that was opened before the name."""
    line = text.rfind("\n", 0, begin) + 1
    escaped = text[begin - 1] == "\\"
    if not escaped and text.count(quote, line, begin) % 2:
        return begin, begin
    end = text.find(quote, begin + 1)
    while end > 0 and quote == '"' and not escaped and text[end - 1 : end] == "\\":
        end = text.find(quote, end + 1)
    end = len(text) if end < 0 else end
    return begin + 1, end - 1 if escaped and text[end - 1] == "\\" else end


def _match_default(text: str, at: int, name: str) -> Spot | None:
    """${NAME:-value} and ${NAME:=value}: the default is the secret; other forms have no value."""
    end = text.find("}", at)
    strength = secret_strength(name)
    if not strength or end < 0 or text[at + 1] not in "-=" or is_placeholder(text[at + 2 : end], strength):
        return None
    return at + 2, end, "assignment"


def _match_header(text: str, begin: int) -> Spot | None:
    """Authorization: Bearer xyz; Cookie: a=b; c=d. The scheme stays readable."""
    end = find_first_of(text, begin, "\"'\n`")
    value = text[begin:end].strip()
    scheme, _, rest = value.partition(" ")
    if scheme.isalpha():
        value = rest.strip()
    if len(value) < 4 or is_placeholder(value, "strong"):
        return None
    start = text.find(value, begin)
    return start, start + len(value), "header"
