"""The client itself plays the table of outputs: what it hears is what our reader says it hears."""

import json

from tests.client.kit.scripted_api import bash
from tests.protocol.output_cases import CASES


def named(text, place):
    return text.replace("@", f"row{place}.")


def test_the_client_hears_what_the_table_says(lab):
    """All rows in one session: the n-th call meets the n-th output."""
    lab.allow("Bash")
    replies = []
    for place, case in enumerate(CASES.values()):
        text = case.stdout if isinstance(case.stdout, str) else json.dumps(case.stdout)
        replies.append({"stdout": named(text, place), "exit": case.exit, "stderr": named(case.stderr, place)})
    lab.hook("PreToolUse", "row", matcher="Bash", replies=replies)
    run = lab.run([*(bash(f"echo ran-row{place}-end") for place in range(len(CASES))), "done"])
    contexts, messages = "\n".join(run.context_texts()), "\n".join(map(str, run.system_messages()))
    heard = {}
    for place, (name, case) in enumerate(CASES.items()):
        result = run.tool_results[place]
        heard[name] = {
            "denied": result.failed,
            "reason": case.reason if named(case.reason, place) in result.text else result.text,
            "rewritten": not result.failed and named("rewritten-@", place) in result.text,
            "context": named("context-@", place) in contexts,
            "message": named("message-@", place) in messages,
        }
    expected = {name: {key: getattr(case, key) for key in heard[name]} for name, case in CASES.items()}
    assert heard == expected
