"""Our JSON agrees with the standard library's, and is stricter where a reader must be."""

import json

import pytest
from hypothesis import given, strategies as st

from hookwright.protocol.json import SMALL, NotJson, dumps, loads

texts = st.text(st.characters(codec=None))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(texts, inner, max_size=5),
    max_leaves=20,
)


@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_reads_what_json_writes(value, ascii_only, indent):
    assert loads(json.dumps(value, ensure_ascii=ascii_only, indent=indent)) == value


@given(values)
def test_json_reads_what_we_write(value):
    assert json.loads(dumps(value)) == value


@given(st.text(alphabet='{}[]",:\\ntrufals0123456789.eE+-u \t\n\x00\x01aé', max_size=40))
def test_rejects_and_accepts_the_same_texts(text):
    try:
        expected = json.loads(text, parse_constant=lambda _: (_ for _ in ()).throw(ValueError()))
    except (ValueError, RecursionError):
        with pytest.raises(NotJson):
            loads(text)
        return
    try:
        found = loads(text)
    except NotJson as refusal:
        assert str(refusal) == "a key appears twice"  # noqa: PT017  the only text that we refuse and json takes
        return
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1, "a": 2}', "a key appears twice"),
        ('{"a": {"b": 1, "b": 2}}', "a key appears twice"),
        ("[" * 5000, "nested too deeply"),
        ('{"a":' * 5000, "nested too deeply"),
        ("[NaN]", "not a value"),
        ('"\x02"', "a control character in a string"),
        (r'"\x41"', "an unknown escape"),
        ('{"a"', "it ends too early"),
        ("{} {}", "text after the value"),
    ],
)
def test_invalid_json_raises_with_the_reason(text, why):
    with pytest.raises(NotJson, match=why):
        loads(text)


@pytest.mark.parametrize("filler", ["x", "\\n", "é"])
def test_large_texts_read_the_same(filler):
    text = '{"command": "' + filler * SMALL + '"}'
    assert loads(text) == json.loads(text)


@pytest.mark.parametrize("text", ["[" * (SMALL + 1), '{"a": 1, "a": 1' + " " * SMALL + "}", "[NaN" + " " * SMALL + "]"])
def test_large_texts_are_refused_the_same(text):
    with pytest.raises(NotJson):
        loads(text)


def test_a_lone_surrogate_becomes_its_escape():
    assert dumps("\udc80").encode("utf-8", "backslashreplace") == b'"\\udc80"'


@pytest.mark.parametrize("value", [float("inf"), float("nan"), object(), {1, 2}])
def test_refuses_what_json_cannot_say(value):
    with pytest.raises((ValueError, TypeError)):
        dumps(value)
