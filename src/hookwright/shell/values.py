"""Values that the words themselves tell: braces, `echo`, `seq`, arithmetic, `${x:-y}`, the turns of a loop.

walk.py → [this, only when a command needs it] → words
Answers None wherever the value depends on anything that is not written in the command.
"""

from __future__ import annotations

from hookwright.shell.command import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.shell.command import Call
    from hookwright.shell.walk import Scope, Walker

MOST_WORDS = 1024  # that one brace expression may become
LONGEST = 1024  # characters of a variable whose pieces we still cut
PATTERN = frozenset("*?[")
DEEPEST = 16  # braces in braces, parentheses in arithmetic


# -- braces ----------------------------------------------------------------------------------------------------------


def braces(pieces: list[Any], depth: int = 0) -> list[list[Any]]:
    """`a{b,c}` and `{1..3}` as the shell would write them out; too many stay as they are written."""
    cells: list[Any] = []  # single characters where unquoted, whole pieces elsewhere
    for piece in pieces:
        if piece.__class__ is str:
            cells.extend(piece)
        else:
            cells.append(piece)
    if len(cells) > MOST_WORDS:
        return [pieces]
    found = expanded(cells, depth)
    if found is None:
        return [pieces]
    return [glued(cells) for cells in found]


def glued(cells: list[Any]) -> list[Any]:
    out: list[Any] = []
    for cell in cells:
        if cell.__class__ is str and out and out[-1].__class__ is str:
            out[-1] += cell
        else:
            out.append(cell)
    return out


