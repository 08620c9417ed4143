"""Case files: an event, the world around it, and what is expected, as text that a person reads and pastes.

text → [read] → cases, each with its place
    === a forced push is denied and the safer flag is named
    command: git push --force
    ---
    deny: --force-with-lease
A file that cannot be read says which line is wrong and what could stand there.
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
    is_text: bool = True  # of a case file: what it means depends on the key


@dataclass
class Given:
    """What a case gives: the event, and the world around it."""

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

    def over(self, head: Given) -> Given:
        """This case with what the head of its file says for all."""
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
    """One event and what is expected of it."""

    title: str
    file: str
    line: int
    given: Given
    expected: tuple[expect.Line, ...]
    kind: str = "case"

    @property
    def follows(self) -> bool:
        """Plays on where the case before it ended: the same home, project and session."""
        return self.title.split(maxsplit=1)[:1] == [THEN]

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}"


def read_file(path: str) -> list[Case]:
    """The cases of a file, or UserError with the line."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"the case file cannot be read: {error}", where=path) from None
    return read(text, path)


def read(text: str, file: str) -> list[Case]:
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), 1)]
    starts = [place for place, (_, line) in enumerate(lines) if line.startswith(TITLE)]
    if not starts:
        raise _wrong("no case in this file: a case begins with `=== what it shows`", file, 1)
    head = _given(lines[: starts[0]], file)
    cases = [_case(lines[start:end], file, head) for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]
    if cases[0].follows:
        raise _wrong("the first case has none before it to go on from", file, cases[0].line)
    return cases


def _case(lines: Sequence[tuple[int, str]], file: str, head: Given) -> Case:
    number, first = lines[0]
    title = first[len(TITLE) :].strip()
    if not title:
        raise _wrong("a case needs a title: `=== what it shows`", file, number)
    dividers = [place for place, (_, line) in enumerate(lines) if line.rstrip() == DIVIDER]
    if len(dividers) != 1:
        what = "no `---` between the event and what is expected" if not dividers else "more than one `---` in a case"
        raise _wrong(what, file, lines[dividers[1]][0] if dividers else number)
    given = _given(lines[1 : dividers[0]], file).over(head)
    expected = tuple(_expected(lines[dividers[0] + 1 :], file))
    if all(one.word == expect.MORE for one in expected):
        raise _wrong("nothing is expected; write `silence` if that is meant", file, lines[dividers[0]][0])
    return Case(title, file, number, given, expected)


# -- the event's side ------------------------------------------------------------------------------------------------


def _given(lines: Sequence[tuple[int, str]], file: str) -> Given:
    given = Given()
    rest = list(lines)
    while rest:
        number, line = rest[0]
        if line.startswith("{"):
            given.payload, rest = _pasted(rest, file)
            continue
        name, text, rest = _entry(rest, file)
        if not name:
            continue
        _take(given, name, text, file, number)
    return given


def _take(given: Given, name: str, text: str, file: str, number: int) -> None:
    word, _, of = name.partition(" ")
    if word in NAMED and of:
        table = {"file": given.files, "env": given.env, "option": given.options}[word]
        table[of.strip()] = text + "\n" if word == "file" and text else text
    elif word in NAMED and word == name:
        raise _wrong(f"which {word}? Write `{word} NAME: …`", file, number)
    elif name == "hook":
        given.hooks.append((text, number))
    elif name == "now":
        given.now = _time(text, file, number)
    elif name in SINGLE:
        setattr(given, name, text)
    elif " " in name:
        close = get_close_matches(word, (*NAMED, *SINGLE), n=1)
        hint = f"; did you mean `{close[0]}`?" if close else ""
        raise _wrong(f"a key has no blanks: {name!r}{hint}", file, number)
    else:
        given.fields.append(Field(name, text, number))


