"""What a case expects, in the words of its lines, held against what was answered.

`deny: --force-with-lease` → [Expected] ← Answer → nothing, or a difference that can be read and pasted
What is not written must not be said, so a case cannot pass by looking away; a line `...` lifts that.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hookwright.protocol.legal import LEGAL

if TYPE_CHECKING:
    from hookwright.testing.stage import Answer

PERMISSIONS = ("deny", "ask", "allow", "block")
TEXTS = ("context", "message", "stop", "stderr", "failure")
STANDARD = ("rewrite", "context", "message", "stop", *PERMISSIONS)
OTHERS = tuple(sorted({word for words in LEGAL.values() for word in words} - set(STANDARD)))
ABSENT = "(absent)"
MORE = "..."
WORDS = ("silence", *PERMISSIONS, "rewrite", "updated_input", *TEXTS, "by", "exit", "answer", *OTHERS)


class NotUnderstood(ValueError):
    """A line that says nothing we know; the text says what there is."""


@dataclass(frozen=True)
class Line:
    """One expectation: a word, a path below it, and its text; None where the word stands alone."""

    word: str
    path: tuple[str, ...]
    text: str | None
    number: int = 0

    def __str__(self) -> str:
        name = ".".join((self.word, *self.path))
        if self.text is None:
            return name
        return f"{name}: {self.text}" if "\n" not in self.text else f"{name}:\n{_indented(self.text)}"


@dataclass(frozen=True)
class Part:
    """One thing that was answered: a word and its value."""

    word: str
    value: Any

    def __str__(self) -> str:
        if self.value is None:
            return self.word
        text = self.value if isinstance(self.value, str) else json.dumps(self.value, ensure_ascii=False)
        return str(Line(self.word, (), text))


def line(name: str, text: str | None, number: int = 0) -> Line:
    """A line of the expectation, checked."""
    word, *path = name.split(".")
    if word not in WORDS:
        close = difflib.get_close_matches(word, WORDS, n=1)
        hint = f"; did you mean {close[0]}?" if close else f"; it can be {', '.join(WORDS)}"
        raise NotUnderstood(f"an answer has no {word!r}{hint}")
    if path and word not in ("updated_input", *OTHERS):
        raise NotUnderstood(f"{word} has no parts")
    if text is None and word in ("by", "exit", "answer", "updated_input"):
        raise NotUnderstood(f"{word} needs a value: `{word}: …`")
    if word == "exit" and not str(text).isdigit():
        raise NotUnderstood(f"exit is a number, got {text!r}")
    if word in ("answer", "updated_input") and not path:
        try:
            value = json.loads(str(text))
        except ValueError as error:
            raise NotUnderstood(f"{word} must be JSON: {error}") from None
        if not isinstance(value, dict):
            raise NotUnderstood(f"{word} must be a JSON object, got {text}")
    return Line(word, tuple(path), text, number)


def lines_of(text: str | None) -> tuple[Line, ...]:
    """The expectation of an example: None, or the lines of a case in one text."""
    if text is None:
        return (Line("silence", (), None),)
    found = []
    for one in text.splitlines():
        name, colon, rest = one.partition(":")
        found.append(
            Line(MORE, (), None) if one.strip() == MORE else line(name.strip(), rest.strip() if colon else None)
        )
    return tuple(found)


def difference(expected: Sequence[Line], answer: Answer) -> list[str]:
    """Lines of a difference, `-` expected and `+` got; empty where all is as expected."""
    parts = list(parts_of(answer))
    whole = [one for one in expected if one.word == "answer"]
    lines = [one for one in expected if one.word != "answer"]
    unmet = [one for one in lines if not _met(one, parts, answer)]
    over = _unexpected(parts, expected, {one.word for one in unmet})
    shown: list[str] = []
    for one in whole:
        shown += _json_difference(json.loads(str(one.text)), _shortened(answer.sent, answer.short))
    if not unmet and not over:
        return shown
    for one in lines:
        shown += _marked("-" if one in unmet else " ", str(one))
    for part in over:
        shown += _marked("+", str(part))
    if any(one.word == "by" for one in unmet):
        shown += _marked("+", f"by: {', '.join(_speakers(answer)) or 'nobody'}")
    if any(one.word == "exit" for one in unmet):
        shown += _marked("+", f"exit: {answer.exit_code}")
    return shown if parts else shown + _marked("+", "silence")


def _unexpected(parts: list[Part], expected: Sequence[Line], missed: set[str]) -> list[Part]:
    """What was answered otherwise than expected, or without being expected at all."""
    mentioned = {one.word for one in expected}
    if mentioned & {"rewrite", "updated_input"}:
        mentioned |= {"rewrite", "updated_input"}
    if "answer" in mentioned or MORE in mentioned:
        mentioned |= {part.word for part in parts if part.word != "failure"}
    answered_else = bool(missed & {*PERMISSIONS, "rewrite", "updated_input", "silence"})
    return [part for part in parts if part.word in missed or part.word not in mentioned or answered_else]


def parts_of(answer: Answer) -> Iterator[Part]:
    """What was answered, in the words of a case: the project's folder is `@`, the home `~`."""
    for part in _parts_of(answer):
        yield Part(part.word, _shortened(part.value, answer.short))


