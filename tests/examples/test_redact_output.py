"""redact_output: the same output in the same shape, without the secrets."""

import json

import pytest

from hookwright.testing.builders import bash_done, event

TOKEN = "ghp_" + "a1B2" * 9


def shown(decision):
    return decision.fields["updatedToolOutput"]


def read(content, **more):
    file = {"filePath": "/p/app.py", "content": content, "numLines": 1, "startLine": 1, "totalLines": 1}
    response = {"type": "text", "file": file, **more}
    given = {"file_path": "/p/app.py"}
    return event("PostToolUse", tool_name="Read", tool_input=given, tool_response=response, tool_use_id="toolu_1")


def test_a_token_in_the_output_of_a_command_is_masked_and_the_rest_stays(asked):
    before = bash_done("env", f"HOME=/home/ann\nGITHUB_TOKEN={TOKEN}\nPORT=80")
    decision = asked(before)
    assert shown(decision) == {**before.tool_response, "stdout": "HOME=/home/ann\nGITHUB_TOKEN=***\nPORT=80"}
    assert "***" in decision.context
    assert TOKEN not in repr(decision)


@pytest.mark.parametrize("output", ["", "3 passed in 0.1s", "PORT=80\nNAME=shop"])
def test_output_without_a_secret_is_left_alone(asked, output):
    assert asked(bash_done("env", output)) is None


def test_names_count_in_the_output_of_commands_and_not_in_files(asked):
    assert "hunter22" not in json.dumps(shown(asked(bash_done("cat .env", "DB_PASSWORD=hunter22"))))
    assert asked(bash_done("cat .env", "DB_PASSWORD=hunter22"), names=False) is None
    assert asked(read("self.token = token\npassword = 'hunter22'\n")) is None  # an Edit must find what Read showed


def test_a_file_is_masked_by_shape(asked):
    clean = shown(asked(read(f"KEY = '{TOKEN}'\n")))
    assert clean["file"]["content"] == "KEY = '***'\n"
    assert clean["file"]["totalLines"] == 1


def test_an_mcp_result_keeps_its_blocks_and_pictures(asked):
    blocks = [{"type": "text", "text": f"token {TOKEN}"}, {"type": "image", "data": "sk-" + "A" * 60}]
    came = event(
        "PostToolUse", tool_name="mcp__vault__read", tool_input={}, tool_response=blocks, tool_use_id="toolu_1"
    )
    assert shown(asked(came)) == [{"type": "text", "text": "token ***"}, blocks[1]]
