"""Text from outside is made harmless and short."""

import pytest

from hookwright.hooks.clean_text import clean_text, first_line, format_list, last_lines, one_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ü ✓", "plain ü ✓"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("10%\r50%\r100%", "100%"),
        ("line\r\nnext", "line\nnext"),
        ("a\u202eb\u200bc\x07", "abc"),
        ("a\ud800b", "ab"),
        ("tag\U000e0041s", "tags"),
        (b"caf\xc3\xa9 \xff", "café \ufffd"),
    ],
)
def test_only_what_a_reader_sees_stays(text, shown):
    assert clean_text(text) == shown


def test_texts_are_cut_to_lines_and_lengths():
    assert one_line("a\n  b\t c", 20) == "a b c"
    assert one_line("x" * 50, 10) == "x" * 9 + "…"
    assert first_line("\n\n  first \nsecond", 20) == "first"
    assert last_lines("1\n2\n\n3\n", 2, 100) == "2\n3"
    assert last_lines("x" * 50, 5, 10) == "…" + "x" * 9
    assert format_list(["a", "b", "c", "d"], 2) == "a, b and 2 more"


def test_secrets_are_masked():
    assert "hunter2" not in one_line("export DB_PASSWORD=hunter2secret", 100)
    assert "hunter2" not in last_lines("PASSWORD=hunter2secret\n", 5, 100)
