"""Single edits of JSON text: the separator, the layout, and removal as the exact inverse."""

import pytest

from hookwright.settings.json_document import read_document
from hookwright.settings.json_edit import add_member, append_element, remove_item, replace_value
from hookwright.settings.json_style import style_of

# The array is "x"; 9 is appended to it.
ARRAYS = {
    "of two, its own separator": ('{"a": 1, "x": [1 ,2]}', '{"a": 1, "x": [1 ,2 ,9]}'),
    "of two, tighter than the file": ('{"a": 1, "x": [1,2]}', '{"a": 1, "x": [1,2,9]}'),
    "of one, the file's separator": ('{"a": 1, "x": [1]}', '{"a": 1, "x": [1, 9]}'),
    "of one, a compact file": ('{"a":1,"x":[1]}', '{"a":1,"x":[1,9]}'),
    "of one, a space after the bracket": ('{"a":1,"x":[ 1]}', '{"a":1,"x":[ 1,9]}'),
    "one value per line": ('{\n "x": [\n  1\n ]\n}', '{\n "x": [\n  1,\n  9\n ]\n}'),
    "the last value spans lines": ('{\n "x": [{\n  "b": 1\n }]\n}', '{\n "x": [{\n  "b": 1\n }, 9]\n}'),
    "empty, one line": ('{"a": 1, "x": []}', '{"a": 1, "x": [9]}'),
    "empty, several lines": ('{\n "x": [ ]\n}', '{\n "x": [\n  9\n ]\n}'),
}


@pytest.mark.parametrize(("before", "after"), ARRAYS.values(), ids=ARRAYS)
def test_an_appended_element_is_separated_like_its_neighbours(before, after):
    document = read_document(before.encode(), "s.json")
    assert append_element(document.root.get("x"), 9, style_of(document)) == after


@pytest.mark.parametrize(
    ("before", "after"), [row for row in ARRAYS.values() if "[]" not in row[0] and "[ ]" not in row[0]]
)
def test_removing_what_was_appended_restores_the_text(before, after):
    node = read_document(after.encode(), "s.json").root.get("x")
    assert remove_item(node, node.elements(), len(node.elements()) - 1) == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"x":{"a":1}}', '{"x":{"a":1,"b":9}}'),
        ('{"x": {"a": 1 , "c": 2}}', '{"x": {"a": 1 , "c": 2 , "b": 9}}'),
        ('{\n\t"x": {\n\t\t"a": 1\n\t}\n}', '{\n\t"x": {\n\t\t"a": 1,\n\t\t"b": 9\n\t}\n}'),
        ('{\n  "x": {}\n}', '{\n  "x": {\n    "b": 9\n  }\n}'),
    ],
)
def test_a_member_is_added_in_the_style_of_the_object(before, after):
    document = read_document(before.encode(), "s.json")
    assert add_member(document.root.get("x"), "b", 9, style_of(document)) == after


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ('{"x": null, "y": 1}', {"b": 9}, '{"x": {"b": 9}, "y": 1}'),
        ('{\n  "x": null\n}', {"b": 9}, '{\n  "x": {\n    "b": 9\n  }\n}'),
        ('{\n  "x": {"a": 1}\n}', {"b": 9}, '{\n  "x": {"b": 9}\n}'),
        ('{\n  "x": {\n    "a": 1\n  }\n}', {"b": 9}, '{\n  "x": {\n    "b": 9\n  }\n}'),
    ],
)
def test_a_replaced_value_keeps_the_layout_of_the_old_one(before, value, after):
    document = read_document(before.encode(), "s.json")
    assert replace_value(document.root.get("x"), value, style_of(document)) == after


@pytest.mark.parametrize(("index", "left"), [(0, "[2, 3]"), (1, "[1, 3]"), (2, "[1,  2]")])
def test_the_separator_goes_with_the_removed_item(index, left):
    node = read_document(b"[1,  2, 3]", "s.json").root
    assert remove_item(node, node.elements(), index) == left