def expanded(cells: list[Any], depth: int) -> list[list[Any]] | None:
    """All alternatives of the first brace group, each combined with those of the rest; None when too many."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for index, cell in enumerate(cells):
        if cell == "{":
            opened.append(index)
        elif cell == "}" and opened:
            closing[opened.pop()] = index
    for opening in sorted(closing):
        end = closing[opening]
        level = 0
        edges = [opening]
        for index in range(opening + 1, end):
            cell = cells[index]
            if cell == "{" and index in closing:
                level += 1
            elif cell == "}":
                level -= 1
            elif cell == "," and level == 0:
                edges.append(index)
        edges.append(end)
        if len(edges) > 2:
            choices = [cells[edges[k] + 1 : edges[k + 1]] for k in range(len(edges) - 1)]
        else:
            choices = sequence(cells[opening + 1 : end])
            if not choices:
                continue
        if depth > DEEPEST or len(choices) > MOST_WORDS:
            return None
        before = cells[:opening]
        rests = expanded(cells[end + 1 :], depth + 1)
        if rests is None:
            return None
        out: list[list[Any]] = []
        for choice in choices:
            inner = expanded(choice, depth + 1)
            if inner is None or len(out) + len(inner) * len(rests) > MOST_WORDS:
                return None
            out.extend(before + middle + rest for middle in inner for rest in rests)
        return out
    return [cells]


def sequence(cells: list[Any]) -> list[list[Any]]:
    """`1..5`, `01..10`, `a..e`, `1..9..2`; empty when it is none."""
    if any(cell.__class__ is not str for cell in cells):
        return []
    ends = "".join(cells).split("..")
    if len(ends) not in {2, 3}:
        return []
    step = 1
    if len(ends) == 3:
        if not whole(ends[2]):
            return []
        step = abs(int(ends[2])) or 1
    first, last = ends[0], ends[1]
    if whole(first) and whole(last):
        low, high = int(first), int(last)
        if abs(high - low) // step > MOST_WORDS:
            return [[]] * (MOST_WORDS + 1)
        numbers = range(low, high + 1, step) if low <= high else range(low, high - 1, -step)
        width = max(len(first), len(last)) if first.lstrip("-")[:1] == "0" or last.lstrip("-")[:1] == "0" else 0
        return [list(str(number).zfill(width)) for number in numbers]
    if len(first) == len(last) == 1 and first.isalpha() and last.isalpha():
        low, high = ord(first), ord(last)
        letters = range(low, high + 1, step) if low <= high else range(low, high - 1, -step)
        return [[chr(letter)] for letter in letters]
    return []


def whole(text: str) -> bool:
    digits = text[1:] if text[:1] in {"-", "+"} else text
    return digits.isascii() and digits.isdigit() and len(digits) < 19


# -- what a call prints ----------------------------------------------------------------------------------------------


def output(call: Call, depth: int = 0) -> Word | None:
    """The text that a plain call writes to its standard output; None when it is not plain."""
    if depth > DEEPEST or any(redirect.fd in {"", "1"} and ">" in redirect.op for redirect in call.redirects):
        return None
    return printed(call, depth)


def text_written(call: Call) -> Word | None:
    """The whole text that a call leaves in the file it redirects to; None when it appends or is not plain."""
    writes = [redirect for redirect in call.redirects if redirect.writes]
    if len(writes) != 1 or writes[0].op not in {">", ">|"} or writes[0].fd not in {"", "1"}:
        return None
    return printed(call, 0)


def printed(call: Call, depth: int) -> Word | None:
    maker = PRINTS.get(call.program)
    return maker(call, depth) if maker is not None else None


def echo(call: Call, _depth: int) -> Word:
    words = list(call.words[1:])
    escapes = False
    newline = "\n"
    while words and words[0][:1] == "-" and len(words[0]) > 1 and not words[0][1:].strip("neE"):
        flag = words.pop(0)
        if "n" in flag:
            newline = ""
        if "e" in flag:
            escapes = True
    text = " ".join(words)
    return known((unescaped(text) if escapes else text) + newline, words)


def printf(call: Call, _depth: int) -> Word | None:
    words = call.words[1:]
    if words and words[0] == "--":
        words = words[1:]
    if not words or words[0] == "-v":
        return None
    form = unescaped(words[0])
    rest = list(words[1:])
    out = []
    for _ in range(256):
        parts = form.split("%")
        out.append(parts[0])
        skip = False
        for number in range(1, len(parts)):
            part = parts[number]
            if skip:
                skip = False
                out.append(part)
            elif not part:
                out.append("%")
                skip = True
            elif part[0] in "sdibq":
                value = rest.pop(0) if rest else ""
                out.append((unescaped(value) if part[0] == "b" else value) + part[1:])
            else:
                return None
        if not rest or len(parts) == 1:
            break
    return known("".join(out), list(words))


def cat(call: Call, _depth: int) -> Word | None:
    """Passes on what it reads, when it names no file."""
    return call.stdin_text if not [word for word in call.operands() if word != "-"] else None


def tee(call: Call, _depth: int) -> Word | None:
    return call.stdin_text


def base64(call: Call, _depth: int) -> Word | None:
    """The text behind `base64 -d`."""
    read = call.stdin_text
    if read is None or not read.literal or not call.has_flag("-d", "-D", "--decode") or call.operands():
        return None
    from binascii import Error, a2b_base64

    try:
        return Word(a2b_base64(read).decode("utf-8", "replace"))
    except (Error, ValueError):
        return None


def seq(call: Call, _depth: int) -> Word | None:
    words = call.words[1:]
    if not 1 <= len(words) <= 3 or not all(word.literal and whole(word) for word in words):
        return None
    numbers = [int(word) for word in words]
    first = numbers[0] if len(numbers) > 1 else 1
    step = numbers[1] if len(numbers) == 3 else 1
    last = numbers[-1]
    if step == 0 or abs(last - first) // abs(step) > MOST_WORDS:
        return None
    turns = range(first, last + 1, step) if step > 0 else range(first, last - 1, step)
    return Word("".join([f"{number}\n" for number in turns]))


def basename(call: Call, _depth: int) -> Word | None:
    words = call.words[1:]
    if len(words) not in {1, 2}:
        return None
    name = words[0].rstrip("/").rpartition("/")[2]
    if len(words) == 2 and name != words[1]:
        name = name.removesuffix(words[1])
    return known(name, list(words[:1])) if not words[0].home else None


def dirname(call: Call, _depth: int) -> Word | None:
    words = call.words[1:]
    if len(words) != 1:
        return None
    return known(words[0].rstrip("/").rpartition("/")[0] or ("/" if words[0][:1] == "/" else "."), list(words))


PRINTS = {
    "echo": echo,
    "printf": printf,
    "cat": cat,
    "tee": tee,
    "base64": base64,
    "gbase64": base64,
    "seq": seq,
    "basename": basename,
    "dirname": dirname,
}


def known(text: str, words: list[Word]) -> Word:
    """A text made of these words, and as well known as they are."""
    word = Word(text)
    for part in words:
        if not part.literal or part.glob:
            word.literal = False
        if part.home:
            word.home = True
    return word


def unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    from hookwright.shell.words import Unreadable, Words

    pieces: list[Any] = []
    try:
        Words("$'" + text.replace("'", "\\'") + "'").ansi(pieces)
    except Unreadable:
        return text
    return str(pieces[0][1])


# -- ${…} ------------------------------------------------------------------------------------------------------------


def modified(walker: Walker, value: Any, op: str, arg: Any, scope: Scope, _source: str) -> Any:
    """`${x:-y}` and its kin where x is known (what is not known stays as written)."""
    if value is None:
        return None
    if value.__class__ is list:
        if op == "length":
            return Word(str(len(value)))
        return value if op in {":-", "-", ":?", "?", ":=", "="} and value else None
    if op in {":-", ":=", "-", "="}:
        return walker.text_of(arg, scope, []) if not value and op[0] == ":" else value
    if op in {":?", "?"}:
        return value
    if op in {":+", "+"}:
        return walker.text_of(arg, scope, []) if value or op == "+" else Word("")
    if not value.literal or value.home or len(value) > LONGEST:
        return None
    argument = walker.text_of(arg, scope, []) if arg else Word("")
    if not argument.literal:
        return None
    if op == "length":
        return Word(str(len(value)))
    changed = changed_text(value, op, argument)
    return Word(changed) if changed is not None else None


def changed_text(text: str, op: str, argument: str) -> str | None:
    """`${x#a}`, `${x%b}`, `${x/a/b}`, `${x:1:2}`, `${x^^}` for plain patterns with *."""
    if op in {"#", "##", "%", "%%"}:
        if "?" in argument or "[" in argument:
            return None
        cuts = range(len(text) + 1)
        if op in {"##", "%"}:
            cuts = cuts[::-1]
        for cut in cuts:
            piece, rest = (text[:cut], text[cut:]) if op[0] == "#" else (text[cut:], text[:cut])
            if matches(argument, piece):
                return rest
        return text
    if op in {"/", "//"}:
        old, _, new = argument.partition("/")
        if not old or old[0] in "#%" or not PATTERN.isdisjoint(old):
            return None
        return text.replace(old, new) if op == "//" else text.replace(old, new, 1)
    if op == ":":
        start, _, length = argument.partition(":")
        if not whole(start.strip()) or (length and not whole(length.strip())):
            return None
        rest = text[int(start) :]
        return rest[: int(length)] if length else rest
    if op in {"^^", ",,"} and not argument:
        return text.upper() if op == "^^" else text.lower()
    return None


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern of plain characters and * fits the whole text."""
    first, *rest = pattern.split("*")
    if not rest:
        return text == pattern
    last = rest.pop()
    if not text.startswith(first) or not text.endswith(last) or len(text) < len(first) + len(last):
        return False
    at = len(first)
    for middle in rest:
        found = text.find(middle, at, len(text) - len(last))
        if found < 0:
            return False
        at = found + len(middle)
    return True


