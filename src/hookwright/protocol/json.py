"""JSON without the `json` package, which would cost as much as the interpreter's whole start.

text → [loads] → value → [dumps] → text
Strict where a reader must be: no twin keys, no bare constants, no trailing text. Large texts go to the
standard library's scanner, whose start is then the smaller part.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEEPEST = 200  # levels of nesting; a real payload has fewer than ten
SMALL = 1 << 17  # characters; beyond, the C scanner wins although it has to be loaded

_SPACE = " \t\r\n"
_WORDS = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}
_ESCAPES = (("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r"), ("\\/", "/"), ("\\b", "\b"), ("\\f", "\f"))
# Inside this module an escaped backslash is \x00 and an escaped quote is \x01: raw control characters are not
# allowed in JSON, so nothing else can be meant, and a string simply ends at the next quote.
_BACKSLASH = "\x00"
_QUOTE = "\x01"
_MARKS = (_BACKSLASH, _QUOTE)


# The text is not JSON as we accept it; says why. A class of our own would cost every start ten microseconds.
NotJson = ValueError


def loads(text: str) -> Any:
    """The one value that the text holds, or NotJson."""
    if len(text) > SMALL or _BACKSLASH in text or _QUOTE in text:
        from hookwright.protocol.json_large import loads as standard  # noqa: PLC0415

        return standard(text)
    if "\\" in text:
        text = text.replace("\\\\", _BACKSLASH).replace('\\"', _QUOTE)
    try:
        value, end = value_at(text, skip(text, 0), 0)
        if skip(text, end) != len(text):
            raise NotJson("text after the value")
    except IndexError:
        raise NotJson("it ends too early") from None
    return value


def skip(text: str, at: int) -> int:
    while text[at : at + 1] in _SPACE and at < len(text):
        at += 1
    return at


def value_at(text: str, at: int, depth: int) -> tuple[Any, int]:
    first = text[at]
    if first == '"':
        return _string(text, at + 1)
    if first == "{":
        return _object(text, at + 1, depth + 1)
    word = _WORDS.get(first)
    if word is not None and text.startswith(word[0], at):
        return word[1], at + len(word[0])
    from hookwright.protocol.json_rare import array, number  # noqa: PLC0415  a Bash call has neither

    if first == "[":
        return array(text, at + 1, depth + 1)
    return number(text, at)


def _string(text: str, at: int) -> tuple[str, int]:
    end = text.find('"', at)
    if end < 0:
        raise NotJson("a string does not end")
    found = text[at:end]
    if not found.isprintable():  # control characters, marks, or letters that only look unprintable
        if _BACKSLASH in found or _QUOTE in found or "\\" in found:
            return _unescaped(found), end + 1
        _refuse_control(found)
    elif "\\" in found:
        return _unescaped(found), end + 1
    return found, end + 1


def _refuse_control(text: str) -> None:
    if text.replace(_QUOTE, "").replace(_BACKSLASH, "").isprintable():
        return
    for character in text:
        if character < " " and character not in _MARKS:
            raise NotJson("a control character in a string")


def _unescaped(text: str) -> str:
    _refuse_control(text)
    for escape, meant in _ESCAPES:
        if escape in text:
            text = text.replace(escape, meant)
    if "\\" not in text:
        return _unmarked(text)
    parts = text.split("\\")
    text = _unmarked(parts[0]) + "".join([_from_hex(part) for part in parts[1:]])
    if not text.isascii():
        # Two escapes may be one character of the upper planes.
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return text


def _unmarked(text: str) -> str:
    return text.replace(_QUOTE, '"').replace(_BACKSLASH, "\\")


def _from_hex(part: str) -> str:  # rare
    digits = part[1:5]
    if part[:1] != "u" or len(digits) != 4 or not digits.isalnum():
        raise NotJson("an unknown escape")
    try:
        return chr(int(digits, 16)) + _unmarked(part[5:])
    except ValueError:
        raise NotJson("an unknown escape") from None


def _object(text: str, at: int, depth: int) -> tuple[dict[str, Any], int]:
    if depth > DEEPEST:
        raise NotJson("nested too deeply")
    made: dict[str, Any] = {}
    at = skip(text, at)
    if text[at] == "}":
        return made, at + 1
    while True:
        if text[at] != '"':
            raise NotJson("a key must be a string")
        key, at = _string(text, at + 1)
        if text[at] != ":":
            at = skip(text, at)
            if text[at] != ":":
                raise NotJson("no colon after a key")
        at += 1
        if text[at] in _SPACE:
            at = skip(text, at)
        if key in made:
            raise NotJson("a key appears twice")
        made[key], at = value_at(text, at, depth)
        if text[at] in _SPACE:
            at = skip(text, at)
        if text[at] == "}":
            return made, at + 1
        if text[at] != ",":
            raise NotJson("no comma between members")
        at += 1
        if text[at] in _SPACE:
            at = skip(text, at)


def dumps(value: Any) -> str:
    """Compact JSON. Letters stay letters: encode with `backslashreplace`, which makes a lone surrogate an escape."""
    kind = type(value)
    if kind is str:
        return _quoted(value)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return str(value)
    if kind is dict:
        return "{" + ",".join([f"{_quoted(key)}:{dumps(item)}" for key, item in value.items()]) + "}"
    if kind is list or kind is tuple:
        return "[" + ",".join([dumps(item) for item in value]) + "]"
    if kind is float:
        if value - value != 0:  # infinite or not a number
            raise ValueError("JSON has no such number")
        return repr(value)
    raise TypeError(f"{kind.__name__} has no JSON form")


def _quoted(text: str) -> str:
    if "\\" in text:
        text = text.replace("\\", "\\\\")
    if '"' in text:
        text = text.replace('"', '\\"')
    if not text.isprintable():
        text = text.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
        if not text.isprintable():
            text = "".join([letter if letter >= " " else f"\\u{ord(letter):04x}" for letter in text])
    return f'"{text}"'
