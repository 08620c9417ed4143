"""Golden payloads: what the pinned client really sends, recorded again on demand.

sessions through the client → recorded hook calls → [neutral placeholders] → tests/payloads/<version>/*.json

    python -m tests.client.kit.record                 compare: say which recorded shapes differ from the stored ones
    python -m tests.client.kit.record --write DIR     write the fixtures there
    python -m tests.client.kit.record --only print    sessions by name; --slow adds those that wait a minute

Nothing of the machine is kept: paths, identifiers and environment values become placeholders.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

from tests.client.kit.install import VERSION
from tests.client.kit.lab import REPOSITORY, Lab
from tests.client.kit.run import HookCall, Run
from tests.client.kit.scripted_api import bash, call
from tests.client.kit.stream import answers

STORED = os.path.join(REPOSITORY, "tests", "payloads", VERSION)
EVENTS = [
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "PermissionRequest",
    "PermissionDenied",
    "Setup",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "MessageDisplay",
]  # WorktreeCreate and WorktreeRemove are left out: a hook there replaces the client's own work
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
ERRAND = {"description": "probe it", "prompt": "SUBTASK-MARK do it", "subagent_type": "general-purpose"}
DATABASE = {
    "question": "Which database?",
    "header": "DB",
    "options": [{"label": "Postgres (Recommended)", "description": "pg"}, {"label": "SQLite", "description": "lite"}],
    "multiSelect": False,
}
EXTRAS = {
    "question": "Which extras?",
    "header": "Extras",
    "options": [{"label": "Auth", "description": "a"}, {"label": "Cache", "description": "c"}],
    "multiSelect": True,
}
CHOICE = {"Which database?": "SQLite"}


# --- the sessions


def print_basics(lab: Lab) -> None:
    lab.allow("Bash")
    lab.hook("Stop", "Stop.blocking", replies=[{"reply": {"decision": "block", "reason": "once more"}}, {}])
    hello = bash("echo hello-from-bash", description="say hello")
    lab.run([hello, bash("ls /nonexistent"), [bash("echo p1"), bash("echo p2")], "first", "second"])


def print_files(lab: Lab) -> None:
    lab.allow("Write", "Edit", "Read", "Bash")
    path = os.path.join(lab.project, "a.txt")
    lab.run(
        [
            call("Write", file_path=path, content="one\ntwo\n"),
            call("Read", file_path=path),
            call("Edit", file_path=path, old_string="two", new_string="three"),
            call("Read", file_path="/nonexistent"),
            bash("sleep 3", timeout=500),
            "done",
        ]
    )


def print_folders(lab: Lab) -> None:
    lab.allow("Bash")
    lab.write("sub/deep/file", "")
    lab.run([bash("cd sub"), bash("cd deep"), "done"])


def print_permissions(lab: Lab) -> None:
    lab.settings["permissions"] = {"ask": ["Bash(mkdir *)"]}
    lab.run([bash("touch A1"), bash("mkdir B2"), "done"])


def print_background(lab: Lab) -> None:
    lab.allow("Bash")
    slow = bash("sleep 2; echo bg-output", description="d", run_in_background=True)
    lab.run([slow, "done", "seen"])


def print_subagent(lab: Lab) -> None:
    lab.allow("Bash", "Agent")
    play_subagent(lab, bash("echo in-sub"))


def print_subagent_background(lab: Lab) -> None:
    lab.allow("Bash", "Agent")
    play_subagent(lab, bash("sleep 1; echo sub-bg", run_in_background=True))


def play_subagent(lab: Lab, *turns: dict) -> None:
    lab.run(
        [
            {"first": "SUBTASK-MARK", "turns": [*turns, "sub finished"]},
            {"turns": [call("Agent", **ERRAND, run_in_background=False), "done"]},
        ]
    )


def print_mcp(lab: Lab) -> None:
    lab.mcp("conductor", "AskUserQuestion")
    changed = {"hookEventName": "PreToolUse", "updatedInput": {"questions": [], "answers": {"q": "A"}}}
    lab.hook("PreToolUse", "answering", reply={"hookSpecificOutput": changed})
    lab.allow("mcp__conductor__AskUserQuestion")
    lab.run([call("mcp__conductor__AskUserQuestion", questions=[{"question": "q"}]), "done"])


def print_tasks(lab: Lab) -> None:
    lab.write("CLAUDE.md", "Be brief.\n")
    create = call("TaskCreate", subject="Paint it", description="Blue, all of it.")
    done = call("TaskUpdate", taskId="1", status="completed")
    lab.run([create, done, "done"], args=["--model", "claude-sonnet-4-5"])  # the newest models have no tasks


def print_resume(lab: Lab) -> None:
    lab.run(["done"])
    lab.run(["done"], args=["--continue"])


def print_setup(lab: Lab) -> None:
    lab.run(["done"], args=["--init"])


def print_command(lab: Lab) -> None:
    os.makedirs(os.path.join(lab.project, ".claude", "commands"))
    lab.write(".claude/commands/greet.md", "Greet $ARGUMENTS.\n")
    lab.run(["done"], prompt="/greet the world")


def stream_question(lab: Lab) -> None:
    with lab.stream([call("AskUserQuestion", questions=[DATABASE, EXTRAS]), "done"], human=answers(CHOICE)) as host:
        host.say("go")
        host.wait_for_result()


def stream_question_by_hook(lab: Lab) -> None:
    said = {"hookEventName": "PreToolUse", "permissionDecision": "allow"}
    said["updatedInput"] = {"questions": [DATABASE], "answers": CHOICE}
    lab.hook("PreToolUse", "answering", matcher="AskUserQuestion", reply={"hookSpecificOutput": said})
    with lab.stream([call("AskUserQuestion", questions=[DATABASE]), "done"]) as host:
        host.say("go")
        host.wait_for_result()


def stream_model(lab: Lab) -> None:
    with lab.stream(["done", "done"]) as host:
        host.say("go")
        host.wait_for_result()
        host.control("set_model", model="claude-sonnet-4-5")
        host.say("go on")
        host.wait_for_result()


def stream_config(lab: Lab) -> None:
    with lab.stream(["done", "done"]) as host:
        host.say("go")
        host.wait_for_result()
        lab.settings["env"] = {"CHANGED": "1"}
        lab.write_settings()
        wait_until(lambda: host.run.payloads("ConfigChange"))


def screen_auto(lab: Lab) -> None:
    with lab.terminal([bash("touch FROM_TUI"), "all finished"], args=["--permission-mode", "auto"]) as screen:
        screen.say("go")
        screen.until(lambda: screen.run.payloads("Stop"), "Stop")
        screen.say("/clear")
        starts = screen.run.payloads
        screen.until(lambda: [p for p in starts("SessionStart") if p["source"] == "clear"], "SessionStart clear")
        screen.leave()


def screen_dialog(lab: Lab) -> None:
    question = call("AskUserQuestion", questions=[DATABASE])
    script = [bash("touch A1"), "first", question, "second", "third"]
    with lab.terminal(script, args=["--permission-mode", "default"], side="x") as screen:
        screen.say("go")
        screen.until(lambda: screen.run.payloads("Notification"), "Notification")
        screen.answer("Do you want to proceed?", "Enter")
        screen.wait("first")
        screen.say("ask me")
        screen.answer("Enter to select", "2")
        screen.wait("second")
        screen.say("/compact keep the names")
        screen.until(lambda: screen.run.payloads("PostCompact"), "PostCompact")
        screen.leave()


def slow_idle(lab: Lab) -> None:
    with lab.terminal(["done"]) as screen:
        screen.say("go")
        screen.until(lambda: screen.run.payloads("Notification"), "Notification", seconds=120)


SESSIONS: dict[str, Callable[[Lab], None]] = {
    name: play
    for name, play in list(globals().items())
    if name.split("_")[0] in ("print", "stream", "screen", "slow") and callable(play)
}

# --- which recorded call becomes which fixture: (file stem, session, recording hook, what it must say)
Wanted = Callable[[dict], object]
PICK: list[tuple[str, str, str, Wanted]] = [
    ("SessionStart.startup.print", "print_basics", "SessionStart", lambda p: True),
    ("UserPromptSubmit", "print_basics", "UserPromptSubmit", lambda p: True),
    ("PreToolUse.Bash", "print_basics", "PreToolUse", lambda p: True),
    ("PostToolUse.Bash", "print_basics", "PostToolUse", lambda p: True),
    ("PostToolUseFailure.Bash", "print_basics", "PostToolUseFailure", lambda p: True),
    ("PostToolBatch.one", "print_basics", "PostToolBatch", lambda p: len(p["tool_calls"]) == 1),
    ("PostToolBatch.two", "print_basics", "PostToolBatch", lambda p: len(p["tool_calls"]) == 2),
    ("Stop.first", "print_basics", "Stop", lambda p: not p["stop_hook_active"]),
    ("Stop.active", "print_basics", "Stop", lambda p: p["stop_hook_active"]),
    ("SessionEnd.other", "print_basics", "SessionEnd", lambda p: True),
    ("MessageDisplay", "print_basics", "MessageDisplay", lambda p: True),
    ("PreToolUse.Write", "print_files", "PreToolUse", lambda p: p["tool_name"] == "Write"),
    ("PreToolUse.Read", "print_files", "PreToolUse", lambda p: p["tool_name"] == "Read"),
    ("PreToolUse.Edit", "print_files", "PreToolUse", lambda p: p["tool_name"] == "Edit"),
    ("PostToolUse.Write", "print_files", "PostToolUse", lambda p: p["tool_name"] == "Write"),
    ("PostToolUse.Read", "print_files", "PostToolUse", lambda p: p["tool_name"] == "Read"),
    ("PostToolUse.Edit", "print_files", "PostToolUse", lambda p: p["tool_name"] == "Edit"),
    ("PostToolUseFailure.Read", "print_files", "PostToolUseFailure", lambda p: p["tool_name"] == "Read"),
    ("PostToolUseFailure.Bash.timeout", "print_files", "PostToolUseFailure", lambda p: "timed out" in p["error"]),
    ("CwdChanged", "print_folders", "CwdChanged", lambda p: p["old_cwd"].endswith("sub")),
    ("PermissionRequest.Bash", "print_permissions", "PermissionRequest", lambda p: True),
    ("PermissionRequest.Bash.ask_rule", "print_permissions", "PermissionRequest", lambda p: "mkdir" in str(p)),
    ("PostToolUse.Bash.background", "print_background", "PostToolUse", lambda p: True),
    ("Stop.background_task", "print_background", "Stop", lambda p: p["background_tasks"]),
    (
        "UserPromptSubmit.task_notification",
        "print_background",
        "UserPromptSubmit",
        lambda p: "task-notification" in p["prompt"],
    ),
    ("PreToolUse.Agent", "print_subagent", "PreToolUse", lambda p: p["tool_name"] == "Agent"),
    ("PostToolUse.Agent", "print_subagent", "PostToolUse", lambda p: p["tool_name"] == "Agent"),
    ("PreToolUse.Bash.subagent", "print_subagent", "PreToolUse", lambda p: p["tool_name"] == "Bash"),
    (
        "PostToolUse.Bash.background.subagent",
        "print_subagent_background",
        "PostToolUse",
        lambda p: "backgroundTaskId" in p["tool_response"],
    ),
    ("SubagentStart", "print_subagent", "SubagentStart", lambda p: True),
    ("SubagentStop", "print_subagent", "SubagentStop", lambda p: True),
    ("PreToolUse.mcp", "print_mcp", "PreToolUse", lambda p: True),
    ("PostToolUse.mcp", "print_mcp", "PostToolUse", lambda p: True),
    ("TaskCreated", "print_tasks", "TaskCreated", lambda p: True),
    ("TaskCompleted", "print_tasks", "TaskCompleted", lambda p: True),
    ("InstructionsLoaded", "print_tasks", "InstructionsLoaded", lambda p: True),
    ("SessionStart.resume", "print_resume", "SessionStart", lambda p: p["source"] == "resume"),
    ("Setup.init", "print_setup", "Setup", lambda p: True),
    ("UserPromptExpansion", "print_command", "UserPromptExpansion", lambda p: True),
    ("PreToolUse.AskUserQuestion.multi", "stream_question", "PreToolUse", lambda p: True),
    ("PostToolUse.AskUserQuestion.by_hook", "stream_question_by_hook", "PostToolUse", lambda p: True),
    ("PreModelSwitch", "stream_model", "PreModelSwitch", lambda p: True),
    ("PostModelSwitch", "stream_model", "PostModelSwitch", lambda p: True),
    ("ConfigChange.user_settings", "stream_config", "ConfigChange", lambda p: True),
    ("PreToolUse.Bash.auto_mode", "screen_auto", "PreToolUse", lambda p: True),
    ("SessionEnd.clear", "screen_auto", "SessionEnd", lambda p: p["reason"] == "clear"),
    ("SessionStart.clear", "screen_auto", "SessionStart", lambda p: p["source"] == "clear"),
    ("SessionStart.startup.interactive", "screen_dialog", "SessionStart", lambda p: p["source"] == "startup"),
    ("Notification.permission_prompt", "screen_dialog", "Notification", lambda p: True),
    ("PreToolUse.AskUserQuestion", "screen_dialog", "PreToolUse", lambda p: p["tool_name"] == "AskUserQuestion"),
    (
        "PermissionRequest.AskUserQuestion",
        "screen_dialog",
        "PermissionRequest",
        lambda p: p["tool_name"] == "AskUserQuestion",
    ),
    (
        "PostToolUse.AskUserQuestion.by_user",
        "screen_dialog",
        "PostToolUse",
        lambda p: p["tool_name"] == "AskUserQuestion",
    ),
    ("PreCompact.manual", "screen_dialog", "PreCompact", lambda p: True),
    ("PostCompact.manual", "screen_dialog", "PostCompact", lambda p: True),
    ("SessionStart.compact", "screen_dialog", "SessionStart", lambda p: p["source"] == "compact"),
    ("SessionEnd.prompt_input_exit", "screen_dialog", "SessionEnd", lambda p: True),
    ("Notification.idle_prompt", "slow_idle", "Notification", lambda p: p["notification_type"] == "idle_prompt"),
]


# --- from a recorded call to a fixture


def wait_until(true: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError("what the session waits for did not come")
        time.sleep(0.1)


def neutral(payload: dict, lab: Lab) -> dict:
    """The payload with placeholders for all that belongs to one machine or one run."""
    words = json.dumps(payload, ensure_ascii=False)
    slug = re.sub(r"[^A-Za-z0-9]", "-", lab.project)
    known = [(lab.project, "<PROJECT>"), (lab.home, "<HOME>"), (slug, "<PROJECT_SLUG>"), (lab.tmp, "<TMP>")]
    known += [(payload.get("session_id"), "<SESSION_ID>"), (payload.get("prompt_id"), "<PROMPT_ID>")]
    known += [(payload.get("agent_id"), "<AGENT_ID>")]
    for pattern, name in (
        (r'"backgroundTaskId": "(\w+)"|<task-id>(\w+)|"background_tasks": \[\{"id": "(\w+)"', "<TASK_ID>"),
        (r'"agentId": "(\w+)"', "<AGENT_ID>"),
    ):
        match = re.search(pattern, words)
        known += [(group, name) for group in (match.groups() if match else ())]
    for value, name in known:
        if value:
            words = words.replace(value, name)
    uuids: dict[str, str] = {}
    words = UUID.sub(lambda m: uuids.setdefault(m[0], f"<UUID_{len(uuids) + 1}>"), words)
    return json.loads(words)


def shape(value):
    """Keys and types, without the values."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in sorted(value.items())}
    if isinstance(value, list):
        return [shape(inner) for inner in value]
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def record(session: str, folder: str, binary: str | None = None) -> Iterator[tuple[str, dict]]:
    """Play one session and yield (stem, payload) for each fixture that comes from it."""
    lab = Lab(folder, binary=binary)
    for event in EVENTS:
        lab.hook(event)
    SESSIONS[session](lab)
    calls: list[HookCall] = Run(lab.root).hooks
    for stem, source, name, wanted in PICK:
        if source == session:
            found = next((c for c in calls if c.name == name and wanted(c.payload)), None)
            if found is None:
                raise LookupError(f"{session} did not fire {stem}")
            yield stem, neutral(found.payload, lab)


def stored(stem: str) -> dict | None:
    path = os.path.join(STORED, stem + ".json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as handle:
        return json.load(handle)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", metavar="DIR", help="write the fixtures there")
    parser.add_argument("--only", default="", metavar="NAME", help="sessions whose name begins so")
    parser.add_argument("--slow", action="store_true", help="also the sessions that wait a minute")
    options = parser.parse_args(argv)
    different = 0
    for session in SESSIONS:
        if not session.startswith(options.only) or (session.startswith("slow") and not options.slow):
            continue
        with tempfile.TemporaryDirectory(prefix="hw-record-") as folder:
            for stem, payload in record(session, os.path.join(folder, "lab")):
                before = stored(stem)
                same = before is not None and shape(before) == shape(payload)
                different += not same
                print(f"{'same' if same else 'new' if before is None else 'DIFFERENT':10} {stem}")
                if options.write:
                    with open(os.path.join(options.write, stem + ".json"), "w", encoding="utf-8") as handle:
                        handle.write(json.dumps(payload, indent=2, ensure_ascii=False) + "\n")
    return 1 if different and not options.write else 0


if __name__ == "__main__":
    sys.exit(main())