# -- arithmetic and turns --------------------------------------------------------------------------------------------


def arithmetic(source: str, variables: dict[str, Any]) -> Word | None:
    """`$(( 2 * n ))` of whole numbers and known variables."""
    inner = source[3:-2] if source.startswith("$((") else source[2:-1]
    value = evaluated(inner, variables)
    return Word(str(value)) if value is not None else None


def evaluated(text: str, variables: dict[str, Any]) -> int | None:
    """+ - * / % and parentheses; None for anything else."""
    tokens = lexed(text, variables)
    if not tokens:
        return None
    try:
        value, rest = summed(tokens, 0, 0)
    except (IndexError, ValueError, ZeroDivisionError):
        return None
    return value if rest == len(tokens) and abs(value) < 1 << 62 else None


def lexed(text: str, variables: dict[str, Any]) -> list[Any] | None:
    tokens: list[Any] = []
    i = 0
    if len(text) > 256:
        return None
    while i < len(text):
        c = text[i]
        j = i + 1
        if c.isspace():
            i = j
            continue
        if c.isascii() and c.isdigit():
            while j < len(text) and text[j].isalnum():
                j += 1
            if not whole(text[i:j]) or (c == "0" and j - i > 1):
                return None
            tokens.append(int(text[i:j]))
        elif c.isalpha() or c in "_$":
            while j < len(text) and (text[j].isalnum() or text[j] in "_{}"):
                j += 1
            value = variables.get(text[i:j].strip("${}"))
            if value.__class__ is not Word or not value.literal or not whole(value):
                return None
            tokens.append(int(value))
        elif c in "+-*/%()":
            if text[i : i + 2] in {"**", "++", "--", "+=", "-=", "*=", "/=", "%="}:
                return None
            tokens.append(c)
        else:
            return None
        i = j
    return tokens


def summed(tokens: list[Any], i: int, depth: int) -> tuple[int, int]:
    value, i = multiplied(tokens, i, depth)
    while i < len(tokens) and tokens[i] in ("+", "-"):
        more, after = multiplied(tokens, i + 1, depth)
        value = value + more if tokens[i] == "+" else value - more
        i = after
    return value, i


