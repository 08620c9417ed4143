# ruff: noqa: INP001  a script for users, in no package
"""Compute the figures of `hookwright gain` from `hookwright log --json` alone, to check them.

    hookwright log --json | python docs/recompute_gain.py [SINCE]

SINCE is the ISO time that `hookwright gain --json` prints as "since". Imports nothing of hookwright. The rules:

- moved: a PreToolUse event that was answered with a changed `run_in_background` (rewrite), where the call then started
  in the background (PostToolUse, outcome background).
- seconds_saved, of moves whose end is known (the first UserPromptSubmit or BackgroundEnd of the session with its task
  id): the command's duration, at most 120 s, less the launch, less 5 s for a turn that takes the result, less 5 s and
  its duration for each look at it (BashOutput, TaskOutput, a command that begins with sleep) before the end and before
  the next command was started in the background.
- stopped, asked, prompts_spared: tool calls that a hook denied, asked about or allowed, where this was the answer.
- questions_answered: calls that the hook `questions` answered. subagents_capped: Task or Agent calls that were denied
  or changed.
"""

import json
import sys
from datetime import datetime
from typing import Any

Row = dict[str, Any]
FIGURES = ("moved", "stopped", "asked", "questions_answered", "prompts_spared", "subagents_capped")
BY_ANSWER = {"deny": "stopped", "ask": "asked", "allow": "prompts_spared"}


def seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def figures_of(row: Row) -> set[str]:
    found = set()
    for decision in row["decisions"]:
        verdict = decision["verdict"]
        if decision["mode"] == "shadow" or verdict == "none":
            continue
        if decision["hook"] == "questions":
            if verdict == row["answer"] == "allow":
                found.add("questions_answered")
        elif row["event"] in ("PreToolUse", "PermissionRequest"):
            if row["tool"] in ("Task", "Agent") and verdict in ("deny", "rewrite"):
                found.add("subagents_capped")
            elif verdict == row["answer"] and verdict in BY_ANSWER:
                found.add(BY_ANSWER[verdict])
    return found


def saved_by(launch: Row, later: list[Row]) -> float | None:
    """Seconds that a move saved; None if its end is not known. `later`: the session's events after the launch."""
    ends = ("UserPromptSubmit", "BackgroundEnd")
    end = next((row for row in later if row["event"] in ends and row["task_id"] == launch["task_id"]), None)
    if end is None or launch["task_id"] is None:
        return None
    launch_s = (launch["duration_ms"] or 0) / 1000
    saved = min(seconds(end["time"]) - seconds(launch["time"]) + launch_s, 120.0) - launch_s - 5.0
    for row in later:
        if row is end or row["outcome"] == "background":
            break
        if row["event"] in ("PostToolUse", "PostToolUseFailure") and (
            row["tool"] in ("BashOutput", "TaskOutput")
            or (row["tool"] == "Bash" and (row["key"] or "").split(" ")[0] == "sleep")
        ):
            saved -= 5.0 + (row["duration_ms"] or 0) / 1000
    return saved


def compute(rows: list[Row], since: str | None = None) -> Row:
    ids: dict[str, list[str]] = {name: [] for name in ("seconds_saved", *FIGURES)}
    total = 0.0
    begin = f"{int(seconds(since) * 1000):012x}" if since else ""
    sessions: dict[str | None, list[Row]] = {}
    for row in rows:
        sessions.setdefault(row["session_id"], []).append(row)
    for row in rows:
        if row["answer"] is None or row["id"] < begin:
            continue
        for name in figures_of(row):
            ids[name].append(row["id"])
        if (
            row["event"] != "PreToolUse"
            or row["answer"] != "rewrite"
            or "run_in_background" not in (row["changed"] or ())
        ):
            continue
        session = sessions[row["session_id"]]
        launch = next(
            (
                each
                for each in session[session.index(row) :]
                if each["tool_use_id"] == row["tool_use_id"]
                and each["event"] == "PostToolUse"
                and each["outcome"] == "background"
            ),
            None,
        )
        if launch is None or row["session_id"] is None:
            continue
        ids["moved"].append(row["id"])
        saved = saved_by(launch, session[session.index(launch) + 1 :])
        if saved is not None:
            ids["seconds_saved"].append(row["id"])
            total += saved
    counts = {name: len(ids[name]) for name in FIGURES}
    return {"since": since, "seconds_saved": round(total, 1), **counts, "ids": ids}


if __name__ == "__main__":
    lines = [json.loads(line) for line in sys.stdin]
    print(json.dumps(compute(lines, sys.argv[1] if len(sys.argv) > 1 else None)))
