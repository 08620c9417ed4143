"""Marks between asking and answering: one a tool use, taken once, and none left behind for ever."""

import os
from concurrent.futures import ThreadPoolExecutor

from hookwright.hooks.questions import pending as marks

NOW = 1_800_000_000.0


def pending(state):
    return os.listdir(f"{state}/questions/pending")


def test_a_mark_is_taken_once(tmp_path):
    state = str(tmp_path)
    assert marks.save_mark(state, "s", "toolu_1", NOW, {"asked": NOW, "text": "ä"})
    assert marks.take_mark(state, "s", "toolu_1", NOW + 5) == {"asked": NOW, "text": "ä"}
    assert marks.take_mark(state, "s", "toolu_1", NOW + 5) == {}
    assert pending(state) == []


def test_a_mark_belongs_to_one_tool_use_of_one_session(tmp_path):
    state = str(tmp_path)
    marks.save_mark(state, "s", "toolu_1", NOW, {"n": 1})
    assert marks.take_mark(state, "other", "toolu_1", NOW) == {}
    assert marks.take_mark(state, "s", "toolu_2", NOW) == {}
    assert marks.take_mark(state, "s", "toolu_1", NOW) == {"n": 1}


def test_marks_that_nobody_took_go_with_a_later_question(tmp_path):
    state = str(tmp_path)
    marks.save_mark(state, "s", "killed", NOW, {})
    marks.save_mark(state, "s", "next", NOW + marks.KEEP_SECONDS + 1, {})
    assert len(pending(state)) == 1


def test_a_clock_that_went_back_does_not_lose_the_mark(tmp_path):
    marks.save_mark(str(tmp_path), "s", "toolu_1", NOW, {"n": 1})
    assert marks.take_mark(str(tmp_path), "s", "toolu_1", NOW - 3600) == {"n": 1}


def test_without_a_place_or_a_tool_use_nothing_is_left(tmp_path):
    assert not marks.save_mark(None, "s", "toolu_1", NOW, {})
    assert not marks.save_mark(str(tmp_path), "s", "", NOW, {})
    assert marks.take_mark(None, "s", "toolu_1", NOW) == {}
    (tmp_path / "file").write_text("")
    assert not marks.save_mark(str(tmp_path / "file"), "s", "toolu_1", NOW, {})


def test_a_damaged_mark_is_no_mark(tmp_path):
    state = str(tmp_path)
    marks.save_mark(state, "s", "toolu_1", NOW, {"n": 1})
    (name,) = pending(state)
    with open(f"{state}/questions/pending/{name}", "a", encoding="utf-8") as file:
        file.write("}")
    assert marks.take_mark(state, "s", "toolu_1", NOW) == {}


def test_a_preference_is_used_so_often_and_not_more(tmp_path):
    state = str(tmp_path)
    assert marks.count_uses(state, "p-1") == 0
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: marks.record_use(state, "p-1", 5), range(40)))
    assert sum(results) == 5
    assert marks.count_uses(state, "p-1") == 40
    marks.forget_uses(state, "p-1")
    assert marks.count_uses(state, "p-1") == 0


def test_a_use_that_cannot_be_counted_is_none(tmp_path):
    (tmp_path / "file").write_text("")
    assert not marks.record_use(None, "p-1", 5)
    assert not marks.record_use(str(tmp_path / "file"), "p-1", 5)
