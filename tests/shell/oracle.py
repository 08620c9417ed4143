"""The list of executed commands from two parsers: ours and shfmt.

A command is (words, redirections, assignments, background); a word that is not literal is None.
"""

import json
import subprocess
import sys
from pathlib import Path

from hookwright.shell.command import Word
from hookwright.shell.parser import parse

SHFMT = str(Path(sys.executable).parent / "shfmt")
MARKER = "__end_of_text_"
DECLARES = {"declare", "export", "local", "readonly", "typeset", "nameref"}


class Rejected(Exception):
    """The parser rejects the text."""


# -- ours ------------------------------------------------------------------------------------------------------------


def ours(text):
    tree, problem = parse(text)
    if problem:
        raise Rejected(problem)
    found = []
    _list(tree, found, background=False)
    return sorted(found, key=repr)


def _list(items, found, *, background):
    for _joiner, node, sends in items:
        _node(node, found, background or sends)


def _node(node, found, background):
    kind = node[0]
    if kind == "call":
        _call(node, found, background)
    elif kind == "|":
        for stage in node[1]:
            _node(stage, found, background)
    elif kind in {"function", "coproc"}:
        _node(node[2], found, background)
    else:
        _compound(kind, node, found, background)


def _compound(kind, node, found, background):
    lists, words = [], []
    if kind in {"(", "{"}:
        lists = [node[1]]
    elif kind == "if":
        lists = [inner for arm in node[1] for inner in arm] + [node[2] or []]
    elif kind in {"while", "until"}:
        lists = [node[1], node[2]]
    elif kind in {"for", "select"}:
        words, lists = node[2] or [], [node[3]]
    elif kind == "for((":
        words, lists = [node[2]], [node[3]]
    elif kind == "case":
        words = [node[1], *(word for patterns, _ in node[2] for word in patterns)]
        lists = [body for _, body in node[2]]
    elif kind == "[[":
        words = node[1]
    elif kind == "((":
        words = [node[2]]
    for items in lists:
        _list(items, found, background=background)
    for word in words:
        _pieces(word, found, background)
    _redirections(node[4] if kind in {"for", "select"} else node[-1], found, background)


def _redirections(redirs, found, background):
    for _op, _fd, target, document in redirs:
        _pieces(target, found, background)
        if document is not None:
            _pieces(document.body, found, background)


def _pieces(word, found, background):
    for piece in word if isinstance(word, list) else ():
        if isinstance(piece, str) or piece[0] == "'":
            continue
        if piece[0] == "(":
            _list(piece[1], found, background=background)
        else:
            _pieces(piece[5] if piece[0] == "$" else piece[3], found, background)


def _call(node, found, background):
    _, words, assigns, redirs = node[:4]
    if words:
        texts = tuple(_text(word) for word in words)
        if texts[0] in DECLARES:
            texts = (texts[0], len(texts) - 1)
        elif texts[0] == "let":
            texts = ("let",)
        found.append((texts, len(redirs), len(assigns), background))
    for word in words:
        _pieces(word, found, background)
    for _name, value, _appends in assigns:
        if isinstance(value, list) and value and isinstance(value[0], (Word, list)):
            for word in value:
                _pieces(word, found, background)
        else:
            _pieces(value, found, background)
    _redirections(redirs, found, background)


def _text(word):
    if isinstance(word, Word):
        return str(word)
    if all(isinstance(piece, str) or piece[0] == "'" for piece in word):
        return "".join(piece if isinstance(piece, str) else piece[1] for piece in word)
    return None


# -- shfmt's ---------------------------------------------------------------------------------------------------------


def shfmt(text):
    return _commands(_statements(text))


def shfmt_of_each(texts):
    """What shfmt reads in each of many texts, "rejected" where it is no shell to it; many go to one process.

    A marker stands between two texts. Where the markers do not come back as statements of their own, one of the texts
    was not complete: then each half is read by itself.
    """
    if len(texts) == 1:
        try:
            return [shfmt(texts[0])]
        except Rejected:
            return ["rejected"]
    try:
        statements = _statements("".join(f"{text}\n{MARKER}{index}\n" for index, text in enumerate(texts)))
    except Rejected:
        statements = []
    parts = [[]]
    for statement in statements:
        if _words(statement.get("Cmd") or {"Type": ""}) == (f"{MARKER}{len(parts) - 1}",):
            parts.append([])
        else:
            parts[-1].append(statement)
    if len(parts) == len(texts) + 1:
        return [_commands(part) for part in parts[:-1]]
    half = len(texts) // 2
    return shfmt_of_each(texts[:half]) + shfmt_of_each(texts[half:])


def _statements(text):
    done = subprocess.run(
        [SHFMT, "--to-json", "-ln", "bash"], input=text.encode(), capture_output=True, check=False, timeout=600
    )
    if done.returncode:
        raise Rejected(done.stderr.decode().strip())
    return json.loads(done.stdout).get("Stmts") or []


def _commands(statements):
    found = []
    _visit(statements, found, background=False)
    return sorted(found, key=repr)


def _visit(node, found, *, background):
    if isinstance(node, list):
        for inner in node:
            _visit(inner, found, background=background)
        return
    if not isinstance(node, dict):
        return
    background = background or node.get("Background", False)
    command = node.get("Cmd")
    if command:
        words = _words(command)
        if words:
            found.append((words, len(node.get("Redirs") or ()), len(command.get("Assigns") or ()), background))
    for inner in node.values():
        _visit(inner, found, background=background)


def _words(command):
    if command["Type"] == "CallExpr":
        words = tuple(_word(word) for word in command.get("Args") or ())
        return (words[0], len(words) - 1) if words and words[0] in DECLARES else words
    if command["Type"] == "DeclClause":
        return (command["Variant"]["Value"], len(command.get("Args") or ()))
    if command["Type"] == "LetClause":
        return ("let",)
    return ()


def _word(word):
    texts = [_part(part) for part in word["Parts"]]
    return None if None in texts else "".join(texts)


def _part(part):
    kind = part["Type"]
    if kind == "Lit":
        return _unescaped(part["Value"])
    if kind == "SglQuoted":
        value = part.get("Value", "")
        return value if not part.get("Dollar") else value.encode("latin-1", "backslashreplace").decode("unicode_escape")
    if kind == "DblQuoted":
        texts = [_quoted(inner["Value"]) if inner["Type"] == "Lit" else None for inner in part.get("Parts") or ()]
        return None if None in texts else "".join(texts)
    if kind == "ExtGlob":
        return part["Op"] + part["Pattern"]["Value"] + ")"
    if kind == "BraceExp":
        return None
    return None


def _unescaped(text):
    out = []
    at = 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            out.append("" if text[at + 1] == "\n" else text[at + 1])
            at += 2
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def _quoted(text):
    out = []
    at = 0
    while at < len(text):
        following = text[at + 1 : at + 2]
        if text[at] == "\\" and following and following in '$`"\\\n':
            out.append("" if following == "\n" else following)
            at += 2
        else:
            out.append(text[at])
            at += 1
    return "".join(out)
