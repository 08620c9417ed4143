"""How `hookwright why` shows one event and what followed."""

from __future__ import annotations

from typing import Any

from hookwright.cli.output import print_line
from hookwright.cli.text import escape_line, format_local_time, format_micros, format_seconds
from hookwright.cli.views.log_view import describe_tool


def show_event(found: dict[str, Any]) -> None:
    """What came in, what every hook decided, what was sent, and what is known of the call afterwards."""
    record = found["record"]
    print_line(f"{record['event'] or 'problem'} at {format_local_time(record['time'])}   {record['id']}")
    for name, value in (
        ("command", record["command"]),
        ("tool", None if record["command"] else describe_tool(record)),
        ("key", record["key"]),
        ("project", record["project"]),
        ("session", record["session_id"]),
        ("agent", record["agent_id"]),
    ):
        if value:
            print_line(f"  {name:9} {escape_line(value, 400)}")
    print_line()
    print_line("Hooks, in order:" if found["hooks"] else "No hook listens to this event.")
    for hook in found["hooks"]:
        mode = "" if hook["mode"] in ("on", None) else f" [{hook['mode']}: not sent]"
        decided = "nothing" if hook["verdict"] == "none" else f"{hook['verdict']}: {escape_line(hook['reason'], 400)}"
        print_line(f"  {hook['order']}. {hook['hook']:16} {format_micros(hook['us']):>9}  {decided}{mode}", hang=33)
        if hook.get("failure"):
            print_line(f"     {'':16} {'':>9}  failed: {escape_line(hook['failure'], 200)}")
        if hook.get("printed"):
            print_line(f"     {'':16} {'':>9}  printed: {escape_line(hook['printed'], 400)}")
    for asked in found.get("questions", ()):
        question, outcome = escape_line(asked.get("question"), 100), escape_line(_question_outcome(asked), 200)
        print_line(f"  \u201c{question}\u201d: {outcome}")
    if found.get("demoted"):
        print_line(f"  auto_background left it alone: {escape_line(found['demoted'], 300)}")
    changed = f" (changed: {', '.join(map(escape_line, record['changed']))})" if record["changed"] else ""
    print_line()
    print_line(f"Sent: {found['answer'] or 'nothing'}{changed}")
    _show_afterwards(record, found)


def _show_afterwards(record: dict[str, Any], found: dict[str, Any]) -> None:
    if not record["tool_use_id"]:
        return
    print_line("Then:" if found["afterwards"] else f"Then: {_explain_missing_result(found['answer'])}")
    for later in found["afterwards"]:
        ended = later["outcome"] or "no outcome"
        code = f", exit code {later['exit_code']}" if later["exit_code"] is not None else ""
        took = f" after {format_seconds(later['duration_ms'] / 1000)}" if later["duration_ms"] is not None else ""
        ends_task = later["event"] in ("UserPromptSubmit", "BackgroundEnd")
        what = "the background command ended" if ends_task else later["event"]
        print_line(f"  {format_local_time(later['time'])}  {what}: {ended}{code}{took}")
        for asked in later.get("questions", ()):
            question, outcome = escape_line(asked.get("question"), 100), escape_line(_question_outcome(asked), 200)
            print_line(f"    \u201c{question}\u201d \u2192 {outcome}")


def _question_outcome(asked: dict[str, Any]) -> str:
    """The answer of a question and who gave it; before an answer, whether it was asked and why."""
    if "answered_by" in asked:
        return f"{asked.get('answer') or 'no answer'} ({asked.get('preference') or asked['answered_by']})"
    return f"{asked.get('verdict')}, {asked.get('because')}"


def _explain_missing_result(answer: str | None) -> str:
    if answer in ("deny", "block"):
        return "it did not run."
    return "nothing is recorded: still running, cancelled, or refused by the user."