def multiplied(tokens: list[Any], i: int, depth: int) -> tuple[int, int]:
    value, i = single(tokens, i, depth)
    while i < len(tokens) and tokens[i] in ("*", "/", "%"):
        more, after = single(tokens, i + 1, depth)
        if tokens[i] == "*":
            value *= more
        else:
            quotient = abs(value) // abs(more) * (1 if (value < 0) == (more < 0) else -1)
            value = quotient if tokens[i] == "/" else value - quotient * more
        i = after
    return value, i


def single(tokens: list[Any], i: int, depth: int) -> tuple[int, int]:
    if depth > DEEPEST:
        raise ValueError
    cell = tokens[i]
    if cell.__class__ is int:
        return cell, i + 1
    if cell in ("-", "+"):
        value, i = single(tokens, i + 1, depth + 1)
        return (-value if cell == "-" else value), i
    if cell == "(":
        value, i = summed(tokens, i + 1, depth + 1)
        if tokens[i] == ")":
            return value, i + 1
    raise ValueError


def counted(head: str, variables: dict[str, Any]) -> tuple[int | None, bool]:
    """The turns of `for ((i=0; i<10; i++))`, and whether it never ends."""
    parts = head.split(";")
    if len(parts) != 3:
        return None, False
    if not parts[1].strip():
        return None, True
    name, equals, first = parts[0].partition("=")
    start = evaluated(first, variables) if equals else None
    return turned(start, parts[1], parts[2], name.strip(), variables), False


def turned(start: int | None, test: str, step: str, name: str, variables: dict[str, Any]) -> int | None:
    """The turns of a counter from `start` while `test` holds, moved by `step`."""
    if start is None:
        return None
    for sign in ("<=", ">=", "<", ">", "!="):
        left, found, right = test.partition(sign)
        if found:
            break
    else:
        return None
    end = evaluated(right, variables)
    move = moved(step, name)
    if end is None or move is None or left.strip().strip("${}") != name:
        return None
    distance = (end - start) * (1 if move > 0 else -1)
    if (sign[0] == "<") != (move > 0) and sign != "!=":
        return None
    if sign[-1] == "=" and sign != "!=":
        distance += 1
    return max(0, -(-distance // abs(move)))


def moved(step: str, name: str) -> int | None:
    """How far `i++`, `i+=2`, `i=i+1`, `i=$((i+1))` move the counter."""
    text = "".join(step.split()).replace("$", "").strip(";")
    if text in {name + "++", "++" + name}:
        return 1
    if text in {name + "--", "--" + name}:
        return -1
    for form, sign in (
        (name + "+=", 1),
        (name + "-=", -1),
        (name + "=" + name + "+", 1),
        (name + "=" + name + "-", -1),
    ):
        if text.startswith(form) and whole(text[len(form) :]):
            return sign * int(text[len(form) :]) or None
    return None


def turns(kind: str, condition: list[Any], body: list[Any], variables: dict[str, Any]) -> int | None:
    """The turns of `while [ $i -lt 10 ]; do …; i=$((i+1)); done`, where i is known before it."""
    if len(condition) != 1 or kind != "while":
        return None
    node = condition[0][1]
    if node[0] == "((":
        test = node[1]
    elif node[0] in {"call", "[["}:
        words = [
            "".join([piece if piece.__class__ is str else piece[2] if piece[0] == "$" else piece[1] for piece in word])
            if word.__class__ is list
            else str(word)
            for word in node[1]
        ]
        words = [word for word in words if word not in {"[", "]", "test"}]
        signs = {"-lt": "<", "-le": "<=", "-gt": ">", "-ge": ">=", "-ne": "!="}
        if len(words) != 3 or words[1] not in signs:
            return None
        test = words[0] + signs[words[1]] + words[2]
    else:
        return None
    name = ""
    for character in test.lstrip(" ${"):
        if not (character.isalnum() or character == "_"):
            break
        name += character
    value = variables.get(name)
    if value.__class__ is not Word or not whole(value):
        return None
    for _, step, _background in body:
        if step[0] == "((":
            text = step[1]
        elif step[0] == "call" and not step[1] and len(step[2]) == 1 and step[2][0][1].__class__ is list:
            pieces = step[2][0][1]
            if len(pieces) != 1 or pieces[0].__class__ is not tuple or pieces[0][0] != "((":
                continue
            text = step[2][0][0] + "=" + pieces[0][1][3:-2]
        elif step[0] == "call" and len(step[1]) == 2 and step[1][0] == "let" and step[1][1].__class__ is Word:
            text = step[1][1]
        else:
            continue
        count = turned(int(value), test, text, name, variables)
        if count is not None:
            return count
    return None
