"""All hooks of one event share one parsed command."""

from hookwright.shell.command import parse_cached


def test_the_same_command_is_parsed_once():
    assert parse_cached("npm ci && ls", "/a", "/h") is parse_cached("npm ci && ls", "/a", "/h")


def test_another_text_folder_or_home_is_parsed_anew():
    first = parse_cached("npm ci", "/a", "/h")
    assert parse_cached("npm ci", "/b", "/h") is not first
    assert parse_cached("npm ci", "/b", "/i") is not parse_cached("npm ci", "/b", "/h")
    assert parse_cached("npm i", "/b", "/i").text == "npm i"


def test_the_command_with_project_scripts_is_cached_separately(tmp_path):
    (tmp_path / "package.json").write_text('{"scripts": {"go": "next dev"}}')
    plain = parse_cached("npm run go", str(tmp_path))
    full = parse_cached("npm run go", str(tmp_path), scripts=True)
    assert [call.text for call in plain.calls] == ["npm run go"]
    assert [call.text for call in full.calls] == ["npm run go", "next dev"]
    assert parse_cached("npm run go", str(tmp_path)) is plain
    assert parse_cached("npm run go", str(tmp_path), scripts=True) is full
