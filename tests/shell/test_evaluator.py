"""Variables, folders, loops and branches are followed as far as they are literal."""

import pytest

from hookwright.shell.command import Command


def texts(command, **options):
    return [call.text for call in Command(command, **options).calls]


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("X=/; rm $X", "rm /"),
        ("X=/; Y=$X; rm ${Y}etc", "rm /etc"),
        ("X=a; X+=b; rm $X", "rm ab"),
        ('X="-rf /"; rm $X', "rm -rf /"),
        ("X=; rm $X/", "rm /"),
        ("export X=/a Y; rm $X", "rm /a"),
        ("declare -r X=~/a; rm $X", "rm ~/a"),
        ("X=$HOME/a; rm $X", "rm ~/a"),
        ("X=/a; unset X; rm $X/", "rm /"),
        ("A=(x 'y z'); rm \"${A[@]}\"", "rm x y z"),
        ("A=(x 'y z'); rm ${A[1]} ${#A[@]} $A", "rm y z 2 x"),
        ("set -- a b; rm $2 $# $3", "rm b 2"),
        ("set -- a b; rm $@", "rm a b"),
        ("X=/a/b.c.d; rm ${X%/*} ${X##*/} ${X%%.*} ${X#*.}", "rm /a b.c.d /a/b c.d"),
        ("X=abc; rm ${X/b/x} ${X:1} ${X:0:2} ${X^^} ${#X}", "rm axc bc ab ABC 3"),
        ("X=; rm ${X:-/} ${X-y} ${X:+z}", "rm /"),
        ("X=a; rm ${X:-/} ${X:+z} ${X:?no}", "rm a z a"),
        ("rm $(echo /) `echo a`", "rm / a"),
        ("rm $(pwd) $PWD", "rm . ."),
        ("cd /a && rm $PWD/x $(pwd)", "rm /a/x /a"),
        ("rm $(printf '%s/%s' a b) $(basename /a/b.txt .txt) $(dirname /a/b)", "rm a/b b /a"),
        ("rm $((2 * (3 + 4)))", "rm 14"),
        ("i=3; rm $((i + 1)) $[i-1]", "rm 4 2"),
        ("rm${IFS}-rf${IFS}/", "rm -rf /"),
        ("c=rm; $c -rf /", "rm -rf /"),
        ("rm {a,b}{1..3}", "rm a1 a2 a3 b1 b2 b3"),
        ("rm /{etc,usr}/x{,.bak}", "rm /etc/x /etc/x.bak /usr/x /usr/x.bak"),
        ("rm {01..03} {c..a} {1..9..4}", "rm 01 02 03 c b a 1 5 9"),
        ("rm {a} {} {a,'b c'} \"{x,y}\"", "rm {a} {} a b c {x,y}"),
        ('f() { rm -rf "$1"; }; f /', "rm -rf /"),
        ("f() { X=$1; }; f /; rm $X", "rm /"),
        ("(X=/b); X=/; (X=/c); rm $X", "rm /"),
        ("X=/; { X=/a; }; rm $X", "rm /a"),
        ("X=a; if t; then X=b; else X=b; fi; rm $X", "rm b"),
        ("X=a; t || exit; rm $X", "rm a"),
        ("X=a; t || { X=b; exit; }; rm $X", "rm a"),
    ],
)  # fmt: skip
def test_literal_values_are_followed(command, text):
    call = Command(command).calls[-1]
    assert (call.text, call.literal) == (text, True)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("rm $X", "rm $X"),
        ("X=a; if t; then X=b; fi; rm $X", "rm $X"),
        ("X=a; t || X=b; rm $X", "rm $X"),
        ("X=a; case $y in b) X=c;; esac; rm $X", "rm $X"),
        ("X=a; while t; do X=b; done; rm $X", "rm $X"),
        ("X=a; read X; rm $X", "rm $X"),
        ("X=1; ((X++)); rm $X", "rm $X"),
        ("X=1; let X+=1; rm $X", "rm $X"),
        ("X=1; X=$(date); rm $X", "rm $(date)"),
        ('D=$(mktemp -d); rm -rf "$D/x"', "rm -rf $(mktemp -d)/x"),
        ("rm ${X:-/}", "rm ${X:-/}"),
        ("rm $1 $@", "rm $1 $@"),
        ("rm $(ls | head)", "rm $(ls | head)"),
        ("X=/ rm $X", "rm $X"),
        ("X=/; bash -c 'rm $X'", "rm $X"),
        ("for f in *.txt; do rm $f; done", "rm $f"),
        ("for f in $X; do rm $f; done", "rm $f"),
        ("X=(a); X[0]=b; rm $X", "rm $X"),
    ],
)  # fmt: skip
def test_an_unknown_value_stays_as_written(command, text):
    call = Command(command).calls[-1]
    assert (call.text, call.literal) == (text, False)


