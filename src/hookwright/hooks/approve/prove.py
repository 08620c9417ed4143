"""Prove that a shell command only reads, or say what is not proven.

text → parser → tree → [prove_command] → the proof, call by call; raises Unproven
Only what is known is accepted: kinds of commands, words whose every part is literal (file patterns are expanded as the
shell would), programs with every option listed in read_only.toml, paths inside of the given directories that hold no
secret. Silence of other rules is no proof. Nothing is executed.
"""

from __future__ import annotations

from hookwright.hooks.approve.check_programs import prove_program
from hookwright.hooks.approve.readable import PIPE, Readable, Unproven, list_names
from hookwright.proc.resolve_path import resolve_path
from hookwright.shell.call import Word, join_path
from hookwright.shell.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_CHARS = 4000  # of a command that is looked at
MAX_CALLS = 200  # of one command, loops unrolled
MAX_NAMES = 500  # that a file pattern stands for
# Assignments before a command that change how its output looks, nothing else.
HARMLESS_VARIABLES = frozenset(("LC_ALL", "LC_CTYPE", "LC_COLLATE", "LC_MESSAGES", "LANG", "NO_COLOR", "TZ", "COLUMNS"))
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/")


class Prover:
    """One proof: where files may be read, and the calls that were proven so far."""

    def __init__(self, readable: Readable) -> None:
        self.readable = readable
        self.proven: list[str] = []
        self.variables: dict[str, str] = {}  # of loops around the present call

    # -- commands --------------------------------------------------------------------------------------------------

    def prove_list(self, items: list[Any], places: tuple[str, ...]) -> tuple[str, ...]:
        """Prove a list of commands that starts in one of `places`; the directories in which it may end."""
        ends = places  # where a command may have ended before the present one
        for joiner, node, background in items:
            if background:
                raise Unproven("it starts something in the background")
            after = self.prove_node(node, places if joiner == "&&" else ends)
            if after != places:
                places = after
                ends = tuple(dict.fromkeys((*ends, *after)))  # a `cd` that fails leaves the directory as it is
        return ends

    def prove_node(self, node: tuple[Any, ...], places: tuple[str, ...]) -> tuple[str, ...]:
        kind = node[0]
        if kind == "call":
            return self.prove_call(node, places)
        if kind == "|":
            for part in node[1]:
                self.prove_node(part, places)
            return places
        if kind == "(":
            self.prove_redirects(node[2], places)
            self.prove_list(node[1], places)
            return places
        if kind == "{":
            self.prove_redirects(node[2], places)
            return self.prove_list(node[1], places)
        if kind == "if":
            self.prove_redirects(node[3], places)
            for condition, body in node[1]:
                places = self.prove_list(condition, places)
                places = tuple(dict.fromkeys((*places, *self.prove_list(body, places))))
            return tuple(dict.fromkeys((*places, *self.prove_list(node[2], places)))) if node[2] else places
        if kind == "for" and node[2] is not None:
            return self.prove_loop(node, places)
        if kind == "[[":
            self.prove_redirects(node[2], places)
            for word in node[1]:
                self.expand(word, places)
            return places
        raise Unproven(f"`{kind}` is not looked into")

    def prove_loop(self, node: tuple[Any, ...], places: tuple[str, ...]) -> tuple[str, ...]:
        _, name, words, body, redirects, _ = node
        self.prove_redirects(redirects, places)
        if name in HARMLESS_VARIABLES or name.isupper():
            raise Unproven(f"the loop sets {name}, which programs may read")
        values = [value for word in words for value in self.expand(word, places)]
        before = self.variables
        for value in values:
            self.variables = {**before, name: value}
            if self.prove_list(body, places) != places:
                raise Unproven("the loop changes its directory")
        self.variables = before
        return places

    def prove_call(self, node: tuple[Any, ...], places: tuple[str, ...]) -> tuple[str, ...]:
        _, pieces, assigns, redirects, *_ = node  # a fifth item is the word `time` before it
        for name, value, appends in assigns:
            plain = value.__class__ is Word and PLAIN.issuperset(value) and not appends
            if name not in HARMLESS_VARIABLES or not plain or not pieces:
                raise Unproven(f"it sets {name}")
        self.prove_redirects(redirects, places)
        words = [value for piece in pieces for value in self.expand(piece, places)]
        if not words:
            return places
        if len(self.proven) >= MAX_CALLS:
            raise Unproven("it makes too many calls")
        after = prove_program(self.readable, words, places)
        self.proven.append(" ".join(words))
        return after

    def prove_redirects(self, redirects: list[Any], places: tuple[str, ...]) -> None:
        for op, fd, target, doc in redirects:
            if doc is not None:
                if doc.body.__class__ is not Word:
                    raise Unproven("its here-document is not literal")
                continue
            words = self.expand(target, places)
            if op == "<<<":
                continue
            if len(words) != 1:
                raise Unproven("a redirection is not literal")
            word = words[0]
            if op == "<":
                self.readable.check_path(word, places)
            elif op in (">&", "<&") and (word.isdigit() or word == "-") and (fd == "" or fd.isdigit()):
                continue
            elif not (op in (">", ">>", "&>", "&>>") and word == "/dev/null"):
                raise Unproven(f"`{fd}{op} {word}` writes")

    # -- words -----------------------------------------------------------------------------------------------------

    def expand(self, piece: Any, places: tuple[str, ...]) -> list[str]:
        """What the shell makes of one word: itself, or the names that a pattern stands for."""
        if piece.__class__ is Word:
            if piece.glob and piece != "[":  # the program
                return self.expand_pattern(piece, places)
            if piece.home:
                return [self.expand_home(piece)]
            return [str(piece)]
        return [self.expand_pieces(piece, places)]

    def expand_home(self, word: str) -> str:
        if not self.readable.home or (word != "~" and word[:2] != "~/"):
            raise Unproven(f"`{word}` is somebody's home directory")
        return self.readable.home + word[1:]

    def expand_pieces(self, pieces: list[Any], places: tuple[str, ...]) -> str:
        text = ""
        for piece in pieces:
            if piece.__class__ is str:
                if any(mark in drop_revision_marks(piece) for mark in "*?[{~"):
                    raise Unproven(f"`{piece}` stands for words that are not known")
                text += piece
            elif piece[0] == "'":
                text += piece[1]
            elif piece[0] == "$":
                text += self.expand_variable(piece)
            elif piece[0] == "(" and piece[4] == "<(" and len(pieces) == 1:
                self.prove_list(piece[1], places)
                return PIPE
            else:
                raise Unproven("it uses the output of another command as words")
        return text

    def expand_variable(self, piece: tuple[Any, ...]) -> str:
        _, name, source, quoted, op, _ = piece
        value = self.variables.get(name)
        if value is None and name == "HOME":
            value = self.readable.home
        elif name == "?":
            value = "0"  # a number, whichever
        if value is None or op:
            raise Unproven(f"the value of {source} is not known")
        if not quoted and (not value or any(mark in value for mark in " \t\n*?[\\")):
            raise Unproven(f"{source} is not quoted and may be several words")
        return value

    def expand_pattern(self, word: Word, places: tuple[str, ...]) -> list[str]:
        """The names that a pattern with `*` in its last part stands for, as the shell lists them."""
        folder, slash, last = word.rpartition("/")
        if word.quoted or word.home or any(mark in folder for mark in "*?[") or "[" in last or not last:
            raise Unproven(f"`{word}` stands for names that are not looked up")
        names: list[str] = []
        for place in places:
            where = (folder or "/" if folder[:1] == "/" or not folder else join_path(place, folder)) if slash else place
            self.readable.check_directory(where)
            names += [name for name in list_names(where) if matches(name, last) and (name[0] != "." or last[0] == ".")]
        if len(names) > MAX_NAMES:
            raise Unproven(f"`{word}` stands for too many names")
        if any(name[0] == "-" for name in names) and not slash:
            raise Unproven(f"`{word}` includes a name that is read as an option")
        return [folder + slash + name for name in dict.fromkeys(names)] or [str(word)]


