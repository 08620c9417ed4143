"""Expansions: braces, `${x:-y}`, arithmetic, and how often a counting loop iterates.

evaluator.py → [this, only when a command needs it] → words
None wherever the value depends on anything that is not written in the command.
"""

from __future__ import annotations

from hookwright.shell.call import Word, is_integer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.shell.evaluator import Scope, Walker

MAX_WORDS = 1024  # that one brace expression may expand to
MAX_CHARS = 1024  # of a value to which ${x#a} and its like are still applied
PATTERN = frozenset("*?[")
MAX_DEPTH = 16  # of nested braces, and of parentheses in arithmetic


# -- braces ----------------------------------------------------------------------------------------------------------


def expand_braces(pieces: list[Any], depth: int = 0) -> list[list[Any]]:
    """The words that `a{b,c}` and `{1..3}` expand to, as pieces; if there are too many, the pieces unchanged."""
    cells: list[Any] = []  # unquoted text as single characters, other pieces whole
    for piece in pieces:
        if piece.__class__ is str:
            cells.extend(piece)
        else:
            cells.append(piece)
    if len(cells) > MAX_WORDS:
        return [pieces]
    found = expand_cells(cells, depth)
    if found is None:
        return [pieces]
    return [join_cells(cells) for cells in found]


def join_cells(cells: list[Any]) -> list[Any]:
    out: list[Any] = []
    for cell in cells:
        if cell.__class__ is str and out and out[-1].__class__ is str:
            out[-1] += cell
        else:
            out.append(cell)
    return out


def expand_cells(cells: list[Any], depth: int) -> list[list[Any]] | None:
    """The alternatives of the first brace group, combined with those of the rest; None when too many."""
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
            choices = expand_sequence(cells[opening + 1 : end])
            if not choices:
                continue
        if depth > MAX_DEPTH or len(choices) > MAX_WORDS:
            return None
        before = cells[:opening]
        rests = expand_cells(cells[end + 1 :], depth + 1)
        if rests is None:
            return None
        out: list[list[Any]] = []
        for choice in choices:
            inner = expand_cells(choice, depth + 1)
            if inner is None or len(out) + len(inner) * len(rests) > MAX_WORDS:
                return None
            out.extend(before + middle + rest for middle in inner for rest in rests)
        return out
    return [cells]


def expand_sequence(cells: list[Any]) -> list[list[Any]]:
    """`1..5`, `01..10`, `a..e`, `1..9..2`; empty when it is not a sequence."""
    if any(cell.__class__ is not str for cell in cells):
        return []
    ends = "".join(cells).split("..")
    if len(ends) not in {2, 3}:
        return []
    step = 1
    if len(ends) == 3:
        if not is_integer(ends[2]):
            return []
        step = abs(int(ends[2])) or 1
    first, last = ends[0], ends[1]
    if is_integer(first) and is_integer(last):
        low, high = int(first), int(last)
        if abs(high - low) // step > MAX_WORDS:
            return [[]] * (MAX_WORDS + 1)
        numbers = range(low, high + 1, step) if low <= high else range(low, high - 1, -step)
        width = max(len(first), len(last)) if first.lstrip("-")[:1] == "0" or last.lstrip("-")[:1] == "0" else 0
        return [list(str(number).zfill(width)) for number in numbers]
    if len(first) == len(last) == 1 and first.isalpha() and last.isalpha():
        low, high = ord(first), ord(last)
        letters = range(low, high + 1, step) if low <= high else range(low, high - 1, -step)
        return [[chr(letter)] for letter in letters]
    return []


# -- ${…} ------------------------------------------------------------------------------------------------------------


def apply_parameter_operator(walker: Walker, value: Any, op: str, arg: Any, scope: Scope, _source: str) -> Any:
    """Apply the operator of `${x:-y}`, `${x#y}`, … to a known value; None when the result is unknown."""
    if value is None:
        return None
    if value.__class__ is list:
        if op == "length":
            return Word(str(len(value)))
        return value if op in {":-", "-", ":?", "?", ":=", "="} and value else None
    if op in {":-", ":=", "-", "="}:
        return walker.expand_unsplit(arg, scope, []) if not value and op[0] == ":" else value
    if op in {":?", "?"}:
        return value
    if op in {":+", "+"}:
        return walker.expand_unsplit(arg, scope, []) if value or op == "+" else Word("")
    if not value.literal or value.home or len(value) > MAX_CHARS:
        return None
    argument = walker.expand_unsplit(arg, scope, []) if arg else Word("")
    if not argument.literal:
        return None
    if op == "length":
        return Word(str(len(value)))
    changed = transform_text(value, op, argument)
    return Word(changed) if changed is not None else None


def transform_text(text: str, op: str, argument: str) -> str | None:
    """`${x#a}`, `${x%b}`, `${x/a/b}`, `${x:1:2}`, `${x^^}`; of patterns only those with *."""
    if op in {"#", "##", "%", "%%"}:
        if "?" in argument or "[" in argument:
            return None
        cuts = range(len(text) + 1)
        if op in {"##", "%"}:
            cuts = cuts[::-1]
        for cut in cuts:
            piece, rest = (text[:cut], text[cut:]) if op[0] == "#" else (text[cut:], text[:cut])
            if matches_glob(argument, piece):
                return rest
        return text
    if op in {"/", "//"}:
        old, _, new = argument.partition("/")
        if not old or old[0] in "#%" or not PATTERN.isdisjoint(old):
            return None
        return text.replace(old, new) if op == "//" else text.replace(old, new, 1)
    if op == ":":
        start, _, length = argument.partition(":")
        if not is_integer(start.strip()) or (length and not is_integer(length.strip())):
            return None
        rest = text[int(start) :]
        return rest[: int(length)] if length else rest
    if op in {"^^", ",,"} and not argument:
        return text.upper() if op == "^^" else text.lower()
    return None


