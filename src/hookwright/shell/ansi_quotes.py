"""The escapes of `$'…'`, which `echo -e` and `printf` know as well.

lexer.py, simulated_output.py → [decode_ansi_quoted] → text
"""

from __future__ import annotations

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "E": "\x1b"}
HEX_DIGITS = {"x": 2, "u": 4, "U": 8}  # at most, after \\x, \\u and \\U


def decode_ansi_quoted(s: str, i: int) -> tuple[str, int]:
    """The text from `i` to the closing quote, and the index after that; 0 when it is not closed. `s` ends with NUL."""
    run: list[str] = []
    while True:
        j = i
        while s[j] not in "'\\\0":
            j += 1
        run.append(s[i:j])
        c = s[j]
        if c == "'":
            return "".join(run), j + 1
        if c == "\0" or s[j + 1] == "\0":
            return "", 0
        c = s[j + 1]
        i = j + 2
        if c in ESCAPES:
            run.append(ESCAPES[c])
        elif c in HEX_DIGITS or c in "01234567":
            base, most = (16, HEX_DIGITS[c]) if c in HEX_DIGITS else (8, 3)
            k = i if c in HEX_DIGITS else i - 1
            first = k
            digits = "0123456789abcdefABCDEF" if base == 16 else "01234567"
            while k - first < most and s[k] in digits:
                k += 1
            if k == first:
                run.append("\\" + c)
            else:
                code = int(s[first:k], base)
                run.append(chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "")
                i = k
        elif c == "c":
            run.append(chr(ord(s[i]) & 31) if s[i] not in "'\0" else "")
            i += s[i] not in "'\0"
        elif c in "\\'\"?":
            run.append(c)
        else:
            run.append("\\" + c)
