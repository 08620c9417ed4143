"""Compare what a case expects with the answer.

`deny: --force-with-lease` → [ExpectedLine] ← Answer → no difference, or lines that can be pasted into the case
Everything in the answer must be expected, so that a case cannot pass by omission; a line `...` lifts that.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hookwright.protocol.capabilities import LEGAL

if TYPE_CHECKING:
    from hookwright.testing.sandbox import Answer

PERMISSIONS = ("deny", "ask", "allow", "block")
TEXTS = ("context", "message", "stop", "stderr", "failure")
STANDARD = ("rewrite", "context", "message", "stop", *PERMISSIONS)
OTHERS = tuple(sorted({word for words in LEGAL.values() for word in words} - set(STANDARD)))
ABSENT = "(absent)"
MORE = "..."
WORDS = ("silence", *PERMISSIONS, "rewrite", "updated_input", *TEXTS, "by", "exit", "answer", *OTHERS)


class ExpectationError(ValueError):
    """An unknown or malformed expectation; the message lists what is possible."""


@dataclass(frozen=True)
class ExpectedLine:
    """One expectation: a word, a path below it, and its text; None if there is only the word."""

    word: str
    path: tuple[str, ...]
    text: str | None
    number: int = 0

    def __str__(self) -> str:
        name = ".".join((self.word, *self.path))
        if self.text is None:
            return name
        return f"{name}: {self.text}" if "\n" not in self.text else f"{name}:\n{_indent_lines(self.text)}"


@dataclass(frozen=True)
class AnswerPart:
    """One part of an answer: a word and its value."""

    word: str
    value: Any

    def __str__(self) -> str:
        if self.value is None:
            return self.word
        text = self.value if isinstance(self.value, str) else json.dumps(self.value, ensure_ascii=False)
        return str(ExpectedLine(self.word, (), text))


def parse_line(name: str, text: str | None, number: int = 0) -> ExpectedLine:
    """Parse and check one line."""
    word, *path = name.split(".")
    if word not in WORDS:
        close = difflib.get_close_matches(word, WORDS, n=1)
        hint = f"; did you mean {close[0]}?" if close else f"; it can be {', '.join(WORDS)}"
        raise ExpectationError(f"an answer has no {word!r}{hint}")
    if path and word not in ("updated_input", *OTHERS):
        raise ExpectationError(f"{word} has no parts")
    if text is None and word in ("by", "exit", "answer", "updated_input"):
        raise ExpectationError(f"{word} needs a value: `{word}: …`")
    if word == "exit" and not str(text).isdigit():
        raise ExpectationError(f"exit is a number, got {text!r}")
    if word in ("answer", "updated_input") and not path:
        try:
            value = json.loads(str(text))
        except ValueError as error:
            raise ExpectationError(f"{word} must be JSON: {error}") from None
        if not isinstance(value, dict):
            raise ExpectationError(f"{word} must be a JSON object, got {text}")
    return ExpectedLine(word, tuple(path), text, number)


def parse_example(text: str | None) -> tuple[ExpectedLine, ...]:
    """Parse the expectation of an example: None (silence), or the lines of a case in one string."""
    if text is None:
        return (ExpectedLine("silence", (), None),)
    found = []
    for one in text.splitlines():
        name, colon, rest = one.partition(":")
        found.append(
            ExpectedLine(MORE, (), None)
            if one.strip() == MORE
            else parse_line(name.strip(), rest.strip() if colon else None)
        )
    return tuple(found)


def diff_answer(expected: Sequence[ExpectedLine], answer: Answer) -> list[str]:
    """Diff lines, `-` expected and `+` got; empty if the answer is as expected."""
    parts = list(answer_parts(answer))
    whole = [one for one in expected if one.word == "answer"]
    lines = [one for one in expected if one.word != "answer"]
    unmet = [one for one in lines if not _is_met(one, parts, answer)]
    over = _unexpected_parts(parts, expected, {one.word for one in unmet})
    shown: list[str] = []
    for one in whole:
        shown += _diff_json(json.loads(str(one.text)), _shorten_paths(answer.sent, answer.short))
    if not unmet and not over:
        return shown
    for one in lines:
        shown += _mark_lines("-" if one in unmet else " ", str(one))
    for part in over:
        shown += _mark_lines("+", str(part))
    if any(one.word == "by" for one in unmet):
        shown += _mark_lines("+", f"by: {', '.join(_speaking_hooks(answer)) or 'nobody'}")
    if any(one.word == "exit" for one in unmet):
        shown += _mark_lines("+", f"exit: {answer.exit_code}")
    return shown if parts else shown + _mark_lines("+", "silence")


def _unexpected_parts(parts: list[AnswerPart], expected: Sequence[ExpectedLine], missed: set[str]) -> list[AnswerPart]:
    """Parts of the answer that differ from what is expected, or are not expected at all."""
    mentioned = {one.word for one in expected}
    if mentioned & {"rewrite", "updated_input"}:
        mentioned |= {"rewrite", "updated_input"}
    if "answer" in mentioned or MORE in mentioned:
        mentioned |= {part.word for part in parts if part.word != "failure"}
    answered_else = bool(missed & {*PERMISSIONS, "rewrite", "updated_input", "silence"})
    return [part for part in parts if part.word in missed or part.word not in mentioned or answered_else]


def answer_parts(answer: Answer) -> Iterator[AnswerPart]:
    """The answer in the words of a case; the project directory is `@`, the home `~`."""
    for part in _raw_parts(answer):
        yield AnswerPart(part.word, _shorten_paths(part.value, answer.short))


def _shorten_paths(value: Any, short: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        for folder, mark in short.items():
            value = value.replace(folder, mark)
        return value
    if isinstance(value, dict):
        return {key: _shorten_paths(item, short) for key, item in value.items()}
    return [_shorten_paths(item, short) for item in value] if isinstance(value, list) else value


def _raw_parts(answer: Answer) -> Iterator[AnswerPart]:
    for failure in answer.failures:
        yield AnswerPart("failure", failure)
    decision = answer.decision
    if decision is None:
        return
    if decision.permission:
        yield AnswerPart(decision.permission, decision.reason or None)
    if answer.updated_input is not None:
        yield AnswerPart("updated_input", dict(answer.updated_input))
    if decision.context:
        yield AnswerPart("context", decision.context)
    if decision.message:
        yield AnswerPart("message", decision.message)
    if decision.stop_reason is not None:
        yield AnswerPart("stop", decision.stop_reason)
    for name, value in (decision.fields or {}).items():
        yield AnswerPart(name, value)


def format_answer(answer: Answer) -> str:
    """The answer as lines that a case could expect."""
    return "\n".join(str(part) for part in answer_parts(answer)) or "silence"


def _is_met(expected: ExpectedLine, parts: list[AnswerPart], answer: Answer) -> bool:
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
        return str(text) in _speaking_hooks(answer)
    if word == "rewrite":
        return answer.updated_input is not None
    values = [part.value for part in parts if part.word == word]
    return any(_value_matches(expected, value) for value in values)


def _value_matches(expected: ExpectedLine, value: Any) -> bool:
    for key in expected.path:
        if not isinstance(value, dict) or key not in value:
            return expected.text == ABSENT
        value = value[key]
    if expected.text is None:
        return True
    if expected.text == ABSENT:
        return False
    if isinstance(value, str):
        # A value of the input must be equal; the text of a reason or a context must be contained.
        return value == expected.text if expected.word == "updated_input" else expected.text in value
    if value is None and not expected.path:
        return not expected.text
    try:
        return bool(json.loads(expected.text) == value)
    except ValueError:
        return False


def _speaking_hooks(answer: Answer) -> list[str]:
    return [row["hook"] for row in answer.trace if row["verdict"] != "none"]


def _diff_json(expected: dict[str, Any], got: dict[str, Any] | None) -> list[str]:
    if got == expected:
        return []
    return [
        text.rstrip("\n")
        for text in difflib.unified_diff(
            _pretty_lines(expected), _pretty_lines(got), "expected", "got", lineterm="", n=2
        )
    ]


def _pretty_lines(value: Any) -> list[str]:
    if value is None:
        return ["silence"]
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True).splitlines()


def _mark_lines(mark: str, text: str) -> list[str]:
    return [f"{mark} {one}" for one in text.splitlines() or [""]]


def _indent_lines(text: str) -> str:
    return "\n".join(f"    {one}" for one in text.splitlines())
