"""Shell texts gone wrong: snippets cut, mixed, and wrapped in each other."""

from pathlib import Path

SNIPPETS = [
    (file.stem, text)
    for file in sorted((Path(__file__).parent / "snippets").glob("*.txt"))
    for text in file.read_text(encoding="utf-8").removesuffix("\n").split("\n%%\n")
]
TOKENS = [
    "$", "(", ")", "{", "}", "[", "]", "'", '"', "`", "\\", "<", "<<", "<<-", "EOF", ">", "|", "&", "&&", "||",
    ";", ";;", "#", "~", "*", "?", "!", "=", "a", "x", "$x", "${", "$((", "))", "((", "[[", "]]", "=~", "if",
    "then", "fi", "for", "in", "do", "done", "case", "esac", "while", "function", "f()", "sudo", "xargs", "bash",
    "-c", "eval", "find", "-exec", "\\;", "{a,b}", "{1..9}", "..", ",", "@(", "+=", "x=", "1", "arr=(", ":", "-",
    "/", "cd", "echo", "env", "-S", "timeout", "5", "npx", "docker", "exec", "ssh", "parallel", ":::", "trap",
    "set", "--", "$1", "$@", "watch", "export", "time", "%", "+", "coproc", "select", "^", "printf", "base64",
    "-d", "<(", "<<<", "&>", "2>&1", "é", "\n", "\nEOF\n", "\x00", "\r", "\t",
]  # fmt: skip
WRAPPINGS = (
    "sudo {}", "bash -c '{}'", 'eval "{}"', "$({})", "if {0}; then {0}; fi", "for x in a b; do {}; done",
    "f() {{ {}; }}; f", "cat <<E | bash\n{}\nE", "find . -exec {} \\;", "ssh h '{}'", "timeout 5 {}",
    "{0} | xargs {0}", "({})&", "watch '{}'", "echo '{}' | sh", "x='{}'; eval $x", "tmux new -d '{}'",
    "parallel ::: '{}'", "docker exec a {}", "env -S '{}'",
)  # fmt: skip


def mutated(chance):
    """One such text; the same for the same random state."""
    text = chance.choice(SNIPPETS)[1]
    for _ in range(chance.randint(0, 4)):
        at = chance.randrange(len(text) + 1)
        kind = chance.randrange(4)
        if kind == 0 and len(text) < 2000:
            text = chance.choice(WRAPPINGS).format(text)
        elif kind == 1:
            text = text[:at] + chance.choice(TOKENS) + text[at:]
        elif kind == 2:
            text = text[:at] + text[at + chance.randint(1, 4) :]
        else:
            text = text[:at] + chance.choice(SNIPPETS)[1][at // 2 :]
    return text