@pytest.mark.parametrize(
    ("command", "cwd"),
    [
        ("x", "/p"),
        ("cd a && x", "/p/a"),
        ("cd a; cd ../b/./c; x", "/p/b/c"),
        ("cd /a; x", "/a"),
        ("cd; x", "~"),
        ("cd ~/a && cd b && x", "~/a/b"),
        ("cd $HOME/a; x", "~/a"),
        ("cd /a; cd b; cd -; x", "/a"),
        ("cd ../../../..; x", "/"),
        ("pushd /a; popd; x", "/p"),
        ("(cd /a); x", "/p"),
        ("a | cd /a; x", "/p"),
        ("cd /a & x", "/p"),
        ("$(cd /a); x", "/p"),
        ("cd /a || exit 1; x", "/a"),
        ("cd /a || { echo no; return; }; x", "/a"),
        ("if t; then cd /a; fi; x", None),
        ("if t; then cd /a; else cd /a; fi; x", "/a"),
        ("t || cd /a; x", None),
        ("cd $X; x", None),
        ("cd $X; cd a; x", None),
        ("cd $X; cd /a; x", "/a"),
        ("cd a*; x", None),
        ("D=/a; cd $D/b && x", "/a/b"),
        ("command cd /a; x", "/a"),
        ("sudo cd /a; x", "/p"),
        ("f() { cd /a; }; f; x", "/a"),
        ("for d in a b; do cd /$d; x; done", "/b"),
        ("bash -c 'cd /a'; x", "/p"),
        ("eval 'cd /a'; x", "/a"),
        ("cd -- /a; x", "/a"),
    ],
)
def test_folders_are_followed(command, cwd):
    assert Command(command, cwd="/p").calls[-1].cwd == cwd


@pytest.mark.parametrize(
    ("command", "word", "path"),
    [
        ("rm x", "x", "/p/x"),
        ("rm ../x/./y/..", "../x/./y/..", "/x"),
        ("rm /a//b/", "/a//b/", "/a/b"),
        ("rm ~/x", "~/x", "~/x"),
        ('rm "$HOME"/../x', "~/../x", "~/../x"),
        ("rm '~'", "~", "/p/~"),
        ("cd /a; rm *", "*", "/a/*"),
        ("rm $X/y", "$X/y", None),
        ("cd $X; rm y", "y", None),
        ("cd $X; rm /y", "/y", "/y"),
        ("rm .", ".", "/p"),
        ("rm /", "/", "/"),
        ("rm /..", "/..", "/"),
        ("rm ''", "", "/p"),
    ],
)  # fmt: skip
def test_the_path_of_a_word(command, word, path):
    call = Command(command, cwd="/p").calls[-1]
    assert call.words[-1] == word
    assert call.path(call.words[-1]) == path


