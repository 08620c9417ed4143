"""Background tasks: from launch to end, told once when overdue, when polled, when left behind by a session."""

import os
import subprocess
import sys
import time
import uuid

import pytest

from hookwright.hooks.background_tasks.hook import BackgroundTasks
from hookwright.hooks.base import World
from hookwright.protocol.events import event_of
from hookwright.store import background_tasks, durations_read, durations_write

SESSION, PROJECT, TASK = str(uuid.uuid4()), "/home/ann/shop", "b1x"
OUTPUT = f"/tmp/claude-0/-home-ann-shop/{SESSION}/tasks/{TASK}.output"


class Session:
    """Events of one session, at any time."""

    def __init__(self, state, now=1000.0):
        self.state, self.now, self.facts, self.env = str(state), now, {}, {}

    def event(self, name, session=SESSION, options=None, **fields):
        world = World(self.env.get, state=self.state, project=PROJECT, now=self.now)
        world.alone, self.facts = True, world.facts
        payload = {"hook_event_name": name, "session_id": session, "cwd": PROJECT, **fields}
        return BackgroundTasks(world, **(options or {})).decide(event_of(payload))

    def launch(self, command="npm run build", task=TASK, **fields):
        response = {"stdout": "", "backgroundTaskId": task}
        tool = {"command": command, "run_in_background": True}
        event = {"tool_name": "Bash", "tool_input": tool, "tool_response": response, "duration_ms": 8, **fields}
        assert self.event("PostToolUse", **event) is None

    def tool(self, name, **tool_input):
        return self.event("PostToolUse", tool_name=name, tool_input=tool_input, tool_response={})

    def prompt(self, text="go on"):
        return self.event("UserPromptSubmit", prompt=text)

    def ended(self, status="completed"):
        tags = f"<task-id>{TASK}</task-id><status>{status}</status><summary>x (exit code 0)</summary>"
        return self.prompt(f"<task-notification>{tags}</task-notification>")

    def stop(self, *running):
        return self.event("Stop", background_tasks=[{"id": task, "status": "running"} for task in running])

    @property
    def tasks(self):
        return background_tasks.read_tasks(self.state, SESSION)


@pytest.fixture
def session(tmp_path):
    return Session(tmp_path)


def learn(session, key="npm run build", median=30.0, p90=60.0):
    row = (9, median, p90, None, *([0.5] * len(durations_read.THRESHOLDS)))
    assert durations_write.write_durations(session.state, PROJECT, {key: row})


def test_a_launch_is_kept_with_what_past_runs_say(session):
    learn(session)
    session.launch("TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345 npm run build")
    (task,) = session.tasks.values()
    assert (task.id, task.runs, task.median_s, task.p90_s, task.endless) == (TASK, 9, 30.0, 60.0, False)
    assert task.started == pytest.approx(1000.0 - 0.008)
    assert "ghp_" not in task.command


@pytest.mark.parametrize(("command", "endless"), [("npm run dev", True), ("npm run build", False), ("./x.sh", False)])
def test_a_server_is_not_meant_to_end(session, command, endless):
    session.launch(command)
    assert session.tasks[TASK].endless == endless


def test_a_subagents_command_ends_with_it_and_is_not_kept(session):
    session.launch(agent_id="a1")
    assert not background_tasks.has_tasks(session.state, SESSION)


def test_the_end_comes_from_the_notice_the_turn_end_or_a_stop(session):
    for end in (session.ended, session.stop, lambda: session.tool("TaskStop", task_id=TASK)):
        session.launch(task=TASK)
        session.now += 10
        assert end() is None
        assert session.tasks[TASK].ended is not None
        os.unlink(background_tasks.tasks_path(session.state, SESSION))


def test_a_task_that_is_listed_at_the_end_of_a_turn_goes_on(session):
    session.launch()
    session.now += 10
    session.stop(TASK)
    assert session.tasks[TASK].ended is None


def test_an_overdue_command_is_told_to_claude_and_the_person_once(session):
    learn(session)
    session.launch()
    session.now += 100
    assert session.prompt() is None
    session.now += 400
    told = session.tool("Read", file_path="/etc/hosts")
    assert "runs for 8 min, usually 30 s; 99 of 100 runs end within" in told.message
    assert f"Background command {TASK} (`npm run build`) runs for 8 min" in told.context
    assert session.prompt() is None
    assert session.stop(TASK) is None


def test_at_the_end_of_a_turn_only_the_person_is_told_and_claude_with_the_next_event(session):
    learn(session)
    session.launch()
    session.now += 900
    told = session.stop(TASK)
    assert told.message
    assert not told.context
    told = session.prompt()
    assert told.context
    assert not told.message


