"""hookwright why: for one past event, who decided what and why, and what came of it."""

from __future__ import annotations

from typing import Any

import click

from hookwright.cli.output import as_json, print_json
from hookwright.cli.past import local_time, micros, opened, plain, seconds
from hookwright.errors import UserError
from hookwright.history import ledger


@click.command("why", epilog="Example:  hookwright why last")
@click.argument("name", metavar="ID|last", default="last")
@as_json
def command(*, name: str, as_json: bool) -> int:
    """Explain one event: what came in, which hooks ran, what each said, what was sent, what happened then.

    ID is an event's id or its beginning (`hookwright log` shows it), or the id of a tool use; `last` is the last
    event that was answered.
    """
    store = opened()
    row = ledger.find(store, name)
    if row is None:
        what = "nothing is recorded yet" if name == "last" else f"no event {name!r}"
        raise UserError(what, where="the ledger", fix="hookwright log")
    found = ledger.why(store, row)
    if as_json:
        print_json(found)
    else:
        show(found)
    return 0


def show(found: dict[str, Any]) -> None:
    record = found["record"]
    print(f"{record['event'] or 'a problem'} at {local_time(record['time'])}   {record['id']}")
    for name, value in (
        ("command", record["command"]),
        ("tool", None if record["command"] else record["tool"]),
        ("key", record["key"]),
        ("project", record["project"]),
        ("session", record["session_id"]),
        ("agent", record["agent_id"]),
    ):
        if value:
            print(f"  {name:9} {plain(value, 400)}")
    print("\nHooks, in their order:" if found["hooks"] else "\nNo hook listened to it.")
    for hook in found["hooks"]:
        mode = "" if hook["mode"] in ("on", None) else f" [{hook['mode']}: not sent]"
        said = "nothing" if hook["verdict"] == "none" else f"{hook['verdict']}: {plain(hook['reason'], 400)}"
        print(f"  {hook['order']}. {hook['hook']:16} {micros(hook['us']):>9}  {said}{mode}")
        if hook.get("failure"):
            print(f"     {'':16} {'':>9}  failed: {plain(hook['failure'], 200)}")
        if hook.get("printed"):
            print(f"     {'':16} {'':>9}  printed: {plain(hook['printed'], 400)}")
    for asked in found.get("questions", ()):
        print(f"  \u201c{plain(asked.get('question'), 100)}\u201d: {plain(_became(asked), 200)}")
    changed = f" (changed: {', '.join(map(plain, record['changed']))})" if record["changed"] else ""
    print(f"\nSent: {found['answer'] or 'nothing'}{changed}")
    _show_afterwards(record, found)


def _show_afterwards(record: dict[str, Any], found: dict[str, Any]) -> None:
    if not record["tool_use_id"]:
        return
    print("Then:" if found["afterwards"] else f"Then: {_nothing_came(found['answer'])}")
    for later in found["afterwards"]:
        ended = later["outcome"] or "no outcome"
        code = f", exit code {later['exit_code']}" if later["exit_code"] is not None else ""
        took = f" after {seconds(later['duration_ms'] / 1000)}" if later["duration_ms"] is not None else ""
        ends_task = later["event"] in ("UserPromptSubmit", "BackgroundEnd")
        what = "the background command ended" if ends_task else later["event"]
        print(f"  {local_time(later['time'])}  {what}: {ended}{code}{took}")
        for asked in later.get("questions", ()):
            print(f"    \u201c{plain(asked.get('question'), 100)}\u201d \u2192 {plain(_became(asked), 200)}")


def _became(asked: dict[str, Any]) -> str:
    """What became of a question: asked or answered beforehand, or the answer that came."""
    if "answered_by" in asked:
        return f"{asked.get('answer') or 'no answer'} ({asked.get('preference') or asked['answered_by']})"
    return f"{asked.get('verdict')}, {asked.get('because')}"


def _nothing_came(answer: str | None) -> str:
    if answer in ("deny", "block"):
        return "it did not run."
    return "nothing more was recorded: still running, cancelled, or refused by the user."
