"""JSON of large payloads, and of those with odd characters: the standard library reads, our strictness stays."""

from __future__ import annotations

from json import JSONDecoder

from hookwright.protocol.json import NotJson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def loads(text: str) -> Any:
    """As protocol.json.loads, with the standard library's scanner."""

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(found)
        if len(made) != len(found):
            raise NotJson("a key appears twice")
        return made

    def constant(word: str) -> Any:
        raise NotJson("not a value")

    try:
        return JSONDecoder(object_pairs_hook=pairs, parse_constant=constant).decode(text)
    except RecursionError:
        raise NotJson("nested too deeply") from None
