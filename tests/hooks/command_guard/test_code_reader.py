"""Program texts are read far enough: no string is a call, variables are followed, paths are put together."""

import pytest

from hookwright.hooks.command_guard.code_reader import (
    find_call_arguments,
    first_argument,
    follow_variable,
    mask_strings,
    path_in,
    strings_in,
)


@pytest.mark.parametrize(
    ("code", "left"),
    [
        ("print('rm')", "print('  ')"),
        ('a = "x" # don\'t', 'a = " "        '),
        ("'''a\nb''' + f()", "'''   ''' + f()"),
        ("x = 'not closed\nf()", "x = '           f()"),
        (r"'it\'s' + g()", "'     ' + g()"),
        ("a#b", "a#b"),
    ],
)
def test_strings_and_comments_are_blanked_and_everything_keeps_its_place(code, left):
    assert len(mask_strings(code)) == len(code)
    assert mask_strings(code).split() == left.split()


def test_a_comment_begins_as_the_language_has_it():
    assert "rm" not in mask_strings("x // rm\ny", "//")
    assert "rm" in mask_strings("x // rm\ny", "#")


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("shutil.rmtree('/x')", ["'/x'"]),
        ("shutil.rmtree(os.path.join('/', 'x'), True); f()", ["os.path.join('/', 'x'), True"]),
        ("print('rmtree(1)')", []),
        ("# rmtree('x')", []),
        ("my_rmtree('x')", []),
        ("p = '/x'\nrmtree(p, True)", ["'/x', True"]),
        ("for d in ['/a', '/b']:\n    rmtree(d)", ["['/a', '/b']"]),
        ("rmtree('a')\nrmtree('b')", ["'a'", "'b'"]),
    ],
)
def test_the_arguments_of_a_call_are_found(code, arguments):
    assert find_call_arguments(code, mask_strings(code), ("rmtree(",)) == arguments


@pytest.mark.parametrize(
    ("code", "owner"),
    [
        ("Path('/x').unlink()", "Path('/x')"),
        ("p = Path('/x')\np.unlink()", "Path('/x')"),
        ("(Path.home() / 'x').unlink()", "Path.home() / 'x')"),
        ("q.unlink()", "q"),
    ],
)
def test_a_method_without_arguments_stands_for_its_owner(code, owner):
    assert find_call_arguments(code, mask_strings(code), ("unlink(",)) == [owner]


@pytest.mark.parametrize(
    ("argument", "value"),
    [("p, 'w'", "'/x', 'w'"), ("'p'", "'p'"), ("q", "q"), ("p.name", "'/x'.name"), ("$p", "'/x'")],
)
def test_a_variable_that_stands_first_is_followed(argument, value):
    code = "p = '/x'; f(p)"
    assert follow_variable(code, mask_strings(code), argument) == value


def test_a_comparison_is_no_value():
    code = "if p == '/x': f(p)"
    assert follow_variable(code, mask_strings(code), "p") == "p"


@pytest.mark.parametrize(
    ("text", "strings"),
    [("'a', \"b\", `c`", ["a", "b", "c"]), ("'''a\nb'''", ["a\nb"]), ("f(x)", []), ("''", [""]), ("'a", [""])],
)
def test_string_literals_are_listed(text, strings):
    assert strings_in(text) == strings


def test_the_first_argument_ends_at_its_own_comma():
    assert first_argument("join('a,b', c), 'w'") == "join('a,b', c)"


@pytest.mark.parametrize(
    ("expression", "path"),
    [
        ("'/x'", "/x"),
        ("os.path.expanduser('~/x')", "~/x"),
        ("Path.home()", "~"),
        ("Path.home() / '.claude' / 'settings.json'", "~/.claude/settings.json"),
        ("require('os').homedir() + '/.ssh'", "~/.ssh"),
        ("os.environ['HOME']", "~"),
        ("os.path.join('/etc', 'passwd')", "/etc/passwd"),
        ("sys.argv[1]", None),
    ],
)
def test_a_path_is_put_together_from_its_strings(expression, path):
    assert path_in(expression) == path
