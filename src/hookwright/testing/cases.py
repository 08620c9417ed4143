"""Read case files: an event, files and environment, and the expected answer, as text that can be read and pasted.

text → [parse_cases] → cases, each with its line
    === a forced push is denied and the safer flag is named
    command: git push --force
    ---
    deny: --force-with-lease
An error names the line and what is possible there.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from hookwright.errors import UserError
from hookwright.testing import expect

TITLE, DIVIDER, COMMENT, THEN = "===", "---", "#", "then"
NAMED = ("file", "env", "option")  # `file NAME: …`
SINGLE = ("hook", "event", "tool", "config", "now")


@dataclass(frozen=True)
class Field:
    """One key of the payload: its name as written, its text, and the line."""

    name: str
    value: Any
    line: int
    is_text: bool = True  # text of a case file: the key decides how it is parsed


@dataclass
class Given:
    """What a case gives: the event, files, environment, options and time."""

    hooks: list[tuple[str, int]] = field(default_factory=list)
    event: str = ""
    tool: str = ""
    config: str | None = None
    now: float | None = None
    payload: dict[str, Any] | None = None  # as pasted
    fields: list[Field] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)

    def merge_head(self, head: Given) -> Given:
        """This case with the entries of the file's head, which apply to all cases."""
        return Given(
            self.hooks or head.hooks,
            self.event or head.event,
            self.tool or head.tool,
            head.config if self.config is None else self.config,
            head.now if self.now is None else self.now,
            self.payload if self.payload is not None else head.payload,
            [*head.fields, *self.fields],
            {**head.files, **self.files},
            {**head.env, **self.env},
            {**head.options, **self.options},
        )


@dataclass(frozen=True)
class Case:
    """One event and the expected answer."""

    title: str
    file: str
    line: int
    given: Given
    expected: tuple[expect.ExpectedLine, ...]
    kind: str = "case"

    @property
    def is_continuation(self) -> bool:
        """Continues the case before it: the same home, project and session."""
        return self.title.split(maxsplit=1)[:1] == [THEN]

    @property
    def source_line(self) -> str:
        return f"{self.file}:{self.line}"


