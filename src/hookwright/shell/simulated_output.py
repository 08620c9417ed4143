"""What plain calls print: echo, printf, cat, tee, base64 -d, seq, basename, dirname.

Call.stdin_text, evaluator.py → [predict_stdout, only when a command needs it] → text
None wherever the output depends on anything that is not written in the command.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call, Word

MAX_NUMBERS = 1024  # that `seq` may print


def predict_stdout(call: Call) -> Word | None:
    """What a plain call writes to its standard output; None when unknown."""
    if any(redirect.fd in {"", "1"} and ">" in redirect.op for redirect in call.redirects):
        return None
    return predict_printed(call)


def predict_written_text(call: Call) -> Word | None:
    """The text that a call writes to the file that it redirects its output to; None when unknown."""
    writes = [redirect for redirect in call.redirects if redirect.writes and redirect.fd != "2"]
    if call.program != "tee" and (
        len(writes) != 1 or writes[0].op not in {">", ">|", ">>"} or writes[0].fd not in {"", "1"}
    ):
        return None
    return predict_printed(call)


def predict_printed(call: Call) -> Word | None:
    simulator = SIMULATORS.get(call.program)
    return simulator(call) if simulator is not None else None


def simulate_echo(call: Call) -> Word:
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
    return call.derive_word((unescape_text(text) if escapes else text) + newline, words)


def simulate_printf(call: Call) -> Word | None:
    words = call.words[1:]
    if words and words[0] == "--":
        words = words[1:]
    if not words or words[0] == "-v":
        return None
    form = unescape_text(words[0])
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
                out.append((unescape_text(value) if part[0] == "b" else value) + part[1:])
            else:
                return None
        if not rest or len(parts) == 1:
            break
    return call.derive_word("".join(out), list(words))


def simulate_cat(call: Call) -> Word | None:
    """Copies its standard input, unless it names a file."""
    return call.stdin_text if not [word for word in call.operands() if word != "-"] else None


def simulate_tee(call: Call) -> Word | None:
    return call.stdin_text


def simulate_base64(call: Call) -> Word | None:
    """The decoded text of `base64 -d`."""
    read = call.stdin_text
    if read is None or not read.literal or not call.has_flag("-d", "-D", "--decode") or call.operands():
        return None
    from binascii import Error, a2b_base64

    try:
        return call.derive_word(a2b_base64(read).decode("utf-8", "replace"), ())
    except (Error, ValueError):
        return None


def simulate_seq(call: Call) -> Word | None:
    words = call.words[1:]
    if not 1 <= len(words) <= 3 or not all(word.literal and word.is_integer for word in words):
        return None
    numbers = [int(word) for word in words]
    first = numbers[0] if len(numbers) > 1 else 1
    step = numbers[1] if len(numbers) == 3 else 1
    last = numbers[-1]
    if step == 0 or abs(last - first) // abs(step) > MAX_NUMBERS:
        return None
    turns = range(first, last + 1, step) if step > 0 else range(first, last - 1, step)
    return call.derive_word("".join([f"{number}\n" for number in turns]), ())


def simulate_basename(call: Call) -> Word | None:
    words = call.words[1:]
    if len(words) not in {1, 2}:
        return None
    name = words[0].rstrip("/").rpartition("/")[2]
    if len(words) == 2 and name != words[1]:
        name = name.removesuffix(words[1])
    return call.derive_word(name, list(words[:1])) if not words[0].home else None


def simulate_dirname(call: Call) -> Word | None:
    words = call.words[1:]
    if len(words) != 1:
        return None
    return call.derive_word(
        words[0].rstrip("/").rpartition("/")[0] or ("/" if words[0][:1] == "/" else "."), list(words)
    )


SIMULATORS = {
    "echo": simulate_echo,
    "printf": simulate_printf,
    "cat": simulate_cat,
    "tee": simulate_tee,
    "base64": simulate_base64,
    "gbase64": simulate_base64,
    "seq": simulate_seq,
    "basename": simulate_basename,
    "dirname": simulate_dirname,
}


def unescape_text(text: str) -> str:
    """The text with its backslash escapes decoded, as `echo -e` and printf do."""
    if "\\" not in text:
        return text
    from hookwright.shell.ansi_quotes import decode_ansi_quoted

    decoded, end = decode_ansi_quoted(text.replace("'", "\\'") + "'\0", 0)
    return decoded if end else text
