"""All hooks of one event share one reading."""

from hookwright.shell.shared import read


def test_who_asks_again_gets_the_same_object():
    assert read("npm ci && ls", "/a", "/h") is read("npm ci && ls", "/a", "/h")


def test_another_text_folder_or_home_is_read_anew():
    first = read("npm ci", "/a", "/h")
    assert read("npm ci", "/b", "/h") is not first
    assert read("npm ci", "/b", "/i") is not read("npm ci", "/b", "/h")
    assert read("npm i", "/b", "/i").text == "npm i"


def test_the_reading_with_project_scripts_is_kept_beside(tmp_path):
    (tmp_path / "package.json").write_text('{"scripts": {"go": "next dev"}}')
    plain = read("npm run go", str(tmp_path))
    full = read("npm run go", str(tmp_path), scripts=True)
    assert [call.text for call in plain.calls] == ["npm run go"]
    assert [call.text for call in full.calls] == ["npm run go", "next dev"]
    assert read("npm run go", str(tmp_path)) is plain
    assert read("npm run go", str(tmp_path), scripts=True) is full
