"""A grammar of shell programs: every program it draws is one that bash accepts."""

from functools import cache

from hypothesis import strategies as st

NAMES = st.sampled_from(["ls", "git", "rm", "echo", "npm", "a", "b-c", "./run.sh", "cat", "x1"])
VARIABLES = st.sampled_from(["x", "HOME", "y_1", "PATH"])
PLAIN = st.sampled_from(
    ["a", "-rf", "--flag=x", "/tmp/x", "*.py", "a,b", "x=y", "%s", "1", "2", "~", "~/a", "[a-z]", "{}", "{a,b}",
     "{1..3}", "a#b", "if", "done", "in", "}", "!", "+x", "@", "a:b", "é", "--", "-"]
)  # fmt: skip
QUOTED_TEXT = st.text(alphabet="ab $;&|()<>#*~\n\t{}[]!'\\`", max_size=8)


def single_quoted(text):
    return "'" + text.replace("'", "") + "'"


def double_quoted(text):
    return '"' + "".join("\\" + c if c in '$`"\\' else c for c in text) + '"'


def ansi_quoted(text):
    return "$'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


QUOTED = st.one_of(
    QUOTED_TEXT.map(single_quoted),
    QUOTED_TEXT.map(double_quoted),
    QUOTED_TEXT.map(ansi_quoted),
    st.sampled_from(list("a$`;&|(<>#*' \"")).map(lambda c: "\\" + c),
)


@st.composite
def expansion(draw, programs):
    name = draw(VARIABLES)
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return "$" + name
    if kind == 1:
        return "${" + name + "}"
    if kind == 2:
        operator = draw(st.sampled_from([":-", "-", ":+", ":=", ":?", "#", "##", "%", "%%", "^^", ",,"]))
        argument = draw(default(programs))
        return "${" + name + operator + (argument if operator not in {"^^", ",,"} else "") + "}"
    if kind == 3:
        return "$((" + draw(st.sampled_from(["1+2", "x*3", "(x+1)*2", "$x", "x<<2", "x>y"])) + "))"
    if kind == 4:
        return draw(st.sampled_from(["$1", "$@", "$?", "$$", "${#x}", "${x[@]}", "${!x}", "${x:1:2}", "${x/a/b}"]))
    inner = draw(programs)
    if kind == 5 and not any(mark in inner for mark in ("`", "\\", "<<", "[[")):  # shfmt rejects [[ in backticks
        return "`" + inner + "`"
    return "$(" + closed(inner) + ")"


def closed(program):
    """A program inside parentheses: a here-document or a comment must end its line first, and `((` is arithmetic."""
    return " " + program + ("\n" if "<<" in program or "#" in program else " ")


@cache  # built once: hypothesis spends more on building a strategy than on drawing from it
def word(programs):
    inner = expansion(programs)
    part = st.one_of(PLAIN, QUOTED, inner, inner.map('"a {} b"'.format))
    return st.lists(part, min_size=1, max_size=2).map("".join)


@cache
def value(programs):
    return st.one_of(st.just(""), word(programs), st.builds("({0} {0})".format, PLAIN.filter(str.isalnum)))


@cache
def arguments(programs):
    return st.lists(word(programs), max_size=3)


@cache
def default(programs):
    return st.one_of(st.just(""), PLAIN.filter(lambda w: "}" not in w), expansion(programs))


@cache
def lines(programs):
    return st.lists(st.one_of(PLAIN, expansion(programs), st.sampled_from(["it's", 'a "b', "a ) b"])), max_size=3)


@st.composite
def simple(draw, programs):
    count = draw(st.integers(0, 2)) if draw(st.booleans()) else 0
    parts = [f"{draw(VARIABLES)}={draw(value(programs))}" for _ in range(count)]
    if any(part.endswith(")") and "=(" in part for part in parts):
        parts = [part for part in parts if "=(" not in part]
    parts.append(draw(NAMES))
    parts.extend(draw(arguments(programs)))
    if draw(st.integers(0, 3)) == 0:
        operator = draw(st.sampled_from([">", ">>", "<", "2>", "&>", ">|", "<<<"]))
        parts.append(f"{operator} {draw(word(programs))}")
    if draw(st.integers(0, 5)) == 0:
        parts.append("2>&1")
    if draw(st.integers(0, 9)) == 0:
        parts.append(draw(st.sampled_from(["<(", ">("])) + closed(draw(programs)) + ")")
    return " ".join(parts)


@st.composite
def heredoc(draw, programs):
    quote = draw(st.sampled_from(["EOF", "'EOF'", '"EOF"', "\\EOF"]))
    body = draw(lines(programs))
    if quote == "EOF":
        body = [line for line in body if "<<" not in line]
    body = [line for line in body if "EOF" not in line]
    return f"{draw(NAMES)} <<{quote}\n" + "".join(line + "\n" for line in body) + "EOF\n"


@st.composite
def compound(draw, programs):
    kind = draw(st.integers(0, 11))
    a, b, c = (draw(programs) for _ in range(3))
    name = draw(VARIABLES)
    if kind == 0:
        return f"if {a}\nthen {b}\nfi"
    if kind == 1:
        return f"if {a}\nthen {b}\nelif {c}\nthen ls\nelse {b}\nfi"
    if kind == 2:
        return f"for {name} in {draw(word(programs))} b; do {a}\ndone"
    if kind == 3:
        return f"while {a}\ndo {b}\ndone"
    if kind == 4:
        return f"until {a}\ndo {b}\ndone"
    if kind == 5:
        pattern = draw(st.sampled_from(["a", "a|b", "*", "'q r'", "[a-z]*", '"$x"', "-*"]))
        return f"case {draw(word(programs))} in {pattern}) {a}\n;; (x) {b}\n;; esac"
    if kind == 6:
        return f"( {a}\n)"
    if kind == 7:
        return "{ " + a + "\n}"
    if kind == 8:
        return f"fn{name}() {{ {a}\n}}"
    if kind == 9:
        return f"[[ -n {draw(word(programs))} && $x == a* ]]"
    if kind == 10:
        return f"for ((i=0; i<3; i++)); do {a}\ndone"
    return draw(st.sampled_from(["(( x + 1 ))", "((x++))", "[ -f x ]", "[[ $x =~ ^(a|b)+$ ]]", "x=(a 'b c' $d)"]))


@st.composite
def joined(draw, programs):
    text = draw(programs)
    for _ in range(draw(st.integers(0, 2))):
        joiner = draw(
            st.sampled_from([" && ", " || ", " | ", " |& ", "; ", " & ", "\n", " &&\n", " # c\n", " \\\n && "])
        )
        if text.endswith("\n"):
            joiner = ""
        text += joiner + draw(programs)
    return text


def extended(programs):
    return st.one_of(simple(programs), simple(programs), compound(programs), joined(programs), heredoc(programs))


PROGRAMS = st.recursive(st.one_of(NAMES, st.builds("{} {}".format, NAMES, PLAIN)), extended, max_leaves=12)
