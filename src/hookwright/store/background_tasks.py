"""The background commands of every session: launches, ends, looks at their output, and how long they should take.

hook background_tasks → [add_*] → <state>/sessions/<id>/tasks → [read_tasks, list_running] → hook, CLI, statusline, page
For a status line or a page: `list_running(state, now)` gives the tasks that have not ended, each with
`remaining_seconds(now)` and `is_overdue(now)`; it reads one small file per session that has tasks, no database.
Hot: builtin modules only.
"""

from __future__ import annotations

import posix

from hookwright.store.paths import session_dir
from hookwright.store.record_lines import append_line, read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookwright.store.durations_read import Estimate

FILE = "tasks"
MAX_BYTES = 1 << 18  # per session; later tasks are not recorded
MAX_COMMAND = 300  # characters of a command that are kept
START, END, LOOK, TOLD = "start", "end", "look", "told"
UNKNOWN_LATE_S = 7200.0  # a command of which nothing is known is overdue after this
LEAST_LATE_S = 120.0  # nothing is overdue earlier
_Z90 = 1.2816  # of the normal distribution
_Z99 = 2.3263


class Task:
    """One background command: what is known from its launch, and what happened since."""

    __slots__ = (
        *("id", "session", "started", "project", "command", "key", "client", "client_started", "endless", "serves"),
        *("runs", "median_s", "p90_s", "ended", "outcome", "looks", "told"),
    )

    def __init__(self, session: str, fields: list[str]) -> None:
        started, task, client, client_started, endless, serves, runs, median, p90, project, key, command = fields
        self.id = task
        self.session = session
        self.project = project
        self.key = key
        self.command = command  # masked, one line
        self.started = float(started)
        self.client = int(client)  # pid of the Claude Code process, 0 if unknown
        self.client_started = int(client_started)  # its start time, by which a reused pid is told apart
        self.endless = endless == "1"  # a server, watcher or follower: it is not meant to end
        self.serves = serves == "1"
        self.runs = int(runs)  # past runs that the next two come from; 0: nothing is known
        self.median_s = float(median)
        self.p90_s = float(p90)
        self.ended: float | None = None
        self.outcome = ""
        self.looks = 0  # how often its output was read while it ran
        self.told: set[str] = set()

    @property
    def late_seconds(self) -> float:
        """Seconds that 99 of 100 runs do not exceed; inf for a command that is not meant to end."""
        if self.endless:
            return float("inf")
        if not self.runs or self.median_s <= 0:
            return UNKNOWN_LATE_S
        # Of a log-normal; few runs make the tail heavier, as Student's t with 4 + n degrees of freedom does.
        power = _Z99 / _Z90 * (1 + 1.3 / (4 + self.runs))
        late: float = self.median_s * max(1.05, self.p90_s / self.median_s) ** power
        return max(LEAST_LATE_S, late)

    def is_overdue(self, now: float) -> bool:
        return self.ended is None and now - self.started > self.late_seconds

    def remaining_seconds(self, now: float) -> float | None:
        """The median of what is left, given how long it runs already; None if nothing is known or it never ends."""
        if self.endless or not self.runs or self.median_s <= 0 or self.ended is not None:
            return None
        from math import exp, log  # noqa: PLC0415  not a builtin module: the hook process does without

        spread = max(0.05, log(max(1.0001, self.p90_s / self.median_s)) / _Z90)
        elapsed = max(0.01, now - self.started)
        middle = log(self.median_s)
        left = _tail((log(elapsed) - middle) / spread) / 2  # half of the runs that last so long end before this share
        low, high = log(elapsed), max(log(elapsed), middle) + 8 * spread
        for _ in range(40):
            at = (low + high) / 2
            low, high = (at, high) if _tail((at - middle) / spread) > left else (low, at)
        return max(0.0, exp(high) - elapsed)


def _tail(z: float) -> float:
    """The share of the normal distribution above z."""
    from math import erfc, sqrt  # noqa: PLC0415

    return erfc(z / sqrt(2)) / 2


def tasks_path(state: str, session: str) -> str:
    return f"{session_dir(state, session)}/{FILE}"


def has_tasks(state: str | None, session: str) -> bool:
    """Whether this session ever had a background command: one system call."""
    if state is None or not session:
        return False
    try:
        return posix.access(tasks_path(state, session), posix.R_OK)
    except ValueError:
        return False


def add_start(
    state: str,
    session: str,
    task: str,
    started: float,
    *,
    project: str,
    command: str,
    key: str,
    past: Estimate | None,
    endless: bool,
    serves: bool,
    client: int = 0,
    client_started: int = 0,
) -> bool:
    """Record a launch. `command` is masked; `past` is what durations_lookup knows of it."""
    runs, median, p90 = past[:3] if past is not None else (0, 0.0, 0.0)
    numbers = (started, task, client, client_started, int(endless), int(serves), runs, median, p90)
    fields = (*map(str, numbers), project, key, command[:MAX_COMMAND])
    return append_line(tasks_path(state, session), (START, *fields), MAX_BYTES)


def add_mark(state: str, session: str, kind: str, task: str, now: float, what: str = "") -> bool:
    """Record an END (what: its outcome), a LOOK at the output, or that somebody was TOLD (what: of what)."""
    return append_line(tasks_path(state, session), (kind, str(now), task, what), MAX_BYTES)


def read_tasks(state: str, session: str) -> dict[str, Task]:
    """Task id → task of one session, in order of their launch."""
    return _collect(session, read_lines(tasks_path(state, session), MAX_BYTES + (8 << 10)))


def _collect(session: str, lines: Iterable[list[str]]) -> dict[str, Task]:
    tasks: dict[str, Task] = {}
    for kind, *fields in lines:
        try:
            if kind == START:
                found = Task(session, fields)
                tasks.setdefault(found.id, found)
                continue
            moment, name, what = fields
            task = tasks[name]
            if kind == END and task.ended is None:
                task.ended, task.outcome = float(moment), what
            elif kind == LOOK and task.ended is None:
                task.looks += 1
            elif kind == TOLD:
                task.told.add(what)
        except (ValueError, KeyError):  # torn by a kill, or of a task whose launch was not seen
            continue
    return tasks


def list_tasks(state: str | None) -> list[Task]:
    """The background commands of all sessions that are kept, oldest first."""
    found: list[Task] = []
    try:
        sessions = posix.listdir(f"{state}/sessions") if state else []
    except OSError:
        return found
    for name in sessions:
        if has_tasks(state, name):
            found += read_tasks(state or "", name).values()
    return sorted(found, key=lambda task: task.started)


def list_running(state: str | None) -> list[Task]:
    """The background commands whose end nobody has seen, oldest first. Whether they still run: proc/task_processes."""
    return [task for task in list_tasks(state) if task.ended is None]
