"""One-way doors: questions that only the user may answer, whatever a preference says.

question → [door] → the rule that met it and what it saw, or None
One pattern a file: why, EXAMPLES, check. Wrongly asking costs a keystroke, wrongly answering may cost the work:
where a word can be meant either way, the rule takes it for the door.
"""

from __future__ import annotations

from hookwright.questions.one_way import (
    access,
    credentials,
    deletion,
    deployment,
    discarding,
    disguise,
    drop,
    force_push,
    history_rewrite,
    infrastructure,
    irreversible,
    law,
    migration,
    payment,
    personal_data,
    production,
    publication,
    sending,
    shared_branch,
)
from hookwright.questions.one_way.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from hookwright.questions.question import Question

RULES: tuple[Any, ...] = (
    disguise,
    irreversible,
    deletion,
    drop,
    discarding,
    force_push,
    history_rewrite,
    shared_branch,
    deployment,
    production,
    infrastructure,
    migration,
    publication,
    sending,
    payment,
    credentials,
    access,
    personal_data,
    law,
)
OWN = "your-words"  # the rule's name for words that the user's configuration adds


def door(question: Question, own_words: Iterable[str] = ()) -> tuple[str, str] | None:
    """The first rule that this question meets, and the words it saw."""
    parts = (question.text, question.header, *question.labels, *question.descriptions)
    return door_in(Text(parts), own_words)


def door_in(text: Text, own_words: Iterable[str] = ()) -> tuple[str, str] | None:
    for rule in RULES:
        seen = rule.check(text)
        if seen:
            return rule.ID, seen
    for words in own_words:
        wanted = Text((words,)).parts[0]
        if wanted.strip() and wanted in text.whole:
            return OWN, words
    return None


def explained(found: tuple[str, str]) -> str:
    """For the reader: which door, and by which words it was known."""
    rule, seen = found
    return f"a one-way door ({rule.replace('-', ' ')}: \u201c{seen}\u201d)"
