"""Made-up sessions with known durations: several projects, several weeks, in transcripts as the client writes them.

seed → [make_sessions] → calls with their true durations, and the transcripts of each session
What makes real transcripts hard is in them: the same command runs in several projects, project scripts have telling and
mute names, installs are mostly cached, builds fail at once, old clients do not say that a person was asked first, the
client moves a command at two minutes, and servers are launched in the background.
"""

import json
import math
import random
from dataclasses import dataclass

CLIENT_MOVES_AT_S = 120.0
DAY_S = 86400.0
START = 1_790_000_000.0


@dataclass
class Kind:
    """Commands of one kind: how they are written, their median in seconds, the spread of ln(seconds)."""

    texts: tuple[str, ...]
    median: float
    spread: float
    weight: float  # how often, relative to the others
    fails: float = 0.0  # share of runs that fail at once
    asks: bool = True  # the client asks a person before it, unless that is switched off


@dataclass
class MadeCall:
    """One call of a session and the truth about it."""

    project: str
    command: str
    seconds: float  # what it really takes
    time: float


# In all projects; the medians differ between projects by PROJECT_SPREAD.
COMMON = [
    Kind(("git status", "git diff --stat", "git log --oneline -5", "ls -la", "ls src"), 0.05, 0.4, 60, asks=False),
    Kind(
        ("grep -rn TODO src", "rg -n handler src | head -20", "cat package.json", "wc -l src/*"),
        0.1,
        0.5,
        40,
        asks=False,
    ),
    Kind(("npm ci", "npm install", "npm install --no-audit"), 3.0, 0.7, 6),
    Kind(("pip install -r requirements.txt", "pip install requests", "pip install -e ."), 2.5, 0.8, 5),
    Kind(("git commit -m 'fix'", "git push", "git pull --rebase"), 1.5, 0.6, 12),
    Kind(("sleep 2 && curl -s localhost:3000/health", "sleep 5; tail -3 app.log"), 4.0, 0.4, 3),
]
PROJECT_SPREAD = 0.5
PROJECTS = {
    "/home/ann/brain": [
        Kind(("python scripts/extract_entities.py", "python scripts/extract_entities.py --limit 500"), 240.0, 0.35, 9),
        Kind(("python scripts/build_graph.py | tail -20",), 95.0, 0.3, 5),
        Kind(("python scripts/show_stats.py",), 0.8, 0.4, 9),
        Kind(("pytest -q", "pytest -q tests"), 6.0, 0.4, 8),
        Kind(("pytest -q tests/test_one.py", "pytest tests/test_two.py -x"), 1.2, 0.4, 8),
    ],
    "/home/ann/shop": [
        Kind(("npm run build", "npm run build 2>&1 | tail -5"), 2.2, 0.4, 12),
        Kind(("npm test", "npm test -- --coverage"), 8.0, 0.5, 8),
        Kind(("npx playwright test", "npx playwright test --project=chromium"), 150.0, 0.3, 5),
        Kind(("./scripts/deploy_preview.sh",), 180.0, 0.4, 4),
        Kind(("npm run lint",), 3.0, 0.3, 6),
    ],
    "/home/ann/engine": [
        Kind(("cargo build", "cargo build 2>&1 | grep -E 'error|warning' | head"), 9.0, 0.8, 10, fails=0.3),
        Kind(("cargo build --release",), 140.0, 0.3, 4),
        Kind(("cargo test", "cargo test --workspace"), 75.0, 0.3, 6, fails=0.1),
        Kind(("cargo check",), 3.0, 0.6, 10),
        Kind(("make bench",), 300.0, 0.2, 3),
        Kind(("swift build",), 0.3, 0.6, 9, fails=0.9),
    ],
    "/home/ann/site": [
        Kind(("hugo", "hugo --minify"), 0.9, 0.3, 8),
        Kind(("python tools/render_all.py",), 110.0, 0.3, 5),
        Kind(("docker build -t site .",), 70.0, 0.6, 4),
        Kind(("docker compose up -d",), 5.0, 0.5, 4),
    ],
}


