"""The client itself plays the table of outputs: what it hears is what our reader says it hears."""

import json

import pytest

from tests.client.kit.scripted_api import bash
from tests.protocol.output_cases import CASES

NAMES = list(CASES)


def named(text, place):
    return text.replace("@", f"row{place}.")


@pytest.fixture(scope="module")
def played(claude_binary, tmp_path_factory):
    """All rows in one session: the n-th call meets the n-th output."""
    from tests.client.kit.lab import Lab  # noqa: PLC0415

    lab = Lab(tmp_path_factory.mktemp("outputs") / "lab", binary=claude_binary)
    lab.allow("Bash")
    replies = []
    for place, case in enumerate(CASES.values()):
        text = case.stdout if isinstance(case.stdout, str) else json.dumps(case.stdout)
        replies.append({"stdout": named(text, place), "exit": case.exit, "stderr": named(case.stderr, place)})
    lab.hook("PreToolUse", "row", matcher="Bash", replies=replies)
    return lab.run([*(bash(f"echo ran-row{place}-end") for place in range(len(CASES))), "done"])


@pytest.mark.parametrize("name", NAMES)
def test_the_client_hears_what_the_table_says(played, name):
    place, case = NAMES.index(name), CASES[name]
    result = played.tool_results[place]
    assert result.failed is case.denied, result.text
    if not case.denied:
        assert (f"rewritten-row{place}." in result.text) is case.rewritten
    if case.reason:
        assert named(case.reason, place) in result.text
    words = f"context-row{place}."
    assert any(words in text for text in played.context_texts()) is case.context
    told = f"message-row{place}."
    assert any(told in str(text) for text in played.system_messages()) is case.message