def _shortened(value: Any, short: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        for folder, mark in short.items():
            value = value.replace(folder, mark)
        return value
    if isinstance(value, dict):
        return {key: _shortened(item, short) for key, item in value.items()}
    return [_shortened(item, short) for item in value] if isinstance(value, list) else value


def _parts_of(answer: Answer) -> Iterator[Part]:
    for failure in answer.failures:
        yield Part("failure", failure)
    decision = answer.decision
    if decision is None:
        return
    if decision.permission:
        yield Part(decision.permission, decision.reason or None)
    if answer.updated_input is not None:
        yield Part("updated_input", dict(answer.updated_input))
    if decision.context:
        yield Part("context", decision.context)
    if decision.message:
        yield Part("message", decision.message)
    if decision.stop_reason is not None:
        yield Part("stop", decision.stop_reason)
    for name, value in (decision.fields or {}).items():
        yield Part(name, value)


def pasted(answer: Answer) -> str:
    """The answer as lines that a case could expect."""
    return "\n".join(str(part) for part in parts_of(answer)) or "silence"


def _met(expected: Line, parts: list[Part], answer: Answer) -> bool:
    word, text = expected.word, expected.text
    if word == MORE:
        return True
    if word == "silence":
        return not parts
    if word == "exit":
        return answer.exit_code == int(str(text))
    if word == "stderr":
        return str(text or "") in answer.stderr
    if word == "by":
        return str(text) in _speakers(answer)
    if word == "rewrite":
        return answer.updated_input is not None
    values = [part.value for part in parts if part.word == word]
    return any(_fits(expected, value) for value in values)


def _fits(expected: Line, value: Any) -> bool:
    for key in expected.path:
        if not isinstance(value, dict) or key not in value:
            return expected.text == ABSENT
        value = value[key]
    if expected.text is None:
        return True
    if expected.text == ABSENT:
        return False
    if isinstance(value, str):
        # A whole value of the input is meant exactly; a text that a hook says is found in what was said.
        return value == expected.text if expected.word == "updated_input" else expected.text in value
    if value is None and not expected.path:
        return not expected.text
    try:
        return bool(json.loads(expected.text) == value)
    except ValueError:
        return False


def _speakers(answer: Answer) -> list[str]:
    return [row["hook"] for row in answer.trace if row["verdict"] != "none"]


def _json_difference(expected: dict[str, Any], got: dict[str, Any] | None) -> list[str]:
    if got == expected:
        return []
    return [
        text.rstrip("\n")
        for text in difflib.unified_diff(_pretty(expected), _pretty(got), "expected", "got", lineterm="", n=2)
    ]


def _pretty(value: Any) -> list[str]:
    if value is None:
        return ["silence"]
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True).splitlines()


def _marked(mark: str, text: str) -> list[str]:
    return [f"{mark} {one}" for one in text.splitlines() or [""]]


def _indented(text: str) -> str:
    return "\n".join(f"    {one}" for one in text.splitlines())
