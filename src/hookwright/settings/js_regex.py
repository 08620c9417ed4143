"""Translate a JavaScript regular expression, as matchers are, to Python syntax.

matcher text → [translate_regex] → pattern for `re.compile`
"""

from __future__ import annotations

import re

TOKEN = re.compile(
    r"\\k<(?P<back>[^>]*)>|\(\?<(?P<group>[A-Za-z_$][\w$]*)>|\[(?P<negated>\^?)(?P<bracket>(?:\\.|[^\]\\])*)\]"
    r"|\\c(?P<control>[A-Za-z])|\\(?P<escape>.)|(?P<end>\$)|(?P<brace>\{)(?!\d+(?:,\d*)?\})",
    re.DOTALL,
)
SAME_IN_PYTHON = frozenset("bBdDsSwWfnrtvxu0123456789")  # escapes that mean the same


def translate_regex(text: str) -> str:
    """Translate group names, brackets, needless escapes and `$`. Compile the result with `re.ASCII`."""
    pieces, at = [], 0
    for found in TOKEN.finditer(text):
        pieces.append(text[at : found.start()])
        at = found.end()
        if found["back"] is not None:
            pieces.append(f"(?P={found['back']})")
        elif found["group"] is not None:
            pieces.append(f"(?P<{found['group']}>")
        elif found["bracket"] is not None:
            pieces.append(_translate_bracket(found["negated"], found["bracket"]))
        elif found["end"]:
            pieces.append(r"\Z")
        elif found["brace"]:
            pieces.append(r"\{")  # `{,2}` is no quantifier
        elif found["control"]:
            pieces.append(_translate_control(found["control"]))
        else:
            pieces.append(_translate_escape(found["escape"]))
    return "".join([*pieces, text[at:]])


def _translate_escape(char: str) -> str:
    return "\\" + char if char in SAME_IN_PYTHON else re.escape(char)


def _translate_control(letter: str) -> str:
    return f"\\x{ord(letter) % 32:02x}"


def _translate_bracket(negated: str, inside: str) -> str:
    if not inside:
        return r"[\s\S]" if negated else r"(?!)"
    # A class of characters takes part in no range: the dash beside it is meant literally.
    inside = re.sub(r"(\\[dDsSwW])-(?=.)", r"\1\\-", inside, flags=re.DOTALL)
    inside = re.sub(r"(?<=[^\\])-(?=\\[dDsSwW])", r"\\-", inside)
    inside = re.sub(r"\\c([A-Za-z0-9_])", lambda found: _translate_control(found[1]), inside)
    inside = re.sub(r"\\(.)", lambda found: _translate_escape(found[1]), inside, flags=re.DOTALL)
    # Python warns about these: it reserves them for nested sets.
    inside = re.sub(r"(?<!\\)\[", r"\\[", inside)
    inside = re.sub(r"(?<!\\)([-&~|])(?=\1)", r"\\\1", inside)
    return f"[{negated}{inside}]"