def read_cases(path: str) -> list[Case]:
    """The cases of a file; UserError with the line if it cannot be parsed."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"the case file cannot be read: {error}", where=path) from None
    return parse_cases(text, path)


def parse_cases(text: str, file: str) -> list[Case]:
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), 1)]
    starts = [place for place, (_, line) in enumerate(lines) if line.startswith(TITLE)]
    if not starts:
        raise _case_error("no case in this file: a case begins with `=== what it shows`", file, 1)
    head = _parse_given(lines[: starts[0]], file)
    cases = [
        _parse_case(lines[start:end], file, head) for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)
    ]
    if cases[0].is_continuation:
        raise _case_error("the first case cannot begin with `then`: there is none before it", file, cases[0].line)
    return cases


def _parse_case(lines: Sequence[tuple[int, str]], file: str, head: Given) -> Case:
    number, first = lines[0]
    title = first[len(TITLE) :].strip()
    if not title:
        raise _case_error("a case needs a title: `=== what it shows`", file, number)
    dividers = [place for place, (_, line) in enumerate(lines) if line.rstrip() == DIVIDER]
    if len(dividers) != 1:
        what = "no `---` between the event and what is expected" if not dividers else "more than one `---` in a case"
        raise _case_error(what, file, lines[dividers[1]][0] if dividers else number)
    given = _parse_given(lines[1 : dividers[0]], file).merge_head(head)
    expected = tuple(_parse_expected(lines[dividers[0] + 1 :], file))
    if all(one.word == expect.MORE for one in expected):
        raise _case_error("nothing is expected; write `silence` if that is meant", file, lines[dividers[0]][0])
    return Case(title, file, number, given, expected)


# -- the event ------------------------------------------------------------------------------------------------


def _parse_given(lines: Sequence[tuple[int, str]], file: str) -> Given:
    given = Given()
    rest = list(lines)
    while rest:
        number, line = rest[0]
        if line.startswith("{"):
            given.payload, rest = _parse_json(rest, file)
            continue
        name, text, rest = _parse_entry(rest, file)
        if not name:
            continue
        _store_entry(given, name, text, file, number)
    return given


def _store_entry(given: Given, name: str, text: str, file: str, number: int) -> None:
    word, _, of = name.partition(" ")
    if word in NAMED and of:
        table = {"file": given.files, "env": given.env, "option": given.options}[word]
        table[of.strip()] = text + "\n" if word == "file" and text else text
    elif word in NAMED and word == name:
        raise _case_error(f"which {word}? Write `{word} NAME: …`", file, number)
    elif name == "hook":
        given.hooks.append((text, number))
    elif name == "now":
        given.now = _parse_time(text, file, number)
    elif name in SINGLE:
        setattr(given, name, text)
    elif " " in name:
        close = get_close_matches(word, (*NAMED, *SINGLE), n=1)
        hint = f"; did you mean `{close[0]}`?" if close else ""
        raise _case_error(f"a key has no blanks: {name!r}{hint}", file, number)
    else:
        given.fields.append(Field(name, text, number))


def _parse_json(lines: list[tuple[int, str]], file: str) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """A pasted JSON payload, perhaps over several lines, and the lines after it."""
    text = "\n".join(line for _, line in lines)
    try:
        payload, end = json.JSONDecoder().raw_decode(text)
    except json.JSONDecodeError as error:
        raise _case_error(f"the payload is not JSON: {error.msg}", file, lines[0][0] + error.lineno - 1) from None
    rest = text[end:]
    if rest.split("\n", 1)[0].strip():
        raise _case_error("something follows the payload on its line", file, lines[0][0] + text[:end].count("\n"))
    return payload, lines[text[:end].count("\n") + 1 :]


def _parse_time(text: str, file: str, number: int) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise _case_error(f"now must be a time such as 2030-12-31T17:00, got {text!r}", file, number) from None


# -- the expectation --------------------------------------------------------------------------------------------------


def _parse_expected(lines: Sequence[tuple[int, str]], file: str) -> Iterator[expect.ExpectedLine]:
    rest = list(lines)
    while rest:
        number, line = rest[0]
        if line.startswith("{"):
            value, rest = _parse_json(rest, file)
            yield expect.parse_line("answer", json.dumps(value), number)
        elif line.strip() == expect.MORE:
            yield expect.ExpectedLine(expect.MORE, (), None, number)
            del rest[0]
        else:
            name, text, rest = _parse_entry(rest, file, bare=True)
            if name:
                try:
                    yield expect.parse_line(name, text if text or ":" in line else None, number)
                except expect.ExpectationError as error:
                    raise _case_error(str(error), file, number) from None


# -- lines -----------------------------------------------------------------------------------------------------------


def _parse_entry(
    lines: list[tuple[int, str]], file: str, *, bare: bool = False
) -> tuple[str, str, list[tuple[int, str]]]:
    """One `name: text` (or indented lines below it) and the lines after it; no name for an empty line."""
    number, line = lines[0]
    rest = lines[1:]
    if not line.strip() or line.startswith(COMMENT):
        return "", "", rest
    if line[0].isspace():
        raise _case_error("an indented line belongs under a `name:` line", file, number)
    name, colon, text = line.partition(":")
    if line.split(maxsplit=1)[0] == "file" and ": " not in line and line.endswith(":"):
        name, text = line[:-1], ""  # a file name may contain a colon
    if not colon:
        if bare:
            return line.strip(), "", rest
        raise _case_error(
            f"not understood: {line.strip()!r}; write `name: value`, or `---` before what is expected", file, number
        )
    if text.strip():
        return name.strip(), text.strip(), rest
    block, rest = _parse_block(rest)
    return name.strip(), block, rest


def _parse_block(lines: list[tuple[int, str]]) -> tuple[str, list[tuple[int, str]]]:
    """The leading indented lines without their indentation, and the lines after them."""
    taken: list[str] = []
    for place, (_, line) in enumerate(lines):
        if line.strip() and not line[0].isspace():
            return textwrap.dedent("\n".join(taken)).rstrip("\n"), lines[place:]
        taken.append(line)
    return textwrap.dedent("\n".join(taken)).rstrip("\n"), []


def _case_error(what: str, file: str, line: int) -> UserError:
    return UserError(what, where=f"{file}:{line}", fix="hookwright test --help shows the format")


def given_from_example(example: str | Mapping[str, Any], line: int) -> Given:
    """What an example gives: keys of the event or of the tool's input; `event`, `tool`, `env`, `files`, `options`."""
    if isinstance(example, str):
        return Given(fields=[Field("", example, line)])
    known = {name: example[name] for name in ("event", "tool") if name in example}
    given = Given(**known)
    given.env = dict(example.get("env", {}))
    given.files = dict(example.get("files", {}))
    given.options = {name: _to_toml(value) for name, value in example.get("options", {}).items()}
    skipped = ("event", "tool", "env", "files", "options")
    given.fields = [Field(name, value, line, is_text=False) for name, value in example.items() if name not in skipped]
    return given


def _to_toml(value: Any) -> str:
    """A plain value as TOML; for strings, numbers, booleans and lists of them JSON is valid TOML."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
