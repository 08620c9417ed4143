"""Our parser and shfmt find the same commands: in snippets written by hand, and in programs drawn from a grammar."""

import subprocess

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from hookwright.shell.parser import parse
from tests.shell.mutations import SNIPPETS
from tests.shell.oracle import Rejected, ours, shfmt, shfmt_of_each
from tests.shell.programs import PROGRAMS
from tests.sizes import QUICK, examples

# Where the two differ, why, and a script with its output that shows bash on our side.
DIFFERENCES = {
    'cat <<E"O"F\n$(a)\nEOF': (
        "a delimiter quoted in part is quoted: nothing in the body runs, shfmt expects `a`",
        'cat <<E"O"F\n$(echo ran)\nEOF',
        "$(echo ran)\n",
    ),
    "echo `a \\`b \\\\\\`c\\\\\\`\\``": (
        "backticks nest by more backslashes: `c` runs, shfmt stops before it",
        "echo `echo a \\`echo b \\\\\\`echo c\\\\\\`\\``",
        "a b c\n",
    ),
    "a[i+1]=x cmd": (
        "an array's element may stand in front of a command, shfmt rejects it",
        "a[1]=x echo ran",
        "ran\n",
    ),
    'x=`[[ -n "$a" && $b == c* ]]`; ls': (
        "a test may stand in backticks, shfmt rejects its quotes there",
        'x=`[[ -n "a" && b == b* ]]`; echo ran',
        "ran\n",
    ),
    "time -- ls": (
        "`--` ends the options of the keyword `time`, shfmt takes it for the program",
        "time -- echo ran",
        "ran\n",
    ),
}

# What we accept and bash rejects, on purpose: bash is not the only shell that may run a command.
DELIBERATE = {
    "sleep 5 &; ls": "zsh's; bash rejects it",
}


def parse_or_reject(parser, text):
    try:
        return parser(text)
    except Rejected:
        return "rejected"


def test_there_are_hundreds_of_snippets():
    assert len(SNIPPETS) == len({text for _, text in SNIPPETS}) >= 1000


@pytest.mark.parametrize("topic", sorted({topic for topic, _ in SNIPPETS}))
def test_snippets_are_parsed_as_by_shfmt(topic):
    for name, text in SNIPPETS:
        if name == topic and text not in DIFFERENCES and text not in DELIBERATE:
            assert parse_or_reject(ours, text) == parse_or_reject(shfmt, text), text


@pytest.mark.parametrize("text", DIFFERENCES)
def test_every_listed_difference_is_one_and_bash_is_on_our_side(text):
    reason, script, output = DIFFERENCES[text]
    assert text in {snippet for _, snippet in SNIPPETS}
    assert parse_or_reject(ours, text) != parse_or_reject(shfmt, text), f"no longer: {reason}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == output


@pytest.mark.parametrize("text", DELIBERATE)
def test_every_deliberate_difference_is_one(text):
    assert text.strip() in {snippet.strip() for _, snippet in SNIPPETS}
    assert parse_or_reject(ours, text) != parse_or_reject(shfmt, text), f"no longer: {DELIBERATE[text]}"


DRAWN = settings(
    max_examples=examples(7000),
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def drawn_programs():
    """Some thousand programs of the grammar, each once, others in every run."""
    programs = {}

    @DRAWN
    @given(PROGRAMS)
    def draw(program):
        programs[program] = None

    draw()
    return [*programs]


@pytest.mark.slow
@pytest.mark.skipif(QUICK, reason="the bar is for thousands of programs")
@pytest.mark.timeout(1800)  # minutes on a loaded machine: thousands of programs through shfmt
def test_drawn_programs_and_snippets_are_parsed_as_by_shfmt_999_times_in_1000():
    drawn = drawn_programs()
    texts = [*drawn, *(text for _, text in SNIPPETS)]
    differing = []
    for start in range(0, len(texts), 40):
        some = texts[start : start + 40]
        for text, theirs in zip(some, shfmt_of_each(some), strict=True):
            mine = parse_or_reject(ours, text)
            if mine != theirs:
                differing.append(f"{text!r}\nours  {mine}\nshfmt {theirs}")
    report = f"{len(differing)} of {len(drawn)} programs and {len(SNIPPETS)} snippets differ\n" + "\n".join(differing)
    assert len(drawn) >= 5000
    assert 1 - len(differing) / len(texts) >= 0.999, report
    # Nothing beyond what is listed above, but for what one run in many may draw.
    assert len(differing) <= len(DIFFERENCES) + len(DELIBERATE) + 1, report


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("echo 'a", "a single quote is not closed"),
        ('echo "a', "a double quote is not closed"),
        ("echo `a", "a backtick is not closed"),
        ("echo $(a", "$( is not closed before end"),
        ("echo ${a", "${ is not closed"),
        ("(a", ") is missing before end"),
        ("if a; then b", "fi is missing before end"),
        ("a && ", "nothing stands after &&"),
        ("a; done", "unexpected 'done'"),
        ("a | | b", "unexpected '| b'"),
        ("$(" * 100, "it is nested too deeply"),
        ("a\0b", "it holds a NUL character"),
        ("case x in a) b", "esac is missing before end"),
        ("a > ", "> needs a target before end"),
        ("cat <<", "a here-document needs a delimiter"),
    ],
)
def test_a_syntax_error_is_one_sentence(text, problem):
    assert parse(text)[1] == problem


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"echo a\ b", ["echo", "a b"]),
        ("echo 'a'\"b\"$'c\\n'", ["echo", "abc\n"]),
        (r"echo $'\x41\101\u00e4\cA\q'", ["echo", "AAä\x01\\q"]),
        ('echo "a\\"b\\x\\\\"', ["echo", 'a"b\\x\\']),
        ("echo a\\\nb", ["echo", "ab"]),
        ("echo a#b #c", ["echo", "a#b"]),
        ("echo @(a|b)", ["echo", "@(a|b)"]),
        ("echo {} a{b}", ["echo", "{}", "a{b}"]),
        ("echo a\\", ["echo", "a\\"]),
    ],
)
def test_literal_words_lose_their_quotes(text, words):
    [(_, (_, read_words, _, _), _)], problem = parse(text)
    assert (read_words, problem) == (words, None)


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("cat <<EOF\na\nb\nEOF", "a\nb\n"),
        ("cat <<-EOF\n\ta\n\t\tb\n\tEOF", "a\nb\n"),
        ("cat <<'EOF'\n$a `b` \\\\\nEOF", "$a `b` \\\\\n"),
        ("cat <<EOF\n\\$a \\\\ \\x\nEOF", "$a \\ \\x\n"),
        ("cat <<EOF\nnever closed", "never closed\n"),
        ("cat <<EOF\nEOF", ""),
        ("cat <<EOF\r\na\r\nEOF\r\n", "a\r\n"),
    ],
)
def test_a_here_document_belongs_to_its_command(text, body):
    [(_, (_, _, _, [(_, _, _, document)]), _)], _ = parse(text)
    assert document.body == body
