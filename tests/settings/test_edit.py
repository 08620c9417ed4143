"""Only our own bytes change: on every file that a person might write."""

import json

import pytest
from hypothesis import example, given, settings, strategies as st

from hookwright.errors import UserError
from hookwright.settings.client_validation import inspect_file
from hookwright.settings.desired_entry import DesiredEntry
from hookwright.settings.edit import Step, install, revert_steps, uninstall, without_ours
from hookwright.settings.json_document import Document, read_document
from tests.settings.random_files import HOOKS, NO_TIMING, OURS, is_ours, our_handler, settings_texts, with_ours
from tests.sizes import examples

WANTED = (
    DesiredEntry("PreToolUse", "Bash", our_handler()),
    DesiredEntry("PostToolUse", None, our_handler()),
    DesiredEntry("SubagentStop", None, our_handler()),
)
# A profile with fewer examples (10 instead of 100) makes all of these faster in proportion.
MANY = settings(max_examples=examples(3) * settings.default.max_examples, **NO_TIMING)


def document(text):
    return Document("s.json", text)


def foreign(doc):
    """Entries of others as the client has them, in order."""
    return [(e.event, e.matcher, e.handler) for e in inspect_file(doc).entries if not is_ours(e.handler)]


def ours(doc):
    return sorted(
        (e.event, e.matcher or "", json.dumps(e.handler)) for e in inspect_file(doc).entries if is_ours(e.handler)
    )


def valid(text):
    return read_document(text.encode("utf-8", "surrogatepass"), "s.json")


@MANY
@given(settings_texts())
def test_install_adds_and_uninstall_takes_back_every_byte(text):
    before = document(text)
    done = install(before, WANTED, is_ours, {})
    assert foreign(done.document) == foreign(before)
    assert ours(done.document) == sorted((w.event, w.matcher or "", json.dumps(w.handler)) for w in WANTED)
    assert without_ours(done.document.data, is_ours) == without_ours(before.data, is_ours)
    assert uninstall(done.document, is_ours, done.empties).text == text


@MANY
@given(settings_texts())
def test_each_addition_is_one_piece_between_bytes_that_stay(text):
    """Whether or not a container was empty: in front of the change and behind it nothing moves."""
    now, empties = document(text), {}
    for want in WANTED:
        done = install(now, [*ours_of(now), want], is_ours, empties)
        old, new = now.text, done.text
        if done.empties == empties and now.root is not None:
            head = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), len(old))
            assert new.endswith(old[head:])
        now, empties = done.document, done.empties


def ours_of(doc):
    return [DesiredEntry(e.event, e.matcher, e.handler) for e in inspect_file(doc).entries if is_ours(e.handler)]


@MANY
@given(settings_texts())
def test_a_second_install_does_nothing(text):
    once = install(document(text), WANTED, is_ours, {})
    again = install(once.document, WANTED, is_ours, once.empties)
    assert (again.text, again.steps, again.empties) == (once.text, [], once.empties)


@MANY
@given(settings_texts(hooks=with_ours(HOOKS)))
def test_older_forms_twins_and_strays_end_as_exactly_what_is_wanted(text):
    before = document(text)
    done = install(before, WANTED, is_ours, {})
    assert foreign(done.document) == foreign(before)
    assert ours(done.document) == sorted((w.event, w.matcher or "", json.dumps(w.handler)) for w in WANTED)
    gone = uninstall(done.document, is_ours, done.empties)
    assert without_ours(gone.document.data, is_ours) == without_ours(before.data, is_ours)
    assert OURS not in gone.text


@MANY
@given(settings_texts(hooks=with_ours(HOOKS)))
def test_steps_can_be_taken_back_one_by_one(text):
    before = document(text)
    done = install(before, WANTED, is_ours, {})
    back = revert_steps(done.document, done.steps, done.empties)
    assert foreign(back.document) == foreign(before)
    assert ours(back.document) == ours(before)


@MANY
@given(settings_texts(), st.booleans())
def test_what_is_written_is_json_that_the_client_reads(text, compact):
    done = install(document(text), WANTED, is_ours, {})
    assert not inspect_file(valid(done.text)).skipped


def test_a_new_file_gets_the_usual_form_of_the_client():
    done = install(document(""), WANTED[1:2], is_ours, {})
    assert done.text == json.dumps({"hooks": {"PostToolUse": [{"hooks": [our_handler()]}]}}, indent=2) + "\n"


