"""limit_file_size: nothing grows beyond the limit; what is too long already may shrink."""

import pytest

from hookwright.testing.builders import tool_use

LINE = "x = 1\n"


@pytest.mark.parametrize(
    ("file", "lines", "says"),
    [("app.py", 10, ""), ("app.py", 11, "deny"), ("uv.lock", 500, ""), ("data/big.json", 500, "")],
)
def test_a_file_is_written_up_to_its_limit(asked, file, lines, says):
    assert asked.says(tool_use("Write", {"file_path": f"/p/{file}", "content": LINE * lines}), lines=10) == says


@pytest.mark.parametrize(
    ("had", "old", "new", "more", "says"),
    [
        (9, "x = 1", "x = 1\ny = 2", {}, ""),
        (10, "x = 1", "x = 1\ny = 2", {}, "deny"),
        (6, "x = 1", "x = 1\ny = 2", {"replace_all": True}, "deny"),
        (50, LINE * 3, "", {}, ""),
        (50, "x = 1", "x = 2", {}, ""),
        (50, "x = 1", "x = 1\ny = 2", {}, "deny"),
    ],
)
def test_an_edit_is_judged_by_what_it_leaves(asked, had, old, new, more, says):
    file = asked.write("app.py", LINE * had)
    change = {"file_path": file, "old_string": old, "new_string": new, **more}
    assert asked.says(tool_use("Edit", change), lines=10) == says


def test_the_last_line_counts_without_its_end(asked):
    write = tool_use("Write", {"file_path": "/p/app.py", "content": LINE * 10 + "y"})
    assert "would have 11 lines, 10 are allowed" in asked(write, lines=10).reason
