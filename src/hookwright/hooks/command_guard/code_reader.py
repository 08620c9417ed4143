"""Finds calls and their string arguments in Python, JavaScript, Ruby, Perl and PHP one-liners.

code → [find_call_arguments] → the arguments of each call → [strings_in | path_in]
Not a parser: strings and comments are masked, so that a mention is not taken for a call, and a variable is replaced by
its first assigned value. That is enough to see what a one-liner deletes, writes or runs.
"""

from __future__ import annotations

# Expressions for the home directory.
HOMES = ("Path.home()", "Dir.home", "homedir()", "environ['HOME']", 'environ["HOME"]', "getenv('HOME')",
         'getenv("HOME")', "process.env.HOME", "ENV['HOME']", 'ENV["HOME"]', "$ENV{HOME}",
         "environ.get('HOME')")  # fmt: skip
MAX_CALLS = 40  # in one text
MAX_ARGUMENT = 400  # characters
OPENING = "([{"
CLOSING = ")]}"


def mask_strings(code: str, comment: str = "#") -> str:
    """The code with the content of strings and comments replaced by spaces; positions and quotes stay."""
    out = []
    index = 0
    size = len(code)
    while index < size:
        c = code[index]
        if c in "'\"`":
            end = string_end(code, index)
            width = 3 if code.startswith(c * 3, index) else 1
            inner = max(0, end - index - 2 * width)
            out.append(c * min(width, end - index) + " " * inner + code[end - width : end])
            index = end
        elif code.startswith(comment, index) and (index == 0 or code[index - 1] in " \t\n;"):
            end = code.find("\n", index)
            end = size if end < 0 else end
            out.append(" " * (end - index))
            index = end
        else:
            out.append(c)
            index += 1
    return "".join(out)[:size]


def string_end(code: str, start: int) -> int:
    """The index after the string that begins here; a string that is not closed ends with its line."""
    quote = code[start]
    if quote != "`" and code.startswith(quote * 3, start):
        end = code.find(quote * 3, start + 3)
        return len(code) if end < 0 else end + 3
    index = start + 1
    while index < len(code):
        c = code[index]
        if c == "\\":
            index += 1
        elif c == quote or (c == "\n" and quote != "`"):
            return index + 1
        index += 1
    return len(code)


def find_call_arguments(code: str, mask: str, names: tuple[str, ...], *, of_owner: bool = False) -> list[str]:
    """The arguments of every call of these names; with `of_owner`, or for a method without arguments, its receiver."""
    found: list[str] = []
    for name in names:
        start = mask.find(name)
        while start >= 0 and len(found) < MAX_CALLS:
            before = mask[start - 1 : start]
            if not (before.isalnum() or before == "_"):
                begin = start + len(name)
                argument = code[begin : argument_end(mask, begin)]
                if of_owner or (before == "." and not argument.strip()):
                    argument = find_receiver(code, start - 1)
                found.append(follow_variable(code, mask, argument))
            start = mask.find(name, start + len(name))
    return found


def argument_end(mask: str, start: int) -> int:
    """The index of the closing parenthesis or of the end of the statement."""
    depth = 0
    for index in range(start, min(len(mask), start + MAX_ARGUMENT)):
        c = mask[index]
        if c in OPENING:
            depth += 1
        elif c in CLOSING:
            depth -= 1
            if depth < 0:
                return index
        elif c in ";\n" and depth <= 0:
            return index
    return min(len(mask), start + MAX_ARGUMENT)


def find_receiver(code: str, dot: int) -> str:
    """The receiver of a method call: `Path('x')` in `Path('x').unlink()`, `p` in `p.write_text(…)`."""
    line = code[max(0, code.rfind("\n", 0, dot) + 1, code.rfind(";", 0, dot) + 1) : dot].strip()
    if line.endswith(")") and "Path" in line:
        return line[line.find("Path") :]
    name = line.replace("(", " ").replace("=", " ").split()[-1:] or [""]
    return name[0] if name[0].isidentifier() else ""


def follow_variable(code: str, mask: str, argument: str) -> str:
    """The argument with a variable at its beginning replaced by the value that is assigned to it."""
    name = argument.partition(",")[0].partition(".")[0].strip().lstrip("$")
    if not name.isidentifier():
        return argument
    for given, end in (
        (f"{name} = ", "\n;"),
        (f"{name}=", "\n;"),
        (f"for {name} in ", ":\n"),
        (f"for {name} of ", ")\n"),
    ):
        start = mask.find(given)
        preceding = mask[start - 1] if start > 0 else " "
        start += len(given)
        if start >= len(given) and preceding in " \n\t;([$" and mask[start : start + 1] != "=":
            ends = [place for place in (mask.find(mark, start) for mark in end) if place >= 0]
            value = code[start : min(ends, default=len(code))].strip()
            return value + argument[argument.find(name) + len(name) :]
    return argument


def strings_in(text: str) -> list[str]:
    """The string literals in a piece of code."""
    found = []
    index = 0
    while index < len(text):
        c = text[index]
        if c in "'\"`":
            end = string_end(text, index)
            width = 3 if text.startswith(c * 3, index) and c != "`" else 1
            found.append(text[index + width : end - width] if end - index >= 2 * width else "")
            index = end
        else:
            index += 1
    return found


def first_argument(argument: str) -> str:
    """The first of several arguments."""
    depth = 0
    mask = mask_strings(argument)
    for index, c in enumerate(mask):
        if c in OPENING:
            depth += 1
        elif c in CLOSING:
            depth -= 1
        elif c == "," and depth == 0:
            return argument[:index]
    return argument


def path_in(expression: str) -> str | None:
    """The path that an expression names, taken from its string literals; None if it has none."""
    for home in HOMES:
        if home in expression:
            rest = strings_in(expression.partition(home)[2])
            return "/".join(["~", *(text.strip("/") for text in rest)])
    strings = strings_in(expression)
    if len(strings) > 1 and ("join(" in expression or "/" in mask_strings(expression)):
        return "/".join([strings[0].rstrip("/"), *(text.strip("/") for text in strings[1:])])
    return strings[0] if strings else None
