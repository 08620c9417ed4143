"""Which option the question itself recommends: exactly one, or none.

A label that ends in "(recommended)" counts; without one, a sentence of the question that recommends and names
exactly one option. Two candidates, a "not", or a label and a sentence that disagree: none, so the user is asked.
"""

from __future__ import annotations

from hookwright.questions.text import RECOMMENDED, folded, without_markers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.question import Question

_RECOMMENDING = frozenset(
    ("recommend", "recommends", "recommended", "recommending", "recommendation", "recommendations")
)
_TURNING = frozenset(
    (
        *("not", "no", "never", "don", "dont", "doesn", "doesnt", "isn", "isnt", "wouldn", "wouldnt", "cannot"),
        *("against", "unless", "avoid", "except", "instead", "rather", "without", "if", "but", "either", "or"),
    )
)
# Words of ordinary sentences: as a label alone they name nothing.
_COMMON = frozenset(
    (
        *("a", "an", "the", "it", "this", "that", "all", "any", "both", "none", "one", "yes", "no", "ok", "i", "we"),
        *("you", "us", "is", "be", "do", "so", "as", "at", "by", "in", "of", "on", "to", "up", "and", "for", "other"),
    )
)


def recommended(question: Question) -> int | None:
    """The place of the recommended option among the labels."""
    labelled = [place for place, label in enumerate(question.labels) if label.strip().lower().endswith(RECOMMENDED)]
    said = _said(question)
    if len(labelled) > 1 or len(said) > 1:
        return None
    if labelled and said and labelled != said:
        return None
    both = labelled or said
    return both[0] if both else None


def _said(question: Question) -> list[int]:
    """Options that a recommending sentence of the question names."""
    text = folded(without_markers(question.text))
    if "recommend" not in text:
        return []
    named: set[int] = set()
    for sentence in _sentences(text):
        words = _words(sentence)
        if _RECOMMENDING.isdisjoint(words):
            continue
        if not _TURNING.isdisjoint(words):
            return []
        named.update(_named(words, [_words(key) for key in question.keys]))
    return sorted(named)


def _named(words: list[str], labels: list[list[str]]) -> list[int]:
    """Labels that occur as a run of words; within a longer label's run, a shorter one is not meant."""
    taken = [False] * len(words)
    found = []
    for place in sorted(range(len(labels)), key=lambda place: -len(labels[place])):
        label = labels[place]
        if not label or (len(label) == 1 and (len(label[0]) < 2 or label[0] in _COMMON)):
            continue
        for at in range(len(words) - len(label) + 1):
            if words[at : at + len(label)] == label and not any(taken[at : at + len(label)]):
                taken[at : at + len(label)] = [True] * len(label)
                found.append(place)
    return found


def _sentences(text: str) -> list[str]:
    for end in ("\n", "! ", "? ", "; ", "\u3002", "\uff01", "\uff1f"):
        text = text.replace(end, ". ")
    return text.split(". ")


def _words(text: str) -> list[str]:
    # `c++`, `.net` and `node.js` are names: their signs are part of them, a full stop at the end is not.
    spaced = "".join([c if c.isalnum() or c in "+#.&" else " " for c in text.replace("'", "").replace("\u2019", "")])
    return [word for word in (part.rstrip(".") for part in spaced.split()) if word]
