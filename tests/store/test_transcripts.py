"""Transcripts of several versions give calls, ends, questions and hooks; what is strange is passed over."""

import json

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from hookwright.store.transcripts import (
    AskedQuestion,
    HookRun,
    TaskEnd,
    ToolCall,
    TranscriptReader,
    find_transcripts,
    is_refusal,
    parse_timestamp,
)
from tests.sizes import examples
from tests.store.shapes import PROJECT, SESSION, TODAY, VERSIONS, Version, lines, notice


def read(path, *entries):
    path.write_text(lines(*entries))
    return list(TranscriptReader(str(path)).read_entries())


@pytest.fixture
def path(tmp_path):
    return tmp_path / "t.jsonl"


@pytest.mark.parametrize("version", VERSIONS, ids=lambda v: v.number or "no version")
def test_a_command_and_how_it_ended(path, version):
    (call,) = read(path, version.prompt("go"), version.ran("t1", "make", 10, 3.5))
    assert (call.tool, call.input["command"], call.outcome, call.session) == ("Bash", "make", "ok", SESSION)
    assert call.seconds == pytest.approx(3.5)
    assert call.project == PROJECT
    assert not call.refused


@pytest.mark.parametrize("version", VERSIONS, ids=lambda v: v.number or "no version")
def test_a_background_command_is_known_by_its_task(path, version):
    (call,) = read(path, version.launched("t1", "make", 10, "b7"))
    assert (call.outcome, call.task) == ("background", "b7")


@pytest.mark.parametrize("way", ["ended", "ended_within_a_turn"])
def test_the_end_of_a_background_command_is_told_once_with_its_whole_time(path, way):
    launched = TODAY.launched("t1", "make", 10, "b7")
    call, end = read(path, launched, getattr(TODAY, way)("t1", "b7", 100), TODAY.prompt(notice("t1", "b7"), 120))
    assert (end.task, end.call, end.outcome, end.exit_code) == ("b7", "t1", "ok", 0)
    assert end.seconds == pytest.approx(90)
    assert end.launched is call


@pytest.mark.parametrize(
    ("options", "outcome", "code", "refused"),
    [
        ({"content": "Exit code 2\nno", "error": True}, "failed", 2, False),
        ({"content": "Exit code 143\nCommand timed out after 2m", "error": True}, "timed_out", None, False),
        ({"content": "[Request interrupted by user for tool use]", "error": True}, "interrupted", None, False),
        ({"content": "PreToolUse:Bash hook error: no", "error": True}, "failed", None, True),
        ({"content": "<tool_use_error>Blocked: sleep 30", "error": True}, "failed", None, True),
        ({"content": "The user doesn't want to proceed with this tool use.", "error": True}, "failed", None, True),
        ({"content": [{"type": "text", "text": "Exit code 9"}], "error": True}, "failed", 9, False),
        ({"result": {"stdout": "", "interrupted": True}}, "interrupted", None, False),
    ],
)
def test_the_outcome_and_exit_code_are_read_from_the_result(path, options, outcome, code, refused):
    (call,) = read(path, TODAY.ran("t1", "make", 10, 1, **options))
    assert (call.outcome, call.exit_code, call.refused) == (outcome, code, refused)


def test_a_call_that_a_person_permitted_is_marked(path):
    (call,) = read(path, TODAY.ran("t1", "make", 10, 60, source="user_temporary"))
    assert call.asked


def test_calls_of_one_message_are_not_alone(path):
    uses = [TODAY.use(f"t{n}", "Bash", {"command": "ls"}, 1, message="m") for n in (1, 2)]
    calls = read(path, uses, [TODAY.result(f"t{n}", "ok", 2) for n in (1, 2)])
    assert [call.alone for call in calls] == [False, False]


def test_a_subagent_s_calls_say_so(path):
    use = TODAY.use("t1", "Bash", {"command": "ls"}, 1, agentId="a5")
    side = {**TODAY.use("t2", "Bash", {"command": "ls"}, 1), "isSidechain": True}
    calls = read(path, use, TODAY.result("t1", "ok", 2), side, TODAY.result("t2", "ok", 2))
    assert [call.agent for call in calls] == ["a5", "side"]


@pytest.mark.parametrize("answer", ["Red", ["Red", "Blue"], None])
def test_questions_come_with_their_answers(path, answer):
    question = {"question": "Which?", "header": "Colour", "options": [{"label": "Red"}, {"label": "Blue"}]}
    answers = {"answers": {"Which?": answer}} if answer else {}
    use = TODAY.use("t1", "AskUserQuestion", {"questions": [question, "odd", {}]}, 1)
    _, found = read(path, use, TODAY.result("t1", "text", 31, result={"questions": [question], **answers}))
    assert isinstance(found, AskedQuestion)
    assert (found.header, found.options) == ("Colour", ["Red", "Blue"])
    assert found.answer == (", ".join(answer) if isinstance(answer, list) else answer)


def test_hooks_and_what_they_took(path):
    one = {
        "type": "hook_success",
        "hookEvent": "PreToolUse",
        "hookName": "PreToolUse:Bash",
        "command": "x",
        "durationMs": 26,
    }
    entry = TODAY.common(1, type="attachment", uuid="u1", attachment={**one, "exitCode": 0})
    stop = TODAY.common(
        2, type="system", uuid="u2", subtype="stop_hook_summary", hookInfos=[{"command": "y", "durationMs": 82}]
    )
    runs = read(path, entry, stop)
    assert [(run.event, run.command, run.ms) for run in runs if isinstance(run, HookRun)] == [
        ("PreToolUse", "x", 26.0),
        ("Stop", "y", 82.0),
    ]