@pytest.mark.parametrize(
    ("command", "calls"),
    [
        ("for d in / /home; do rm $d; done", ["rm /", "rm /home"]),
        ("for i in a b; do for j in c d; do x $i$j; done; done", ["x ac", "x ad", "x bc", "x bd"]),
        ("for i in {1..3}; do x $i; done", ["x 1", "x 2", "x 3"]),
        ('A=(p q); for i in "${A[@]}"; do x $i; done', ["x p", "x q"]),
        ("for i in; do x $i; done; y", ["y"]),
        ("f() { for i; do x $i; done; }; f a b", ["f a b", "x a", "x b"]),
    ],
)  # fmt: skip
def test_literal_loops_are_unrolled(command, calls):
    assert texts(command) == calls


@pytest.mark.parametrize(
    ("command", "times"),
    [
        ("x", 1),
        ("for i in 1 2 3; do x; done", 3),
        ("for i in 1 2; do for j in 1 2 3; do x; done; done", 6),
        ("for i in $(seq 60); do x; done", 60),
        ("for i in $(seq 0 5 20); do x; done", 5),
        ("for i in {1..100}; do x $i; done", 100),
        ("for ((i=0; i<10; i++)); do x; done", 10),
        ("for ((i=1; i<=10; i+=3)); do x; done", 4),
        ("for ((i=9; i>0; i--)); do x; done", 9),
        ("for ((;;)); do x; done", float("inf")),
        ("while true; do x; done", float("inf")),
        ("while :; do x; done", float("inf")),
        ("while [ 1 ]; do x; done", float("inf")),
        ("while ((1)); do x; done", float("inf")),
        ("until false; do x; done", float("inf")),
        ("i=0; while [ $i -lt 10 ]; do x; i=$((i+1)); done", 10),
        ("i=0; while [[ $i -le 10 ]]; do x; ((i++)); done", 11),
        ("i=5; while (( i > 0 )); do x; (( i -= 2 )); done", 3),
        ("i=0; while [ $i -lt 3 ]; do x; let i++; done", 3),
        ("while read l; do x; done < f", 1),
        ("until y; do x; done", 1),
        ("for f in *; do x; done", 1),
        ("for i in 1 2 3; do x $i; done", 1),
    ],
)
def test_iterations_are_counted(command, times):
    call = next(call for call in Command(command).calls if call.program == "x")
    assert call.times == times


def test_a_loop_has_its_condition_and_whether_it_breaks():
    [condition, body, leave] = Command("until curl -sf u; do sleep 2 || break; done").calls
    loop = body.loop
    assert (loop.kind, loop.count, loop.endless, loop.breaks) == ("until", None, False, True)
    assert loop.condition == [condition]
    assert leave.loop is loop
    assert body.loop.outer is None


@pytest.mark.parametrize(
    ("command", "branch"),
    [
        ("x", ()),
        ("a && x", ()),
        ("a || x", ("||",)),
        ("if a; then x; fi", ("if",)),
        ("if x; then a; fi", ()),
        ("if a; then b; elif x; then c; fi", ("else",)),
        ("if a; then b; else x; fi", ("else",)),
        ("case a in b) x;; esac", ("case",)),
        ("while a; do x; done", ("while",)),
        ("f() { x; }", ("function",)),
        ("f() { x; }; f", ()),
        ("if a; then b || x; fi", ("if", "||")),
    ],
)
def test_the_branch_of_a_call_that_may_not_run(command, branch):
    call = next(call for call in Command(command).calls if call.program == "x")
    assert call.branch == branch


@pytest.mark.parametrize(
    ("command", "background"),
    [
        ("x", False),
        ("x &", True),
        ("a; x & b", True),
        ("a & x", False),
        ("x && a &", True),
        ("(x; a) &", True),
        ("{ x; } &", True),
        ("while a; do x; done &", True),
        ("x | a &", True),
        ("coproc x", True),
        ("echo $(x) &", True),
        ("f() { x & }; f", True),
    ],
)
def test_a_group_in_the_background_puts_its_calls_there(command, background):
    call = next(call for call in Command(command).calls if call.program == "x")
    assert call.background is background


