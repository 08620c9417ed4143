"""The parser: positions of values, names of mistakes, every byte restored."""

import json

import pytest
from hypothesis import given, settings

from hookwright.settings.json_document import Document, UnreadableError, read_document
from tests.settings.random_files import NO_TIMING, settings_texts

# A text, what is wrong with it, and the line and column of that.
MISTAKES = [
    ('{"a": 1,\n}', "a comma after the last entry", 1, 8),
    ('{"a": [1, ]}', "a comma after the last entry", 1, 9),
    ('// x\n{"a": 1}', "a comment, which Claude Code does not accept here", 1, 1),
    ('{\n  /* x */ "a": 1}', "a comment, which Claude Code does not accept here", 2, 3),
    ('{"a": 1} // x', "a comment, which Claude Code does not accept here", 1, 10),
    ('{"a": 1, // x\n "b": 2}', "a comment, which Claude Code does not accept here", 1, 10),
    ("{'a': 1}", "a string in single quotes; JSON has double quotes only", 1, 2),
    ("{\"a\": 'x'}", "a string in single quotes; JSON has double quotes only", 1, 7),
    ('{"a": 1\r\n"b": 2}', "expecting ',' delimiter", 2, 1),
    ('{"a": {}\n "b": 2}', "a missing comma", 1, 9),
    ('{"a": "x\ny"}', "a line break or tab inside a string; write \\n or \\t", 1, 9),
    ('{"a": 1', "the file ends too early", 1, 8),
    ('{"a": NaN, "b": "NaN"}', "NaN is not a JSON number", 1, 7),
    ('{"NaN": "\\"NaN", "a":\n -Infinity}', "-Infinity is not a JSON number", 2, 2),
    ("{} {}", "text after the end", 1, 4),
    ("\u00a0{}", "expecting value", 1, 1),
    ('{"a": 01}', "expecting ',' delimiter", 1, 8),
    ('{"a": }', "expecting value", 1, 7),
    ("[" * 100_000, "nested too deeply to be read safely", 1, 1),
    ('{"a": ' + "9" * 5000 + "}", "Exceeds the limit", 1, 1),
]


@pytest.mark.parametrize(("text", "what", "line", "column"), MISTAKES, ids=lambda value: str(value)[:30])
def test_a_mistake_has_a_name_and_a_place(text, what, line, column):
    with pytest.raises(UnreadableError) as caught:
        read_document(text.encode(), "/x/settings.json")
    assert caught.value.problem.startswith(what)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.where == f"/x/settings.json:{line}:{column}"


RAW = [
    b"{}",
    b"",
    b" \r\n",
    b"\xef\xbb\xbf{}",
    b'{"a": "\xe9\xff"}',
    b"\xff\xfe" + '{"a": "é😀"}'.encode("utf-16-le"),
    b"\xff\xfe" + '{"a": "\ud800"}'.encode("utf-16-le", "surrogatepass"),
    '{"a": "\u2028\x7f"}'.encode(),
]


@pytest.mark.parametrize("raw", RAW)
def test_decoding_and_encoding_keeps_every_byte(raw):
    document = read_document(raw, "s.json")
    assert document.encode_text(document.text) == raw


def test_half_a_character_of_utf16_is_no_text():
    with pytest.raises(UnreadableError, match="half a character"):
        read_document(b"\xff\xfe{\0}", "s.json")


@settings(max_examples=settings.default.max_examples * 3 // 2, **NO_TIMING)
@given(settings_texts())
def test_places_and_values_agree_with_the_standard_reader(text):
    document = Document("s.json", text)
    if document.root is None:
        return
    assert document.data == json.loads(text)
    for member in document.root.members():
        assert json.loads(text[member.start : member.key_end]) == member.key
        assert json.loads(member.node.source) == member.node.value
    if (hooks := document.root.get("hooks")) is not None and hooks.is_object:
        for member in hooks.members():
            if member.node.is_array:
                assert [element.value for element in member.node.elements()] == member.node.value


@pytest.mark.parametrize(("position", "place"), [(0, (1, 1)), (2, (1, 3)), (3, (2, 1)), (5, (3, 1)), (8, (4, 1))])
def test_lines_end_in_every_way(position, place):
    assert Document("s", "ab\nc\rd\r\ne").line_and_column(position) == place