class Maker:
    """Makes sessions of one project after another, with one source of chance."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.calls: list[MadeCall] = []
        self.number = 0
        self.shift = {
            (project, kind.texts): self.chance.gauss(0, PROJECT_SPREAD) for project in PROJECTS for kind in COMMON
        }

    def make_session(self, project: str, day: int, calls: int) -> list[str]:
        """The lines of one transcript."""
        chance, self.number = self.chance, self.number + 1
        old = chance.random() < 0.4  # a client that does not record who permitted a call
        prompts = chance.random() < 0.5  # a person is asked before most commands
        now = START + day * DAY_S + chance.uniform(0, 40_000)
        session = f"{self.number:08}-0000-4000-8000-000000000000"
        common = {"cwd": project, "sessionId": session, "isSidechain": False, "version": "1.0.60" if old else "2.1.325"}
        lines = [entry(now, common, type="user", message={"role": "user", "content": "go"})]
        kinds = [*COMMON, *PROJECTS[project]]
        for _ in range(calls):
            now += chance.uniform(4, 30)
            if chance.random() < 0.3:
                lines += self._make_edit(common, now, old=old, prompts=prompts)
                now += 10
                continue
            kind = chance.choices(kinds, [kind.weight for kind in kinds])[0]
            seconds = self._draw_seconds(project, kind)
            command = chance.choice(kind.texts)
            self.calls.append(MadeCall(project, command, seconds, now))
            waited = chance.uniform(2, 90) if prompts and kind.asks and chance.random() < 0.7 else 0.0
            lines += self._make_call(common, now, command, seconds, waited, old=old)
            now += waited + seconds
        return lines

    def _draw_seconds(self, project: str, kind: Kind) -> float:
        if self.chance.random() < kind.fails:
            return self.chance.uniform(0.05, 0.8)
        shift = self.shift.get((project, kind.texts), 0.0)
        return math.exp(self.chance.gauss(math.log(kind.median) + shift, kind.spread))

    def _make_edit(self, common: dict, now: float, *, old: bool, prompts: bool) -> list[str]:
        waited = self.chance.uniform(3, 40) if prompts and self.chance.random() < 0.6 else 0.0
        name = f"toolu_{self.chance.getrandbits(60):x}"
        edit = {"file_path": "a.py", "old_string": "a", "new_string": "b"}
        return [
            use(now, common, name, "Edit", edit),
            result(now + 0.05 + waited, common, name, "ok", {}, asked=None if old else waited > 0),
        ]

    def _make_call(self, common, now, command, seconds, waited, *, old) -> list[str]:
        name = f"toolu_{self.chance.getrandbits(60):x}"
        lines = [use(now, common, name, "Bash", {"command": command})]
        asked = None if old else waited > 0
        if seconds > CLIENT_MOVES_AT_S and not old:
            task = f"b{self.chance.getrandbits(40):x}"
            text = f"Command running in background with ID: {task}. Output is being written to: /tmp/x."
            launched = {"stdout": "", "backgroundTaskId": task}
            lines.append(result(now + waited + CLIENT_MOVES_AT_S, common, name, text, launched, asked=asked))
            notice = (
                f"<task-notification>\n<task-id>{task}</task-id>\n<tool-use-id>{name}</tool-use-id>\n"
                "<status>completed</status>\n<summary>x completed (exit code 0)</summary>\n</task-notification>"
            )
            message = {"role": "user", "content": notice}
            lines.append(entry(now + waited + seconds, common, type="user", message=message))
            return lines
        lines.append(result(now + waited + seconds, common, name, "ok", {"stdout": "ok"}, asked=asked))
        return lines


def entry(moment: float, common: dict, **more) -> str:
    whole = int(moment)
    stamp = f"{format_utc(whole)}.{int((moment - whole) * 1000):03}Z"
    return json.dumps({"timestamp": stamp, **common, **more}) + "\n"


def format_utc(seconds: int) -> str:
    import time  # noqa: PLC0415

    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def use(moment, common, name, tool, tool_input) -> str:
    block = {"type": "tool_use", "id": name, "name": tool, "input": tool_input}
    return entry(
        moment, common, type="assistant", message={"role": "assistant", "id": f"msg_{name}", "content": [block]}
    )


def result(moment, common, name, text, response, *, asked) -> str:
    block = {"type": "tool_result", "tool_use_id": name, "content": text}
    more = {}
    if asked is not None:
        more["permissionDecision"] = {"decision": "accept", "source": "user_temporary" if asked else "config"}
    message = {"role": "user", "content": [block]}
    return entry(moment, common, type="user", message=message, toolUseResult=response, **more)


def make_sessions(folder, seed=4, days=24, calls=60):
    """Write the transcripts of the first half of the days; returns the calls of the first and of the second half."""
    maker = Maker(seed)
    halves = []
    for half in (0, 1):
        maker.calls = []
        for day in range(half * days // 2, (half + 1) * days // 2):
            for project in PROJECTS:
                if maker.chance.random() < 0.5:
                    lines = maker.make_session(project, day, calls)
                    if half == 0:
                        place = folder / "projects" / project.replace("/", "-")
                        place.mkdir(parents=True, exist_ok=True)
                        (place / f"{maker.number:08}.jsonl").write_text("".join(lines))
        halves.append(maker.calls)
    return halves
