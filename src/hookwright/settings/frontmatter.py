"""Read hooks from the frontmatter of a skill, command or agent: YAML between two `---` lines, with positions.

markdown bytes → [read_frontmatter] → YamlDocument → client_validation
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hookwright.settings.json_document import UTF8_MARK, Document, UnreadableError

if TYPE_CHECKING:
    import yaml

MAX_CHARS = 1 << 17  # of a frontmatter
MAX_NODES = 10_000  # of its value, aliases counted each time
FENCE = re.compile(r"---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)


class YamlNode:
    """A YAML value with the interface of a JSON node. `start` is the offset in the whole file."""

    __slots__ = ("_node", "_shift")

    def __init__(self, node: yaml.Node, shift: int) -> None:
        self._node, self._shift = node, shift

    @property
    def start(self) -> int:
        return int(self._node.start_mark.index) + self._shift

    @property
    def value(self) -> Any:
        return _construct_value(self._node)

    @property
    def is_object(self) -> bool:
        return bool(getattr(self._node, "id", "") == "mapping")

    @property
    def is_array(self) -> bool:
        return bool(getattr(self._node, "id", "") == "sequence")

    def members(self) -> list[YamlMember]:
        pairs = self._node.value if self.is_object else []
        return [
            YamlMember(str(key.value), key.start_mark.index + self._shift, YamlNode(node, self._shift))
            for key, node in pairs
        ]

    def elements(self) -> list[YamlNode]:
        return [YamlNode(node, self._shift) for node in self._node.value] if self.is_array else []


@dataclass(frozen=True, slots=True)
class YamlMember:
    key: str
    start: int
    node: YamlNode


@dataclass(frozen=True)
class YamlDocument:
    """The frontmatter of a file; `root` is None if there is none."""

    text: Document
    root: YamlNode | None

    @property
    def path(self) -> str:
        return self.text.path

    @property
    def size(self) -> int:
        return self.text.size

    @property
    def mark(self) -> bytes:
        return self.text.mark

    def where(self, position: int) -> str:
        return self.text.where(position)


def read_frontmatter(raw: bytes, path: str) -> YamlDocument:
    mark = UTF8_MARK if raw.startswith(UTF8_MARK) else b""
    text = Document(path, raw[len(mark) :].decode("utf-8", "replace"), mark, size=len(raw))
    fence = FENCE.match(text.text)
    if fence is None or "hooks" not in fence[1]:
        return YamlDocument(text, None)
    import yaml  # noqa: PLC0415  few files have hooks in their frontmatter

    try:
        node = yaml.compose(fence[1][:MAX_CHARS], Loader=yaml.SafeLoader)
        _require_small(node, len(fence[1]))
        _construct_value(node)
    except (yaml.YAMLError, RecursionError, ValueError) as problem:
        mark_at = getattr(problem, "problem_mark", None)
        position = fence.start(1) + (mark_at.index if mark_at is not None else 0)
        words = getattr(problem, "problem", None) or "unreadable"
        raise UnreadableError(words, text, position, "YAML") from None
    return YamlDocument(text, None if node is None else YamlNode(node, fence.start(1)))


def _require_small(node: yaml.Node | None, length: int) -> None:
    """ValueError if the text is too long or its value too large: aliases of aliases double it with each line."""
    sizes: dict[int, int] = {}

    def count(part: Any) -> int:
        if isinstance(part, tuple):
            return sum(map(count, part))
        known = sizes.get(id(part))
        if known is None:
            sizes[id(part)] = MAX_NODES + 1  # until it is known: an alias of itself has no end
            known = 1 + sum(map(count, part.value)) if part.id != "scalar" else 1
            sizes[id(part)] = known
        return known

    if length > MAX_CHARS or (node is not None and count(node) > MAX_NODES):
        raise ValueError


def _construct_value(node: yaml.Node | None) -> Any:
    import yaml  # noqa: PLC0415  as above

    loader = yaml.SafeLoader("")
    try:
        return None if node is None else loader.construct_document(node)
    finally:
        loader.dispose()