def drop_revision_marks(text: str) -> str:
    """The text without `@{u}`, `HEAD@{1}` and the like, whose braces the shell leaves alone."""
    while "@{" in text:
        before, _, rest = text.partition("@{")
        name, brace, after = rest.partition("}")
        if not brace or not name.isalnum():
            return text
        text = before + after
    return text


def matches(name: str, pattern: str) -> bool:
    """Whether a file name matches a pattern of `*` and `?`."""
    first, *rest = pattern.split("*")
    if not same_letters(name[: len(first)], first):
        return False
    at = len(first)
    for number, part in enumerate(rest, 1):
        if number == len(rest):
            return len(name) - len(part) >= at and same_letters(name[len(name) - len(part) :], part)
        while at + len(part) <= len(name) and not same_letters(name[at : at + len(part)], part):
            at += 1
        if at + len(part) > len(name):
            return False
        at += len(part)
    return len(name) == at


def same_letters(text: str, pattern: str) -> bool:
    return len(text) == len(pattern) and all(p in ("?", t) for t, p in zip(text, pattern, strict=True))


def prove_command(text: str, cwd: str, roots: tuple[str, ...], home: str, path: str) -> list[str]:
    """The calls of a command that is proven to read only; raises Unproven with the reason if it is not."""
    if not text.strip():
        raise Unproven("there is no command")
    if len(text) > MAX_CHARS:
        raise Unproven("it is too long")
    if not text.isprintable() and any(not letter.isprintable() and letter not in "\n\t" for letter in text):
        raise Unproven("it holds characters that cannot be seen")
    tree, problem = parse(text)
    if problem:
        raise Unproven(f"it cannot be parsed: {problem}")
    prover = Prover(Readable(roots, home, path))
    prover.readable.check_directory(cwd)
    prover.prove_list(tree, (resolve_path(cwd),))
    if not prover.proven:
        raise Unproven("it runs nothing")
    return prover.proven
