"""Preferences are read from the user's own files only, and only whole ones."""

import os

import pytest

from hookwright.hooks.questions import preference_files


def written(path, text, mode=0o600):
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return str(path)


def test_no_file_is_no_preference(tmp_path):
    assert preference_files.load_preferences(str(tmp_path / "user.json"))["preferences"] == []


def test_a_whole_file_is_read(tmp_path):
    path = written(tmp_path / "user.json", '{"v": 1, "preferences": [{"id": "p-1"}], "later": 1}')
    assert preference_files.load_preferences(path)["preferences"] == [{"id": "p-1"}]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "{}", '{"v": 2, "preferences": []}', '{"v": 1, "preferences": {}}', '{"v":1,"v":1}'],
)
def test_anything_else_is_refused(tmp_path, text):
    with pytest.raises(preference_files.UnusableFile, match=r"user\.json"):
        preference_files.load_preferences(written(tmp_path / "user.json", text))


def test_bytes_that_are_no_text_are_refused(tmp_path):
    (tmp_path / "user.json").write_bytes(b"\xff\xfe")
    (tmp_path / "user.json").chmod(0o600)
    with pytest.raises(preference_files.UnusableFile):
        preference_files.load_preferences(str(tmp_path / "user.json"))


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_write_is_refused(tmp_path, mode):
    with pytest.raises(preference_files.UnusableFile, match="others"):
        preference_files.load_preferences(written(tmp_path / "user.json", '{"v": 1, "preferences": []}', mode))


def test_a_folder_in_its_place_is_refused(tmp_path):
    with pytest.raises(preference_files.UnusableFile):
        preference_files.load_preferences(str(tmp_path))


def test_without_a_repository_the_folder_and_those_above_it_count(tmp_path):
    config, home = str(tmp_path / "config"), tmp_path / "home"
    work, deep = home / "work", home / "work" / "a" / "b"
    deep.mkdir(parents=True)
    (home / "other").mkdir()
    os.makedirs(preference_files.preferences_dir(config))

    def counting(folder):
        return preference_files.project_files(config, str(folder), str(home))

    assert counting(deep) == []
    made = {}
    for folder in (home, work, deep):
        made[folder] = preference_files.project_file(config, preference_files.owner_of(str(folder)))
        with open(made[folder], "w", encoding="utf-8") as file:
            file.write("{}")
    assert counting(deep) == [made[deep], made[work]]
    assert counting(deep.parent) == [made[work]]
    assert counting(home) == [made[home]]
    assert counting(home / "other") == []


def test_in_a_repository_only_its_own_counts(tmp_path):
    config, shop = str(tmp_path / "config"), tmp_path / "work" / "shop"
    (shop / ".git").mkdir(parents=True)
    os.makedirs(preference_files.preferences_dir(config))
    with open(preference_files.project_file(config, str(tmp_path / "work")), "w", encoding="utf-8") as file:
        file.write("{}")
    assert preference_files.project_files(config, str(shop), None) == [
        preference_files.project_file(config, f"{shop}/.git")
    ]


@pytest.mark.parametrize(
    ("until", "away"), [(None, False), (0, True), (10.0, False), (11.0, True), ("x", False), (True, False)]
)
def test_away_lasts_until_its_end(until, away):
    assert preference_files.is_away({"away_until": until}, now=10.0) == away
