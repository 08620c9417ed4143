"""The exact command that would change what a row of the page shows. The page itself only reads; a person runs these.

row → [commands_for_event | commands_for_question | commands_for_hook] → text to copy, what it does
What is not printable is never part of a command: a pasted line break would run what comes before it.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from hookwright.store.page_queries import ASKED, STOPPED

if TYPE_CHECKING:
    from collections.abc import Mapping

    Suggestion = dict[str, str]  # command, what it does

GUARD = "command_guard"
ID_LENGTH = 16  # characters of an id that `log` shows


def commands_for_event(row: Mapping[str, Any]) -> list[Suggestion]:
    """What could be done about this event, the narrowest first."""
    found = []
    project = row.get("project")
    event_id = str(row.get("id"))[:ID_LENGTH]
    spoke = [str(said["hook"]) for said in row.get("said", ()) if said["hook"] and said["mode"] != "shadow"]
    if row.get("kind") in (STOPPED, ASKED) and GUARD in spoke:
        found.append(_here(project, f"hookwright allow {event_id}", "let exactly this pass, in this project"))
        for rule in row.get("rules", ()):
            words = f"hookwright allow {_quote(rule)}"
            found.append(_here(project, words, f"let everything pass that {rule} stops, in this project"))
    for hook in dict.fromkeys(spoke):
        found += commands_for_hook(hook, "on", project)
    found.append({"command": f"hookwright why {event_id}", "does": "show this in the terminal"})
    return _only_safe(found)


def commands_for_hook(hook: str, mode: str, project: Any = None) -> list[Suggestion]:
    """The other modes of a hook: in this project if there is one, else everywhere."""
    words = {
        "on": f"turn {hook} on",
        "off": f"turn {hook} off",
        "shadow": f"let {hook} watch without acting",
    }
    found = []
    for other, does in words.items():
        if other == mode:
            continue
        if project:
            found.append(_here(project, f"hookwright {other} {_quote(hook)} --here", f"{does} in this project"))
        else:
            found.append({"command": f"hookwright {other} {_quote(hook)}", "does": f"{does} everywhere"})
    return _only_safe(found)


def commands_for_question(line: Mapping[str, Any], project: Any) -> list[Suggestion]:
    """Decide this question for next time, or take a decision back."""
    found = []
    if line.get("preference"):
        words = f"hookwright questions forget {_quote(line['preference'])}"
        found.append(_here(project, words, "ask this question again"))
    question, answer = line.get("question"), line.get("answer")
    asks = f"hookwright questions set --question={_quote(question)}"
    if question and answer and not line.get("preference") and not line.get("one_way") and not line.get("free_text"):
        found.append(_here(project, f"{asks} --answer={_quote(answer)}", "always answer like this"))
    if question:
        found.append(_here(project, f"{asks} --always-ask", "always ask me"))
    return _only_safe(found)


def commands_for_task(task: Mapping[str, Any]) -> list[Suggestion]:
    """End a background command that runs; else where its move is decided."""
    found = []
    if task["state"] in ("running", "orphan") and task["task_id"]:
        words = f"hookwright background end {_quote(task['task_id'])}"
        found.append({"command": words, "does": "end it, and what it started"})
    if task["moved"]:
        found += commands_for_hook("auto_background", "on", task["project"])
    return _only_safe(found)


def commands_for_duration(command: Any, project: Any) -> list[Suggestion]:
    """See what is decided for a command, and where that can be changed."""
    if not command:
        return []
    return _only_safe([_here(project, f"hookwright explain {_quote(command)}", "what would be decided, and why")])


def _here(project: Any, words: str, does: str) -> Suggestion:
    """A command that counts in the directory where it is run."""
    if project and str(project).isprintable():
        return {"command": f"cd {_quote(project)} && {words}", "does": does}
    return {"command": words, "does": f"{does}; run it in the project's directory"}


def _quote(text: Any) -> str:
    return shlex.quote(str(text))


def _only_safe(found: list[Suggestion]) -> list[Suggestion]:
    return [each for each in found if each["command"].isprintable()]
