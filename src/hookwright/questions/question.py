"""The questions of one call, read from whatever the tool was given.

tool_input → [read] → Question, each with its id, its fingerprint and what is wrong with it
Never raises: a call that cannot be read has no questions, a question that cannot be judged says why and is asked.
"""

from __future__ import annotations

from hookwright.questions.text import key, markers, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_QUESTIONS = 8  # Claude's own tool has four; an MCP server may have its own idea
MOST_OPTIONS = 32


class Question:
    """One question as it would be shown. `trouble` is "" or why nobody but the user can answer it."""

    __slots__ = ("descriptions", "header", "keys", "labels", "multi", "qid", "text", "trouble")

    def __init__(
        self,
        text: str,
        header: str = "",
        labels: tuple[str, ...] = (),
        descriptions: tuple[str, ...] = (),
        *,
        multi: bool = False,
        trouble: str = "",
    ) -> None:
        self.text = text
        self.header = header
        self.labels = labels
        self.descriptions = descriptions
        self.multi = multi
        self.keys = tuple([key(label) for label in labels])
        found = set(markers(text))
        self.qid = found.pop() if len(found) == 1 else None
        self.trouble = trouble or ("it bears two ids" if found else "") or self._trouble_with_options()

    def _trouble_with_options(self) -> str:
        if not self.labels:
            return "it has no options"
        if "" in self.keys:
            return "an option has no label"
        if len(set(self.keys)) != len(self.keys):
            return "two options have the same label"
        return ""

    @property
    def fingerprint(self) -> str:
        """The same for the same header, wording and set of options, whatever their order."""
        return fingerprint(self.header, self.text, self.keys)


def fingerprint(header: str, text: str, keys: tuple[str, ...]) -> str:
    parts = [normal(header), normal(text), *sorted(keys)]
    return "q-" + _sha256("\0".join(parts).encode("utf-8", "surrogatepass"))[:16]


def _sha256(data: bytes) -> str:
    # hashlib would load OpenSSL; the same hash lives in a small module, whose name depends on the interpreter.
    try:
        from _sha2 import sha256  # type: ignore[import-not-found]  # noqa: PLC0415
    except ImportError:
        try:
            from _sha256 import sha256  # type: ignore[import-not-found]  # noqa: PLC0415
        except ImportError:
            from hashlib import sha256  # noqa: PLC0415
    digest: str = sha256(data).hexdigest()
    return digest


def read(tool_input: Any) -> list[Question]:
    """Every question of the call in order; none when the call cannot be read."""
    listed = tool_input.get("questions") if isinstance(tool_input, dict) else None
    if not isinstance(listed, (list, tuple)) or not 0 < len(listed) <= MOST_QUESTIONS:
        return []
    found: list[Question] = []
    for raw in listed:
        if not isinstance(raw, dict) or not isinstance(raw.get("question"), str) or not raw["question"].strip():
            return []
        found.append(_question(raw))
    texts = [normal(question.text) for question in found]
    for question, text in zip(found, texts, strict=True):
        if texts.count(text) > 1:
            question.trouble = "another question of the call has the same text"
    return found


def _question(raw: dict[str, Any]) -> Question:
    header, options, multi = raw.get("header"), raw.get("options"), raw.get("multiSelect")
    trouble = ""
    if header is not None and not isinstance(header, str):
        trouble = "its header is not a text"
    if multi is not None and not isinstance(multi, bool):
        trouble = "multiSelect is neither true nor false"
    labels: list[str] = []
    descriptions: list[str] = []
    if not isinstance(options, (list, tuple)) or len(options) > MOST_OPTIONS:
        options = ()
        trouble = "its options cannot be read"
    for option in options:
        label = option.get("label") if isinstance(option, dict) else option
        if not isinstance(label, str):
            trouble = "an option has no label"
            continue
        labels.append(label)
        described = option.get("description") if isinstance(option, dict) else None
        if isinstance(described, str):
            descriptions.append(described)
    return Question(
        raw["question"],
        header if isinstance(header, str) else "",
        tuple(labels),
        tuple(descriptions),
        multi=multi is True,
        trouble=trouble,
    )