@pytest.mark.parametrize(
    ("command", "substitution", "quoted", "owner"),
    [
        ('git commit -m "run `x` first"', "`", True, "git"),
        ('git commit -m "$(x)"', "$(", True, "git"),
        ("echo $(x)", "$(", False, "echo"),
        ("echo `x`", "`", False, "echo"),
        ("diff <(x) b", "<(", False, "diff"),
        ("tee >(x)", ">(", False, "tee"),
        ("cat <<E\n$(x)\nE", "$(", True, "cat"),
        ('echo "${y:-$(x)}"', "$(", True, "echo"),
        ("a=$(x)", "$(", False, None),
        ("echo $(( $(x) + 1 ))", "$(", True, "echo"),
        ("echo ${ x; }", "${", False, "echo"),
        ("x", "", False, None),
    ],
)  # fmt: skip
def test_a_substitution_knows_its_owner(command, substitution, quoted, owner):
    call = next(call for call in Command(command).calls if call.program == "x")
    assert (call.substitution, call.quoted) == (substitution, quoted)
    assert (call.owner.program if call.owner else None) == owner


def test_a_pipeline_knows_its_stages():
    [a, b, c, d] = Command("a | { b; c; } | d").calls
    assert a.pipeline == [[a], [b, c], [d]]
    assert (a.producers, a.consumers) == ([], [b, c])
    assert (b.producers, d.producers, d.consumers) == ([a], [b, c], [])
    assert Command("a").calls[0].pipeline == []


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("x <<< 'a b'", "a b\n"),
        ("x <<E\na\nE", "a\n"),
        ("X=1; x <<E\na $X\nE", "a 1\n"),
        ("echo -n a b | x", "a b"),
        ("echo -e 'a\\tb' | x", "a\tb\n"),
        ("printf '%s-%s\\n' a b c | x", "a-b\nc-\n"),
        ("cat <<E | tee f | x\na\nE", "a\n"),
        ("echo cm0gLXJmIC8= | base64 -d | x", "rm -rf /"),
        ("{ x; } <<< a", "a\n"),
        ("x < f", None),
        ("cat f | x", None),
        ("ls | x", None),
        ("echo a > f | x", None),
        ("x", None),
    ],
)
def test_the_standard_input_of_a_call(command, text):
    call = next(call for call in Command(command).calls if call.program == "x")
    assert call.stdin_text == text


@pytest.mark.parametrize(
    ("command", "writes"),
    [
        ("x > a", ["a"]),
        ("x >> a 2> b", ["a", "b"]),
        ("x &> a", ["a"]),
        ("x > a 2>&1", ["a"]),
        ("x >& a", ["a"]),
        ("x 2>&1 >&- < a", []),
        ("{ x; } > a", ["a"]),
        ("if t; then x; fi > a", ["a"]),
        ("x > $Y/a", ["$Y/a"]),
    ],
)
def test_the_files_that_a_call_writes(command, writes):
    call = next(call for call in Command(command).calls if call.program == "x")
    assert call.writes == writes


def test_a_redirection_alone_is_a_call_without_words():
    [call] = Command("> /etc/passwd").calls
    assert (call.program, call.words, call.writes) == ("", [], ["/etc/passwd"])


def test_a_recursive_function_is_walked_once():
    calls = Command(":(){ :|:& };:").calls
    assert [(call.program, call.function, call.background) for call in calls] == [
        (":", "", False),
        (":", ":", True),
        (":", ":", True),
    ]


def test_the_attributes_of_a_word():
    [call] = Command("x a 'b c' *.py ~/d \"$HOME\"/* $Y ''").calls
    facts = [(str(w), w.literal, w.quoted, w.glob, w.home) for w in call.args]
    assert facts == [
        ("a", True, False, False, False),
        ("b c", True, True, False, False),
        ("*.py", True, False, True, False),
        ("~/d", True, False, False, True),
        ("~/*", True, True, True, True),
        ("$Y", False, False, False, False),
        ("", True, True, False, False),
    ]


def test_a_problem_leaves_the_calls_before_it():
    command = Command("rm -rf /; echo 'open")
    assert command.problem == "a single quote is not closed"
    assert [call.text for call in command.calls] == ["rm -rf /"]
