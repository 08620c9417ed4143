"""Find secrets in texts, and mask them by value in other texts that repeat them without the words that give them away.

text → secrets.find_secrets (shapes, assignments, flags) → [find_spots] → redact.apply → text with `***`
payload → [find_payload_secrets] → [mask_values] → reason, suggestion, key, question, answer, error …
A reason such as `"mysql -phunter2" drops a table` quotes a command in prose: the scanner no longer sees program and
flag there, but the value is known. Loaded only for a text or a payload with a hint (redact.py).
"""

from __future__ import annotations

from hookwright.store.secrets import find_secrets

TYPE_CHECKING = False  # the hook process must not import typing
if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from typing import Any

MASK = "***"
MAX_INPUT_CHARS = 16 << 10  # of a tool's input in which secrets are looked for
MAX_FIELD_CHARS = 2 << 10  # of any other field of a payload
LEAST_REPEATED = 6  # characters; a shorter secret, or a plain word, may mean something else elsewhere
LEAST_IN_PATH = 8  # characters of a secret that is masked in the project's path, too: `app` is part of many paths
# The last texts that were scanned: one event masks its command for several files.
_scanned: dict[str, list[tuple[int, int, str]]] = {}
_MOST_SCANNED = 8
_ANYWHERE = 8  # a plain lower-case word shorter than this may be part of another word
_LEAST_CUT = 4  # characters of a secret that was cut at the end or at the beginning of a text
_LEAST_LINE = 6
_LEAST_PART = 12
_CUT_MARKS = ("…", "...")


def find_spots(text: str) -> list[tuple[int, int, str]]:
    """Start, end and kind of each secret in a text; the same value is found wherever it stands."""
    spots = _scanned.get(text)
    if spots is None:
        if len(_scanned) >= _MOST_SCANNED:
            _scanned.clear()
        _scanned[text] = spots = _scan(text)
    return spots


def _scan(text: str) -> list[tuple[int, int, str]]:
    spots = find_secrets(text)
    for value in {text[start:end] for start, end, _ in spots}:
        if len(value) >= LEAST_REPEATED and not value.isalpha():
            _find_repeated(text, value, spots)
    return spots


def _find_repeated(text: str, value: str, spots: list[tuple[int, int, str]]) -> None:
    """The same value elsewhere in the text, where nothing else shows that it is a secret."""
    at = text.find(value)
    while at >= 0:
        spots.append((at, at + len(value), "value"))
        at = text.find(value, at + len(value))


def find_payload_secrets(fields: Mapping[str, Any]) -> list[str]:
    """The secrets in these fields of a payload, in all forms in which another text may repeat them."""
    texts: list[str] = []
    for name, value in fields.items():
        _collect_texts(value, texts, MAX_INPUT_CHARS if name == "tool_input" else MAX_FIELD_CHARS)
    found: list[str] = []
    for text in texts:
        found += [text[start:end] for start, end, _ in find_spots(text)]
    return list_forms(found, MASK)


def _collect_texts(value: Any, texts: list[str], room: int) -> int:
    """Collect the strings in a value; returns how many characters may still follow."""
    if isinstance(value, str):
        if room > 0:
            texts.append(value if len(value) <= room else value[:room])
        return room - len(value)
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list | tuple):
        return room
    for item in value:
        if room <= 0:
            break
        room = _collect_texts(item, texts, room)
    return room


def mask_values(text: str, known: list[str]) -> str:
    """The text with the values masked that `find_payload_secrets` found."""
    return replace_values(text, known, MASK)


def mask_record(
    record: Mapping[str, Any], fields: Mapping[str, Any], plain: Container[str], masked: list[str]
) -> dict[str, Any]:
    """The record with the secrets of these fields masked by value; `masked` collects names, `plain` is left alone."""
    known = find_payload_secrets(fields)
    if not known:
        return dict(record)
    result = {
        name: value if name in plain or name == "answer" else _mask_value(value, name, known, plain, masked)
        for name, value in record.items()
    }
    project = record.get("project")
    long = [form for form in known if len(form) >= LEAST_IN_PATH and not form.isalpha()]
    if isinstance(project, str) and long:
        result["project"] = mask_values(project, long)
    return result


def _mask_value(value: Any, name: str, known: list[str], plain: Container[str], masked: list[str]) -> Any:
    if isinstance(value, str):
        shown = mask_values(value, known)
        if shown != value:
            masked.append(f"{name}:value")
        return shown
    if isinstance(value, dict):
        return {
            key: item if key in plain else _mask_value(item, name, known, plain, masked) for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_mask_value(item, name, known, plain, masked) for item in value]
    return value


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
