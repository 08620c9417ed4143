"""Find the option that the question itself recommends: exactly one, or none.

A label that ends in "(recommended)" counts; else a sentence of the question that recommends and names exactly one
option. With two candidates, a negation, or a label and a sentence that disagree there is none, and the user is asked.
"""

from __future__ import annotations

from hookwright.hooks.questions.normalize import RECOMMENDED, fold_case, remove_markers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.questions.question import Question

_RECOMMENDING = frozenset(
    ("recommend", "recommends", "recommended", "recommending", "recommendation", "recommendations")
)
_NEGATING = frozenset(
    (
        *("not", "no", "never", "don", "dont", "doesn", "doesnt", "isn", "isnt", "wouldn", "wouldnt", "cannot"),
        *("against", "unless", "avoid", "except", "instead", "rather", "without", "if", "but", "either", "or"),
    )
)
# Too common in sentences to be recognised as a label.
_COMMON = frozenset(
    (
        *("a", "an", "the", "it", "this", "that", "all", "any", "both", "none", "one", "yes", "no", "ok", "i", "we"),
        *("you", "us", "is", "be", "do", "so", "as", "at", "by", "in", "of", "on", "to", "up", "and", "for", "other"),
    )
)


def find_recommended(question: Question) -> int | None:
    """Index of the recommended option among the labels."""
    labelled = [place for place, label in enumerate(question.labels) if label.strip().lower().endswith(RECOMMENDED)]
    in_text = _find_in_text(question)
    if len(labelled) > 1 or len(in_text) > 1:
        return None
    if labelled and in_text and labelled != in_text:
        return None
    found = labelled or in_text
    return found[0] if found else None


def _find_in_text(question: Question) -> list[int]:
    """Options that a recommending sentence of the question names."""
    text = fold_case(remove_markers(question.text))
    if "recommend" not in text:
        return []
    named: set[int] = set()
    for sentence in _split_sentences(text):
        words = _split_words(sentence)
        if _RECOMMENDING.isdisjoint(words):
            continue
        if not _NEGATING.isdisjoint(words):
            return []
        named.update(_match_labels(words, [_split_words(key) for key in question.keys]))
    return sorted(named)


def _match_labels(words: list[str], labels: list[list[str]]) -> list[int]:
    """Indexes of labels that occur as a run of words; a longer label takes its words from shorter ones."""
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


def _split_sentences(text: str) -> list[str]:
    for end in ("\n", "! ", "? ", "; ", "\u3002", "\uff01", "\uff1f"):
        text = text.replace(end, ". ")
    return text.split(". ")


def _split_words(text: str) -> list[str]:
    # `c++`, `.net` and `node.js` are single words; a full stop at the end is not part of one.
    spaced = "".join([c if c.isalnum() or c in "+#.&" else " " for c in text.replace("'", "").replace("\u2019", "")])
    return [word for word in (part.rstrip(".") for part in spaced.split()) if word]