def _pasted(lines: list[tuple[int, str]], file: str) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """A payload as the client sent it, over as many lines as it takes."""
    text = "\n".join(line for _, line in lines)
    try:
        payload, end = json.JSONDecoder().raw_decode(text)
    except json.JSONDecodeError as error:
        raise _wrong(f"the payload is not JSON: {error.msg}", file, lines[0][0] + error.lineno - 1) from None
    rest = text[end:]
    if rest.split("\n", 1)[0].strip():
        raise _wrong("something follows the payload on its line", file, lines[0][0] + text[:end].count("\n"))
    return payload, lines[text[:end].count("\n") + 1 :]


def _time(text: str, file: str, number: int) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise _wrong(f"now must be a time such as 2030-12-31T17:00, got {text!r}", file, number) from None


# -- the other side --------------------------------------------------------------------------------------------------


def _expected(lines: Sequence[tuple[int, str]], file: str) -> Iterator[expect.Line]:
    rest = list(lines)
    while rest:
        number, line = rest[0]
        if line.startswith("{"):
            value, rest = _pasted(rest, file)
            yield expect.line("answer", json.dumps(value), number)
        elif line.strip() == expect.MORE:
            yield expect.Line(expect.MORE, (), None, number)
            del rest[0]
        else:
            name, text, rest = _entry(rest, file, bare=True)
            if name:
                try:
                    yield expect.line(name, text if text or ":" in line else None, number)
                except expect.NotUnderstood as error:
                    raise _wrong(str(error), file, number) from None


# -- lines -----------------------------------------------------------------------------------------------------------


def _entry(lines: list[tuple[int, str]], file: str, *, bare: bool = False) -> tuple[str, str, list[tuple[int, str]]]:
    """One `name: text`, its text perhaps on indented lines below, and the lines after it; no name for an empty line."""
    number, line = lines[0]
    rest = lines[1:]
    if not line.strip() or line.startswith(COMMENT):
        return "", "", rest
    if line[0].isspace():
        raise _wrong("an indented line belongs under a `name:` line", file, number)
    name, colon, text = line.partition(":")
    if line.split(maxsplit=1)[0] == "file" and ": " not in line and line.endswith(":"):
        name, text = line[:-1], ""  # a file's name may hold a colon
    if not colon:
        if bare:
            return line.strip(), "", rest
        raise _wrong(
            f"not understood: {line.strip()!r}; write `name: value`, or `---` before what is expected", file, number
        )
    if text.strip():
        return name.strip(), text.strip(), rest
    block, rest = _block(rest)
    return name.strip(), block, rest


def _block(lines: list[tuple[int, str]]) -> tuple[str, list[tuple[int, str]]]:
    """The indented lines that come first, without their indentation."""
    taken: list[str] = []
    for place, (_, line) in enumerate(lines):
        if line.strip() and not line[0].isspace():
            return textwrap.dedent("\n".join(taken)).rstrip("\n"), lines[place:]
        taken.append(line)
    return textwrap.dedent("\n".join(taken)).rstrip("\n"), []


def _wrong(what: str, file: str, line: int) -> UserError:
    return UserError(what, where=f"{file}:{line}", fix="hookwright test --help shows the format")


def given_of(example: str | Mapping[str, Any], line: int) -> Given:
    """What an example gives: keys of the event or of the tool's input; `event`, `tool`, `env`, `files`, `options`."""
    if isinstance(example, str):
        return Given(fields=[Field("", example, line)])
    known = {name: example[name] for name in ("event", "tool") if name in example}
    given = Given(**known)
    given.env = dict(example.get("env", {}))
    given.files = dict(example.get("files", {}))
    given.options = {name: _toml(value) for name, value in example.get("options", {}).items()}
    skipped = ("event", "tool", "env", "files", "options")
    given.fields = [Field(name, value, line, is_text=False) for name, value in example.items() if name not in skipped]
    return given


def _toml(value: Any) -> str:
    """A plain value as TOML writes it; JSON's form is TOML's for texts, numbers, switches and lists of them."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
