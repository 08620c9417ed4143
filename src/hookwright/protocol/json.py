"""Parse and write JSON without importing the `json` package, which costs as much as the interpreter's whole start.

text → [loads] → value → [dumps] → text
Stricter than the standard library: duplicate keys, NaN and Infinity, and text after the value are refused. Texts above
SMALL characters go to the standard library's C scanner, where importing it is the smaller part of the cost.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEEPEST = 200  # levels of nesting; a real payload has fewer than ten
SMALL = 1 << 17  # characters; above, the C scanner is faster although it has to be imported

_SPACE = " \t\r\n"
_WORDS = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}
_ESCAPES = (("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r"), ("\\/", "/"), ("\\b", "\b"), ("\\f", "\f"))
# While parsing, an escaped backslash is stored as \x00 and an escaped quote as \x01. Raw control characters are not
# allowed in JSON, so these are unambiguous, and a string ends at the next quote.
_BACKSLASH = "\x00"
_QUOTE = "\x01"
_MARKS = (_BACKSLASH, _QUOTE)
_NUMBER = frozenset("0123456789+-.eE")


class NotJson(ValueError):
    """The text is not JSON as we accept it; the message says why."""


def loads(text: str) -> Any:
    """The one value that the text holds, or NotJson."""
    if len(text) > SMALL or _BACKSLASH in text or _QUOTE in text:
        return _loads_with_stdlib(text)
    if "\\" in text:
        text = text.replace("\\\\", _BACKSLASH).replace('\\"', _QUOTE)
    try:
        value, end = _parse_value(text, _skip_space(text, 0), 0)
        if _skip_space(text, end) != len(text):
            raise NotJson("text after the value")
    except IndexError:
        raise NotJson("it ends too early") from None
    return value


def _skip_space(text: str, at: int) -> int:
    while text[at : at + 1] in _SPACE and at < len(text):
        at += 1
    return at


def _parse_value(text: str, at: int, depth: int) -> tuple[Any, int]:
    first = text[at]
    if first == '"':
        return _parse_string(text, at + 1)
    if first == "{":
        return _parse_object(text, at + 1, depth + 1)
    word = _WORDS.get(first)
    if word is not None and text.startswith(word[0], at):
        return word[1], at + len(word[0])
    if first == "[":
        return _parse_array(text, at + 1, depth + 1)
    return _parse_number(text, at)


def _parse_string(text: str, at: int) -> tuple[str, int]:
    end = text.find('"', at)
    if end < 0:
        raise NotJson("a string does not end")
    found = text[at:end]
    if not found.isprintable():  # control characters, marks, or letters that only look unprintable
        if _BACKSLASH in found or _QUOTE in found or "\\" in found:
            return _unescape_string(found), end + 1
        _reject_control(found)
    elif "\\" in found:
        return _unescape_string(found), end + 1
    return found, end + 1


def _reject_control(text: str) -> None:
    if text.replace(_QUOTE, "").replace(_BACKSLASH, "").isprintable():
        return
    for character in text:
        if character < " " and character not in _MARKS:
            raise NotJson("a control character in a string")


def _unescape_string(text: str) -> str:
    _reject_control(text)
    for escape, meant in _ESCAPES:
        if escape in text:
            text = text.replace(escape, meant)
    if "\\" not in text:
        return _restore_marks(text)
    parts = text.split("\\")
    text = _restore_marks(parts[0]) + "".join([_decode_hex(part) for part in parts[1:]])
    if not text.isascii():
        # Two \\u escapes may be one surrogate pair.
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return text


def _restore_marks(text: str) -> str:
    return text.replace(_QUOTE, '"').replace(_BACKSLASH, "\\")


def _decode_hex(part: str) -> str:
    digits = part[1:5]
    if part[:1] != "u" or len(digits) != 4 or not digits.isalnum():
        raise NotJson("an unknown escape")
    try:
        return chr(int(digits, 16)) + _restore_marks(part[5:])
    except ValueError:
        raise NotJson("an unknown escape") from None


def _parse_object(text: str, at: int, depth: int) -> tuple[dict[str, Any], int]:
    if depth > DEEPEST:
        raise NotJson("nested too deeply")
    made: dict[str, Any] = {}
    at = _skip_space(text, at)
    if text[at] == "}":
        return made, at + 1
    while True:
        if text[at] != '"':
            raise NotJson("a key must be a string")
        key, at = _parse_string(text, at + 1)
        if text[at] != ":":
            at = _skip_space(text, at)
            if text[at] != ":":
                raise NotJson("no colon after a key")
        at += 1
        if text[at] in _SPACE:
            at = _skip_space(text, at)
        if key in made:
            raise NotJson("a key appears twice")
        made[key], at = _parse_value(text, at, depth)
        if text[at] in _SPACE:
            at = _skip_space(text, at)
        if text[at] == "}":
            return made, at + 1
        if text[at] != ",":
            raise NotJson("no comma between members")
        at += 1
        if text[at] in _SPACE:
            at = _skip_space(text, at)


def _parse_array(text: str, at: int, depth: int) -> tuple[list[Any], int]:
    if depth > DEEPEST:
        raise NotJson("nested too deeply")
    made: list[Any] = []
    at = _skip_space(text, at)
    if text[at] == "]":
        return made, at + 1
    while True:
        value, at = _parse_value(text, at, depth)
        made.append(value)
        at = _skip_space(text, at)
        if text[at] == "]":
            return made, at + 1
        if text[at] != ",":
            raise NotJson("no comma between elements")
        at = _skip_space(text, at + 1)


def _parse_number(text: str, at: int) -> tuple[int | float, int]:
    end = at
    while end < len(text) and text[end] in _NUMBER:
        end += 1
    digits = text[at:end]
    body = digits.removeprefix("-")
    whole = body.split("e")[0].split("E")[0]
    head, point, tail = whole.partition(".")
    if not head.isdigit() or (head[0] == "0" and len(head) > 1) or (point and not tail.isdigit()):
        raise NotJson("not a value" if not digits else "not a number")
    try:
        return (int(digits) if body.isdigit() else float(digits)), end
    except ValueError:
        raise NotJson("not a number") from None


def _loads_with_stdlib(text: str) -> Any:
    """As `loads`, with the standard library's scanner."""
    from json import JSONDecoder  # noqa: PLC0415  only large texts and those with \x00 or \x01 come here

    def build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            raise NotJson("a key appears twice")
        return made

    def refuse_constant(word: str) -> Any:
        raise NotJson("not a value")

    try:
        return JSONDecoder(object_pairs_hook=build_object, parse_constant=refuse_constant).decode(text)
    except RecursionError:
        raise NotJson("nested too deeply") from None
    except NotJson:
        raise
    except ValueError as error:
        raise NotJson(str(error)) from None


def dumps(value: Any) -> str:
    """Compact JSON. Non-ASCII letters stay as they are; encode with `backslashreplace` to escape lone surrogates."""
    kind = type(value)
    if kind is str:
        return _quote_string(value)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return str(value)
    if kind is dict:
        return "{" + ",".join([f"{_quote_string(key)}:{dumps(item)}" for key, item in value.items()]) + "}"
    if kind is list or kind is tuple:
        return "[" + ",".join([dumps(item) for item in value]) + "]"
    if kind is float:
        if value - value != 0:  # infinite or not a number
            raise ValueError("JSON has no such number")
        return repr(value)
    raise TypeError(f"{kind.__name__} has no JSON form")


def _quote_string(text: str) -> str:
    if "\\" in text:
        text = text.replace("\\", "\\\\")
    if '"' in text:
        text = text.replace('"', '\\"')
    if not text.isprintable():
        text = text.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
        if not text.isprintable():
            text = "".join([letter if letter >= " " else f"\\u{ord(letter):04x}" for letter in text])
    return f'"{text}"'
