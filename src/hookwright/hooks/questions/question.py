"""Parse the questions of one AskUserQuestion call.

tool_input → [parse_questions] → Question, each with id, fingerprint and problem
Never raises: a call that cannot be parsed has no questions; a question with a problem is always asked.
"""

from __future__ import annotations

from hookwright.hooks.questions.normalize import find_markers, label_key, normalize_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_QUESTIONS = 8  # Claude's own tool allows four, MCP servers may allow more
MOST_OPTIONS = 32


class Question:
    """One question as it would be shown. `problem` is "" or why only the user can answer it."""

    __slots__ = ("descriptions", "header", "keys", "labels", "multi", "problem", "qid", "text")

    def __init__(
        self,
        text: str,
        header: str = "",
        labels: tuple[str, ...] = (),
        descriptions: tuple[str, ...] = (),
        *,
        multi: bool = False,
        problem: str = "",
    ) -> None:
        self.text = text
        self.header = header
        self.labels = labels
        self.descriptions = descriptions
        self.multi = multi
        self.keys = tuple([label_key(label) for label in labels])
        found = set(find_markers(text))
        self.qid = found.pop() if len(found) == 1 else None
        self.problem = problem or ("it has two ids" if found else "") or self._option_problem()

    def _option_problem(self) -> str:
        if not self.labels:
            return "it has no options"
        if "" in self.keys:
            return "an option has no label"
        if len(set(self.keys)) != len(self.keys):
            return "two options have the same label"
        return ""

    @property
    def fingerprint(self) -> str:
        """Identifies header, wording and set of options, whatever their order."""
        return compute_fingerprint(self.header, self.text, self.keys)


def compute_fingerprint(header: str, text: str, keys: tuple[str, ...]) -> str:
    parts = [normalize_text(header), normalize_text(text), *sorted(keys)]
    return "q-" + _sha256_hex("\0".join(parts).encode("utf-8", "surrogatepass"))[:16]


def _sha256_hex(data: bytes) -> str:
    # hashlib would load OpenSSL; the same hash is in a small module whose name depends on the Python version.
    try:
        from _sha2 import sha256  # type: ignore[import-not-found]  # noqa: PLC0415
    except ImportError:
        try:
            from _sha256 import sha256  # type: ignore[import-not-found]  # noqa: PLC0415
        except ImportError:
            from hashlib import sha256  # noqa: PLC0415
    digest: str = sha256(data).hexdigest()
    return digest


def parse_questions(tool_input: Any) -> list[Question]:
    """The questions of the call in order; none if the call cannot be parsed."""
    listed = tool_input.get("questions") if isinstance(tool_input, dict) else None
    if not isinstance(listed, (list, tuple)) or not 0 < len(listed) <= MOST_QUESTIONS:
        return []
    found: list[Question] = []
    for raw in listed:
        if not isinstance(raw, dict) or not isinstance(raw.get("question"), str) or not raw["question"].strip():
            return []
        found.append(_parse_question(raw))
    texts = [normalize_text(question.text) for question in found]
    for question, text in zip(found, texts, strict=True):
        if texts.count(text) > 1:
            question.problem = "another question of the call has the same text"
    return found


def _parse_question(raw: dict[str, Any]) -> Question:
    header, options, multi = raw.get("header"), raw.get("options"), raw.get("multiSelect")
    problem = ""
    if header is not None and not isinstance(header, str):
        problem = "its header is not a text"
    if multi is not None and not isinstance(multi, bool):
        problem = "multiSelect is neither true nor false"
    labels: list[str] = []
    descriptions: list[str] = []
    if not isinstance(options, (list, tuple)) or len(options) > MOST_OPTIONS:
        options = ()
        problem = "its options cannot be read"
    for option in options:
        label = option.get("label") if isinstance(option, dict) else option
        if not isinstance(label, str):
            problem = "an option has no label"
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
        problem=problem,
    )
