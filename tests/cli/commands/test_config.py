"""`config show`, `check` and `schema`: values as in TOML; former section names are read, and the present ones named."""

import json
import tomllib


def test_check_names_a_former_section_and_is_content(home):
    home.hook_process.config.write_text("[guard]\nask = ['deploy']\n")
    code, out, err = home("config", "check")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "[guard] is the former name of [command_guard]",
        f"  at: {home.hook_process.config}:1",
        "  try: write [command_guard]",
        "✓ Configuration OK.",
    ]
    code, out, _ = home("config", "check", "--json")
    found = json.loads(out)
    assert (code, found["ok"], found["findings"]) == (0, True, [])
    assert [note["what"] for note in found["notes"]] == ["[guard] is the former name of [command_guard]"]


def test_the_schema_takes_both_names_and_marks_the_former_as_deprecated(home):
    sections = json.loads(home("config", "schema")[1])["properties"]
    assert sections["stop"] == {
        "$ref": "#/properties/stop_guard",
        "description": "Former name of [stop_guard].",
        "deprecated": True,
    }
    assert "checks" in sections["stop_guard"]["properties"]


def test_install_takes_a_former_name_too(home):
    code, out, _ = home("install", "--dry-run", "--json", "--only", "background")
    assert (code, "auto_background" in out) == (0, True)


def test_values_are_shown_as_a_file_has_them(home):
    home.hook_process.config.write_text('[context]\nsubagents = false\nparts = ["branch", "tasks"]\n')
    shown = home("config", "show")[1].splitlines()
    assert sorted(shown[:2]) == ['context.parts = ["branch", "tasks"]  # user', "context.subagents = false  # user"]
    assert len(shown) == 3
    assert "more options with their built-in value" in shown[2]
    every = home("config", "show", "--all")[1].splitlines()
    assert "context.commands = []  # built-in" in every
    for line in every:
        tomllib.loads(line)  # it can be pasted


def test_a_file_that_does_not_parse_says_what_applies_meanwhile(home):
    home.hook_process.config.write_text("a = [\n")
    code, out, _ = home("config", "check")
    assert code == 1
    assert "not valid TOML" in out
    assert "until then the last valid configuration or the defaults apply" in out