def test_copies_of_messages_in_requests_are_not_read_again(path):
    use, result = TODAY.ran("t1", "make", 1, 1)
    copy = {"type": "api-request-blob", "message": use["message"]}
    raw = json.dumps(copy, separators=(",", ":")) + "\n"
    path.write_text(lines(use) + raw + lines(result) + raw)
    assert len(list(TranscriptReader(str(path)).read_entries())) == 1


def test_reading_goes_on_where_it_stopped_across_calls_and_tasks(path):
    whole = lines(
        TODAY.ran("t1", "make", 1, 5), TODAY.launched("t2", "x", 10, "b1"), TODAY.ended("t2", "b1", 70)
    ).encode()
    expected = None
    for cut in range(0, len(whole), 97):
        path.write_bytes(whole[:cut])
        first = TranscriptReader(str(path))
        entries = list(first.read_entries())
        path.write_bytes(whole)
        second = TranscriptReader.resume_at(str(path), first.offset, first.dump_state())
        entries += list(second.read_entries())
        kinds = [(type(entry).__name__, entry.seconds) for entry in entries]
        expected = expected or kinds
        assert kinds == expected
    assert [kind for kind, _ in expected] == ["ToolCall", "ToolCall", "TaskEnd"]


def test_what_is_carried_holds_no_contents_and_no_secrets(path):
    write = TODAY.use("t1", "Write", {"file_path": "/x", "content": "private words"}, 1)
    login = TODAY.use("t2", "Bash", {"command": "mysql -phunter2"}, 1)
    path.write_text(lines(write, login))
    reader = TranscriptReader(str(path))
    assert list(reader.read_entries()) == []
    assert len(reader.unfinished_calls()) == 2
    assert "private words" not in reader.dump_state()
    assert "hunter2" not in reader.dump_state()


@pytest.mark.parametrize(
    "carry", ["", "[]", "{", '{"project": 1}', '{"project": "", "open": [{"id": 1}], "tasks": {}, "ends": []}']
)
def test_a_carry_that_cannot_be_read_begins_anew(path, carry):
    assert TranscriptReader.resume_at(str(path), 500, carry).offset == 0


STRANGE = [
    *("not json", "[]", "42", "null", '"tool_use"', "{}", '{"type": "user", "message": null, "x": "\\"tool_use\\""}'),
    '{"message": {"content": [{"type": "tool_use"}]}}',
    '{"message": {"content": [{"type": "tool_use", "id": null, "input": []}]}}',
    '{"message": {"content": [{"type": "tool_result", "tool_use_id": ["x"]}]}}',
    '{"message": {"content": [[], 5, null, {"type": "tool_use", "id": 7, "name": 8, "input": {}}]}, "timestamp": 5}',
    '{"attachment": {"type": "hook_success", "durationMs": "long"}}',
    '{"hookInfos": [null, {}, {"durationMs": null}]}',
    '{"attachment": {"type": "queued_command", "prompt": ["<task-notification>"]}}',
    '{"message": {"content": "<task-notification>"}}',
    "[" * 5000 + '"tool_use"',
]


@pytest.mark.parametrize("line", STRANGE, ids=range(len(STRANGE)))
def test_a_strange_entry_harms_nothing_around_it(path, line):
    before, after = TODAY.ran("t1", "make", 1, 1), TODAY.ran("t2", "ls", 5, 1)
    path.write_text(lines(before) + line + "\n" + lines(after))
    found = [entry for entry in TranscriptReader(str(path)).read_entries() if isinstance(entry, ToolCall)]
    assert [call.id for call in found] == ["t1", "t2"]


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=8) | st.sampled_from(["tool_use", "tool_result", "hook_success"]),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "type",
                        "message",
                        "content",
                        "id",
                        "input",
                        "tool_use_id",
                        "attachment",
                        "hookInfos",
                        "timestamp",
                        "name",
                    ]
                ),
                inner,
                max_size=6,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_is_read_without_an_exception(tmp_path_factory, value):
    path = tmp_path_factory.mktemp("t") / "t.jsonl"
    path.write_text(json.dumps({"mark": '"tool_use"', "entry": value}) + "\n" + json.dumps(value) + "\n")
    list(TranscriptReader(str(path)).read_entries())


def test_times_that_go_backwards_give_no_duration(path):
    use, result = TODAY.use("t1", "Bash", {"command": "ls"}, 50), TODAY.result("t1", "ok", 10)
    (call,) = read(path, use, result)
    assert call.seconds is None


def test_transcripts_are_found_in_all_folders_oldest_first(tmp_path):
    for number, name in enumerate(["projects/b/2.jsonl", "projects/a/1.jsonl", "projects/a/s/subagents/x.jsonl"]):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
        import os  # noqa: PLC0415

        os.utime(file, (1000 + number, 1000 + number))
    (tmp_path / "projects" / "a" / "meta.json").write_text("{}")
    assert [path.rpartition("/")[2] for path in find_transcripts(str(tmp_path))] == ["2.jsonl", "1.jsonl", "x.jsonl"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("2026-11-15T12:00:00.500Z", 1794744000.5), ("2026-11-15T12:00:00+00:00", 1794744000.0), ("soon", 0.0), (5, 0.0)],
)
def test_timestamps_are_parsed_or_none(text, value):
    assert parse_timestamp(text) == value


def test_a_tail_of_an_error_is_no_refusal():
    assert not is_refusal("Exit code 1\n" + "x" * 500 + "hook error")


def test_an_end_without_its_launch_has_no_duration(path):
    (end,) = read(path, TODAY.ended("t1", "b1", 5))
    assert isinstance(end, TaskEnd)
    assert end.seconds is None


def test_a_version_says_who_permitted_only_if_it_knows(path):
    old = Version("2.0.14", permission=False)
    (call,) = read(path, old.ran("t1", "make", 1, 1))
    assert not call.asked
