"""cli/text: untrusted text is escaped, numbers and times read well, long lines break at spaces."""

import pytest

from hookwright.cli import text


@pytest.mark.parametrize(
    ("given", "length", "shown"),
    [
        ("git status", 0, "git status"),
        (None, 0, ""),
        ("a\nb", 0, "a⏎b"),
        ("\x1b[31mred\x07", 0, "·[31mred·"),
        ("left\u202eright", 0, "left·right"),
        ("\ud800", 0, "·"),
        ("abcdef", 4, "abc…"),
        ("abcd", 4, "abcd"),
        (7, 0, "7"),
    ],
)
def test_a_line_has_no_control_characters_and_the_wanted_length(given, length, shown):
    assert text.escape_line(given, length) == shown


def test_a_block_keeps_its_lines_and_hides_nothing():
    assert text.escape_block("a\tb\r\nc\x1b[2K\u202e") == "a\tb\nc\\u001b[2K\\u202e"


@pytest.mark.parametrize(
    ("path", "shown"),
    [("/home/ann", "~"), ("/home/ann/x", "~/x"), ("/home/anna/x", "/home/anna/x"), ("/etc", "/etc")],
)
def test_the_home_directory_is_a_tilde(monkeypatch, path, shown):
    monkeypatch.setenv("HOME", "/home/ann/")
    assert text.shorten_home(path) == shown
    assert text.shorten_home_paths(f"see {path}/y") == f"see {shown}/y"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ((0, "hook"), "0 hooks"),
        ((1, "hook"), "1 hook"),
        ((1200, "hook"), "1,200 hooks"),
        ((1, "entry", "entries"), "1 entry"),
        ((2, "entry", "entries"), "2 entries"),
    ],
)
def test_counts_have_the_right_plural(words, shown):
    assert text.count(*words) == shown


@pytest.mark.parametrize(
    ("value", "words"),
    [(None, "-"), (0.0121, "12 ms"), (3.21, "3.2 s"), (59.6, "60 s"), (300, "5 min"), (9000, "2.5 h")],
)
def test_durations_have_the_unit_that_fits(value, words):
    assert text.format_seconds(value) == words


@pytest.mark.parametrize(("value", "words"), [(None, "-"), (31, "31 µs"), (8528, "8,528 µs"), (14_203, "14,203 µs")])
def test_times_of_hooks_have_one_unit(value, words):
    assert text.format_micros(value) == words


@pytest.mark.parametrize(
    ("moment", "words"),
    [(None, "-"), (940.0, "60 s ago"), (1001.0, "just now"), (999.5, "just now"), (998.0, "2.0 s ago")],
)
def test_a_moment_is_told_from_now(moment, words):
    assert text.format_ago(moment, now=1000.0) == words


@pytest.mark.parametrize(("values", "line"), [([], ""), ([0, 0], "▁▁"), ([1, 8], "▁█"), ([4, 8, 2], "▄█▂")])
def test_a_sparkline_is_as_high_as_its_highest(values, line):
    assert text.render_sparkline(values) == line


@pytest.mark.parametrize(
    ("line", "width", "parts"),
    [
        ("short", 20, ["short"]),
        ("", 20, [""]),
        ("one two three four five six", 14, ["one two three", "four five six"]),
        ("    indented words stay together", 24, ["    indented words stay", "together"]),
        ("/a/path/that/is/longer/than/any/line", 20, ["/a/path/that/is/longer/than/any/line"]),
        ("see /a/path/that/is/longer/than/any/line now", 20, ["see", "/a/path/that/is/longer/than/any/line", "now"]),
    ],
)
def test_lines_break_at_spaces_and_long_words_stay_whole(line, width, parts):
    assert [line[start:end] for start, end in text.split_at_width(line, width)] == parts