# (before, after) for `DesiredEntry("Stop", None, {"type": "command", "command": OURS})`
LOOKS = [
    ('{"a":1}', '{"a":1,"hooks":{"Stop":[{"hooks":[H]}]}}'),
    ('{"a": 1, "b": 2}', '{"a": 1, "b": 2, "hooks": {"Stop": [{"hooks": [H]}]}}'),
    (
        '{\n "a": 1\n}\n',
        '{\n "a": 1,\n "hooks": {\n  "Stop": [\n   {\n    "hooks": [\n     H\n    ]\n   }\n  ]\n }\n}\n',
    ),
    (
        '{\r\n\t"hooks": {"Stop": []}}',
        '{\r\n\t"hooks": {"Stop": [\r\n\t\t{\r\n\t\t\t"hooks": [\r\n\t\t\t\tH\r\n\t\t\t]\r\n\t\t}\r\n\t]}}',
    ),
    (
        '{"hooks": {"Stop": [{\n  "hooks": []\n}]}}',
        '{"hooks": {"Stop": [{\n  "hooks": []\n}, {\n  "hooks": [\n    H\n  ]\n}]}}',
    ),
    (
        '{\n  "hooks": {\n    "Stop": [{"hooks": []}]\n  }\n}',
        '{\n  "hooks": {\n    "Stop": [{"hooks": []}, {"hooks": [H]}]\n  }\n}',
    ),
]


@pytest.mark.parametrize(("before", "after"), LOOKS)
def test_additions_look_like_the_rest_of_the_file(before, after):
    handler = {"type": "command", "command": OURS}
    done = install(document(before), [DesiredEntry("Stop", None, handler)], is_ours, {})
    start = done.text.index('{"type"') if '{"type"' in done.text else done.text.index('"type"')
    start = done.text.rindex("{", 0, start + 1)
    end = done.text.index("}", start) + 1
    assert done.text[:start] + "H" + done.text[end:] == after
    assert json.loads(done.text[start:end]) == handler


def test_a_moved_interpreter_is_healed_in_place_and_neighbours_stay():
    old = '{"type":"command","command":"/old/ours"}'
    text = '{"hooks":{"Stop":[{"matcher":"x", "hooks":[{"type":"command","command":"a"}, ' + old + "]}]}}"
    is_any_of_ours = lambda handler: handler["command"] in ("/old/ours", OURS)  # noqa: E731
    new = {"type": "command", "command": OURS}
    done = install(document(text), [DesiredEntry("Stop", "x", new)], is_any_of_ours, {})
    assert done.text == text.replace("/old/ours", OURS)
    assert done.steps == [Step("replace", "Stop", "x", new, {"type": "command", "command": "/old/ours"})]


def test_a_shadowed_hooks_object_does_not_come_to_life():
    text = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "dead"}]}]}, "hooks": {}}'
    done = install(document(text), WANTED, is_ours, {})
    for empties in (done.empties, {}):  # also when the record is lost
        assert foreign(uninstall(done.document, is_ours, empties).document) == []


@pytest.mark.parametrize("hooks", ['"x"', "[1]", '{"PreToolUse": {}}', "5"])
def test_hooks_of_another_shape_are_refused_by_line(hooks):
    with pytest.raises(UserError) as refusal:
        install(document('{\n"hooks": ' + hooks + "}"), WANTED, is_ours, {})
    assert refusal.value.where == "s.json:2"


@pytest.mark.parametrize(
    "text", ['{"hooks":{}}', '{"hooks": { }, "a":1}', '{"hooks":{"PreToolUse":[]}}', "{}", "{ \n}"]
)
def test_without_its_record_uninstall_removes_empty_containers_and_nothing_else(text):
    done = install(document(text), WANTED, is_ours, {})
    left = uninstall(done.document, is_ours, {}).document
    assert without_ours(left.data, is_ours) == without_ours(document(text).data, is_ours)


@settings(**NO_TIMING)
@given(settings_texts(hooks=with_ours(HOOKS)))
@example('{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}')
def test_uninstall_leaves_strangers_alone(text):
    before = document(text)
    gone = uninstall(before, is_ours, {})
    assert foreign(gone.document) == foreign(before)
    assert ours(gone.document) == []
