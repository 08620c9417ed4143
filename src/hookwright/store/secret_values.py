"""Mask known secrets by their value, in texts that repeat them without the words by which a secret is recognised.

values found in a payload → [list_forms] → [replace_values] → reason, suggestion, key, question, answer, error …
A reason such as `"mysql -phunter2" drops a table` quotes a command in prose: the scanner no longer sees program and
flag there, but the value is known. Loaded only for an event in whose payload a secret was found.
"""

from __future__ import annotations

_ANYWHERE = 8  # a plain lower-case word shorter than this may be part of another word
_LEAST_CUT = 4  # characters of a secret that was cut at the end or at the beginning of a text
_LEAST_LINE = 6
_LEAST_PART = 12
_CUT_MARKS = ("…", "...")


def list_forms(values: list[str], mask: str) -> list[str]:
    """The values as they are, without quotes, quoted again, in one line and line by line; longest first."""
    forms: set[str] = set()
    for value in values:
        for plain in (value, value.strip(), _unquote(value)):
            forms.update((plain, " ".join(plain.split()), plain.replace("'", "'\"'\"'"), _escape(plain)))
            if "/" in plain:  # the last part of a webhook's path is enough for the one who finds it
                forms.update(part for part in plain.split("/") if len(part) >= _LEAST_PART and not part.isalpha())
            if "\n" in plain:
                forms.update(line.strip() for line in plain.split("\n") if len(line.strip()) >= _LEAST_LINE)
    return sorted((form for form in forms if form and mask not in form), key=len, reverse=True)


def replace_values(text: str, forms: list[str], mask: str) -> str:
    """The text with the mask for every form, whole or cut by a length limit."""
    for form in forms:
        if form in text:
            text = _replace(text, form, mask)
    for form in forms:
        if len(form) > _LEAST_CUT:
            text = _replace_cut(text, form, mask)
    return text


def _replace(text: str, form: str, mask: str) -> str:
    if len(form) >= _ANYWHERE or (not (form.isalpha() and form.islower()) and len(form) >= _LEAST_CUT):
        return text.replace(form, mask)
    pieces = text.split(form)
    result = pieces[0]
    for number, piece in enumerate(pieces[1:]):
        before = pieces[number]
        joined = before[-2:-1] == "-" and not _is_part_of_word(before[-3:-2])  # mysql -proot
        alone = (not _is_part_of_word(before[-1:]) or joined) and not _is_part_of_word(piece[:1])
        result += (mask if alone else form) + piece
    return result


def _is_part_of_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _replace_cut(text: str, form: str, mask: str) -> str:
    """Mask the beginning of a secret before the end of the text or a `…`, and its end after a `…`."""
    at = text.find(form[:_LEAST_CUT])
    while at >= 0:
        end = at
        for expected in form:
            if text[end : end + 1] != expected:
                break
            end += 1
        if end == len(text) or text.startswith(_CUT_MARKS, end):
            text = text[:at] + mask + text[end:]
        at = text.find(form[:_LEAST_CUT], at + 1)
    if text[:1] == "…":
        for length in range(len(form) - 1, _LEAST_CUT - 1, -1):
            if text.startswith(form[-length:], 1):
                return "…" + mask + text[1 + length :]
    return text


def _unquote(value: str) -> str:
    """As a shell reads it: without quotes and backslashes."""
    if "\\" not in value and '"' not in value and "'" not in value:
        return value
    plain = ""
    escaped = False
    for letter in value:
        if escaped or letter not in "\\\"'":
            plain += letter
        escaped = letter == "\\" and not escaped
    return plain


def _escape(value: str) -> str:
    """As JSON and many languages write it."""
    return value.replace("\\", "\\\\").replace('"', '\\"')