def matches_glob(pattern: str, text: str) -> bool:
    """Whether a pattern of plain characters and * matches the whole text."""
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


# -- arithmetic and loops --------------------------------------------------------------------------------------------


def expand_arithmetic(source: str, variables: dict[str, Any]) -> Word | None:
    """`$(( 2 * n ))` of integers and known variables."""
    inner = source[3:-2] if source.startswith("$((") else source[2:-1]
    value = evaluate_arithmetic(inner, variables)
    return Word(str(value)) if value is not None else None


def evaluate_arithmetic(text: str, variables: dict[str, Any]) -> int | None:
    """The value of an expression of + - * / % and parentheses; None for anything else."""
    tokens = tokenize_arithmetic(text, variables)
    if not tokens:
        return None
    try:
        value, rest = parse_sum(tokens, 0, 0)
    except (IndexError, ValueError, ZeroDivisionError):
        return None
    return value if rest == len(tokens) and abs(value) < 1 << 62 else None


def tokenize_arithmetic(text: str, variables: dict[str, Any]) -> list[Any] | None:
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
            if not is_integer(text[i:j]) or (c == "0" and j - i > 1):
                return None
            tokens.append(int(text[i:j]))
        elif c.isalpha() or c in "_$":
            while j < len(text) and (text[j].isalnum() or text[j] in "_{}"):
                j += 1
            value = variables.get(text[i:j].strip("${}"))
            if value.__class__ is not Word or not value.literal or not is_integer(value):
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


def parse_sum(tokens: list[Any], i: int, depth: int) -> tuple[int, int]:
    value, i = parse_product(tokens, i, depth)
    while i < len(tokens) and tokens[i] in ("+", "-"):
        more, after = parse_product(tokens, i + 1, depth)
        value = value + more if tokens[i] == "+" else value - more
        i = after
    return value, i


def parse_product(tokens: list[Any], i: int, depth: int) -> tuple[int, int]:
    value, i = parse_operand(tokens, i, depth)
    while i < len(tokens) and tokens[i] in ("*", "/", "%"):
        more, after = parse_operand(tokens, i + 1, depth)
        if tokens[i] == "*":
            value *= more
        else:
            quotient = abs(value) // abs(more) * (1 if (value < 0) == (more < 0) else -1)
            value = quotient if tokens[i] == "/" else value - quotient * more
        i = after
    return value, i


def parse_operand(tokens: list[Any], i: int, depth: int) -> tuple[int, int]:
    if depth > MAX_DEPTH:
        raise ValueError
    cell = tokens[i]
    if cell.__class__ is int:
        return cell, i + 1
    if cell in ("-", "+"):
        value, i = parse_operand(tokens, i + 1, depth + 1)
        return (-value if cell == "-" else value), i
    if cell == "(":
        value, i = parse_sum(tokens, i + 1, depth + 1)
        if tokens[i] == ")":
            return value, i + 1
    raise ValueError


def count_for_iterations(head: str, variables: dict[str, Any]) -> tuple[int | None, bool]:
    """The iterations of `for ((i=0; i<10; i++))`, and whether it is endless."""
    parts = head.split(";")
    if len(parts) != 3:
        return None, False
    if not parts[1].strip():
        return None, True
    name, equals, first = parts[0].partition("=")
    start = evaluate_arithmetic(first, variables) if equals else None
    return count_iterations(start, parts[1], parts[2], name.strip(), variables), False


def count_iterations(start: int | None, test: str, step: str, name: str, variables: dict[str, Any]) -> int | None:
    """The iterations of a counter that starts at `start` and is changed by `step` while `test` holds."""
    if start is None:
        return None
    for sign in ("<=", ">=", "<", ">", "!="):
        left, found, right = test.partition(sign)
        if found:
            break
    else:
        return None
    end = evaluate_arithmetic(right, variables)
    move = parse_step(step, name)
    if end is None or move is None or left.strip().strip("${}") != name:
        return None
    distance = (end - start) * (1 if move > 0 else -1)
    if (sign[0] == "<") != (move > 0) and sign != "!=":
        return None
    if sign[-1] == "=" and sign != "!=":
        distance += 1
    return max(0, -(-distance // abs(move)))


def parse_step(step: str, name: str) -> int | None:
    """How much `i++`, `i+=2`, `i=i+1` or `i=$((i+1))` adds to the counter."""
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
        if text.startswith(form) and is_integer(text[len(form) :]):
            return sign * int(text[len(form) :]) or None
    return None


def count_while_iterations(kind: str, condition: list[Any], body: list[Any], variables: dict[str, Any]) -> int | None:
    """The iterations of `while [ $i -lt 10 ]; do …; i=$((i+1)); done`, if i is known before."""
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
    if value.__class__ is not Word or not is_integer(value):
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
        count = count_iterations(int(value), test, text, name, variables)
        if count is not None:
            return count
    return None