def test_of_an_unknown_command_nothing_is_said_for_two_hours(session):
    session.launch("./unknown.sh")
    session.now += 7000
    assert session.prompt() is None
    session.now += 300
    assert "nothing is known of its duration" in session.prompt().message


def test_an_endless_command_is_never_overdue(session):
    session.launch("npm run dev")
    session.now += 10 * 86400
    assert session.prompt() is None


def test_overdue_can_be_switched_off(session):
    learn(session)
    session.launch()
    session.now += 9000
    assert session.event("UserPromptSubmit", prompt="x", options={"overdue": False}) is None


@pytest.mark.parametrize(
    ("tool", "fields"),
    [
        ("Read", {"file_path": OUTPUT}),
        ("Bash", {"command": f"tail -5 {OUTPUT}"}),
        ("TaskOutput", {"task_id": TASK}),
        ("BashOutput", {"bash_id": TASK}),
    ],
)
def test_the_second_look_at_a_running_commands_output_is_answered_once(session, tool, fields):
    session.launch()
    assert session.tool(tool, **fields) is None
    assert session.facts["polled"] == TASK
    assert "You are notified when it ends" in session.tool(tool, **fields).context
    assert session.tool(tool, **fields) is None
    assert session.tasks[TASK].looks == 3


def test_a_look_after_the_end_is_no_polling(session):
    session.launch()
    session.ended()
    for _ in range(3):
        assert session.tool("Read", file_path=OUTPUT) is None
    assert "polled" not in session.facts


def test_a_session_without_background_commands_loads_nothing_more(session):
    code = (
        "import sys; from hookwright.hooks.background_tasks.hook import BackgroundTasks; "
        "from hookwright.hooks.base import World; from hookwright.protocol.events import event_of; "
        "BackgroundTasks(World(state=sys.argv[1])).decide(event_of({'hook_event_name': 'PostToolUse', "
        "'session_id': 's1', 'tool_name': 'Read', 'tool_input': {'file_path': 'x'}, 'tool_response': {}})); "
        "print('hookwright.hooks.background_tasks.tracking' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, session.state], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    "fields",
    [
        {"tool_name": "Bash", "tool_input": None, "tool_response": {"backgroundTaskId": 5}},
        {"tool_name": "Bash", "tool_input": {"command": 7}, "tool_response": {"backgroundTaskId": "b9"}},
        {"tool_name": "Read", "tool_input": {"file_path": ["x"]}, "tool_response": "text"},
        {"tool_name": None, "tool_input": 3},
    ],
)
def test_odd_payloads_are_nobodys_business(session, fields):
    session.launch()
    assert session.event("PostToolUse", **fields) is None


# -- what only real processes can show ---------------------------------------------------------------------------------

needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="processes are looked up in /proc")


@pytest.fixture
def run_task(tmp_path):
    """A process as Claude Code starts one: leader of a group, its output in the task's file."""
    started = []

    def run(*argv, session=SESSION, task=TASK):
        folder = tmp_path / "tmp" / session / "tasks"
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / f"{task}.output", "ab") as output:
            started.append(subprocess.Popen(argv, stdout=output, stderr=output, start_new_session=True))
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.wait()


@needs_proc
def test_a_silent_server_that_answers_no_port_is_told(session, run_task):
    run_task("sleep", "300")
    session.launch("npm run dev")
    session.now += 30
    assert session.prompt() is None
    session.now += 60
    told = session.prompt()
    assert "has written nothing and listens on no port" in told.message
    assert "should serve" in told.context


@needs_proc
@pytest.mark.parametrize("code", ["print('listening', flush=True)", "s.listen()"])
def test_a_server_that_speaks_or_listens_is_left_alone(session, run_task, code):
    setup = "import socket, time; s = socket.socket(); s.bind(('127.0.0.1', 0))"
    server = run_task(sys.executable, "-c", f"{setup}; {code}; open('{session.state}/up', 'w'); time.sleep(300)")
    while not os.path.exists(f"{session.state}/up"):
        assert server.poll() is None
        time.sleep(0.02)
    session.launch("npm run dev")
    session.now += 100
    assert session.prompt() is None


@needs_proc
def test_what_an_ended_session_left_running_is_told_to_the_next_one_once(session, run_task):
    client = subprocess.Popen(["sleep", "300"])
    run_task("sleep", "300")
    session.env = {"CLAUDE_PID": str(client.pid)}
    session.launch("./watch-forever.sh")
    assert session.event("SessionStart", session="s2", source="startup") is None
    client.kill()
    client.wait()
    told = session.event("SessionStart", session="s2", source="startup")
    assert f"`./watch-forever.sh` ({TASK})" in told.message
    assert "hookwright background end" in told.message
    assert session.event("SessionStart", session="s3", source="startup") is None
