"""Do the ledger's commands cost the same however long the past is? 10,000, 100,000 and 1,000,000 events.

    python bench/scale.py [events ...]

Journals are written by the journal's own functions (encoded, masked, appended, rotated by day) and ingested for real.
Then each command is run as a process of its own: with nothing new, and after one new Bash call. Processor time of the
whole process in user and system mode, the fewest of several runs. `gain` reads the last seven days, so it grows with
what these hold, and is shown without a bar. The bars: with the most events at most twice the time
with the fewest, a record in the ledger of at most 600 bytes, `log -f` within 0.3 s of processor time for a new event.
"""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

from hookwright.store import journal
from hookwright.store.database import open_store
from hookwright.store.refresh import refresh

SIZES = (10_000, 100_000, 1_000_000)
BAR = 2.0
RECORD_BYTES = 600
SHOWN_S = 0.3
RUNS = 5
A_DAY = 12_000  # events; 1,000,000 in 83 days, within the 90 that the ledger keeps
NO_LIMITS = (3650, 1 << 40, 32 << 20)  # keep all segments until they are ingested
COMMANDS = {
    "log": ["log"],
    "log --json -n 50": ["log", "--json", "-n", "50"],
    "why last": ["why", "last"],
    "status": ["status"],
    "stats": ["stats"],
    "questions suggest": ["questions", "suggest"],
    "gain": ["gain"],
}
PROGRAMS = (
    *("git status --short", "ls -la src", "cat package.json", "rg -n 'TODO|FIXME' src", "git diff HEAD~1 --stat"),
    *(
        "pytest tests/test_{n}.py -x",
        "python scripts/train.py --epochs {n} --out runs/{n}",
        "npm run build",
        "make -j4",
    ),
    *("sed -n '{n},+40p' src/app/server.ts", "docker compose up -d db", "cargo test --package core -- --nocapture"),
    *("npm install", "curl -s http://localhost:3000/api/items/{n} | jq .", "go build ./... && go test ./pkg/{n}/..."),
)
HOOKS = ("command_guard", "auto_background", "observer")


def make_calls(count, chance, end):
    """Records of whole calls in sessions of several projects: before, after, now and then stopped, moved or asked."""
    number = 0
    now = end - count / A_DAY * 86400
    step = 86400 / A_DAY
    while number < count:
        session = make_uuid(chance)
        project = f"/home/ann/work/{chance.choice(('shop', 'api', 'site', 'infra', 'models'))}{chance.randrange(5)}"
        prompt = ""
        for turn in range(chance.randrange(20, 200)):
            if turn % 12 == 0:
                prompt = make_uuid(chance)
            for record in make_call(chance, f"toolu_01{chance.getrandbits(130):x}"[:30]):
                now += step
                number += 1
                yield now, {"session_id": session, "prompt_id": prompt, "agent_id": None, "project": project, **record}
            if number >= count:
                return


def make_uuid(chance):
    text = f"{chance.getrandbits(128):032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def make_call(chance, call):
    command = chance.choice(PROGRAMS).format(n=chance.randrange(400))
    kind = chance.random()
    if kind < 0.02:
        yield from make_question(chance, call)
        return
    decisions = [
        {"hook": hook, "verdict": "none", "reason": "", "us": chance.randrange(9, 400), "mode": "on"} for hook in HOOKS
    ]
    pre = {"event": "PreToolUse", "tool_use_id": call, "tool": "Bash", "decisions": decisions, "answer": None}
    pre |= {"changed": None, "version": "0.1.0", "command": command}
    if kind < 0.05:
        reason = f"`rm -rf build/{chance.randrange(50)}` deletes a directory outside of the project"
        decisions[0] |= {"verdict": "deny", "reason": reason}
        pre |= {"answer": "deny", "guard": {"rules": ["recursive-delete"], "instead": None}}
        yield pre
        return
    moved = kind < 0.10
    if moved:
        decisions[1] |= {"verdict": "rewrite", "reason": f"`{command.split()[0]}` runs long"}
        pre |= {"answer": "rewrite", "changed": ["run_in_background"]}
    yield pre
    seconds = chance.lognormvariate(1.0, 1.6)
    post = {"event": "PostToolUse", "tool_use_id": call, "tool": "Bash", "version": "0.1.0", "command": command}
    post |= {"decisions": [decisions[2]], "answer": None, "changed": None}
    task = f"b{chance.getrandbits(24):06x}"
    if moved:
        yield post | {"duration_ms": 12, "outcome": "background", "exit_code": None, "task_id": task, "behind": True}
        end = {"event": "UserPromptSubmit", "task_id": task, "outcome": "ok", "exit_code": 0, "tool_use_id": call}
        yield end | {"decisions": [decisions[2]], "answer": None, "changed": None, "version": "0.1.0"}
    else:
        yield post | {"duration_ms": round(seconds * 1000), "outcome": "ok", "exit_code": 0}


def make_question(chance, call):
    kind = chance.randrange(40)
    question = {"question": f"Which database for part {kind}?", "header": "DB", "options": ["SQLite", "PostgreSQL"]}
    question |= {
        "labels": question["options"],
        "fingerprint": f"f{kind:07}",
        "verdict": "asked",
        "recommended": "SQLite",
    }
    said = {"hook": "questions", "verdict": "none", "reason": "", "us": 200, "mode": "on"}
    common = {"tool_use_id": call, "tool": "AskUserQuestion", "decisions": [said], "answer": None, "version": "0.1.0"}
    yield {"event": "PreToolUse", **common, "questions": [question]}
    answer = chance.choice(question["options"])
    done = question | {"answer": answer, "answered_by": "user", "followed": answer == "SQLite"}
    yield {"event": "PostToolUse", **common, "questions": [done], "waited_ms": 4000}


def write_journal(state, count, end):
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    for now, record in make_calls(count, random.Random(count), end):
        assert journal.append(state, now, record, encode, NO_LIMITS)


def append_call(state):
    """One new Bash call as the hook process records it."""
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    chance = random.Random()
    call = f"toolu_new{chance.getrandbits(64):x}"
    common = {"session_id": "new", "project": "/home/ann/work/shop1", "tool": "Bash", "tool_use_id": call}
    common |= {"command": f"make target{chance.randrange(1000)}", "decisions": [], "answer": None, "version": "0.1.0"}
    journal.append(state, time.time(), {"event": "PreToolUse", **common}, encode)
    done = {"event": "PostToolUse", **common, "duration_ms": 900, "outcome": "ok", "exit_code": 0}
    journal.append(state, time.time(), done, encode)


def measure_cpu(argv, env, prepare=lambda: None):
    """The fewest seconds of processor time of several runs."""
    spent = []
    for _ in range(RUNS):
        prepare()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(argv, env=env, cwd=env["HOME"], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(spent)


def measure_follow(env, state):
    """Seconds of processor time that `log -f` spends from a new event to its line, and the wall time."""
    argv = [sys.executable, "-m", "hookwright", "log", "-f", "-n", "1", "--json"]
    process = subprocess.Popen(argv, env=env, cwd=env["HOME"], stdout=subprocess.PIPE, text=True)
    try:
        process.stdout.readline()
        time.sleep(1.0)
        cpu, wall = read_cpu(process.pid), time.perf_counter()
        append_call(state)
        process.stdout.readline()
        return read_cpu(process.pid) - cpu, time.perf_counter() - wall
    finally:
        process.kill()
        process.communicate()


def read_cpu(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_size(folder, count):
    """Command → seconds with nothing new, seconds after one new call; and the bytes of a record."""
    home = f"{folder}/{count}"
    state = f"{home}/state"
    os.makedirs(home)
    write_journal(state, count, time.time() - 60)
    began = time.process_time()
    store = open_store(state)
    refresh(store, state, time.time())
    store.close()
    spent = time.process_time() - began
    size = os.path.getsize(f"{state}/ledger.db") / count
    print(f"{count:,} events: ingest and refresh {spent * 1e6 / count:.0f} µs an event, {size:.0f} bytes a record")
    env = {"HOME": home, "PATH": os.environ["PATH"], "HOOKWRIGHT_STATE_HOME": state, "TERM": "dumb"}
    python = [sys.executable, "-m", "hookwright"]
    found = {}
    for name, words in COMMANDS.items():
        quiet = measure_cpu([*python, *words], env)
        found[name] = (quiet, measure_cpu([*python, *words], env, lambda: append_call(state)))
    began = time.process_time()
    store = open_store(state)
    published = refresh(store, state, time.time())
    store.close()
    print(
        f"  refresh after {RUNS * len(COMMANDS)} new calls: {time.process_time() - began:.2f} s, projects: {published}"
    )
    cpu, wall = measure_follow(env, state)
    print(f"  log -f: {cpu:.2f} s of processor time until a new event is shown, {wall:.2f} s of the clock")
    return found, size, cpu


def main(sizes):
    with tempfile.TemporaryDirectory() as folder:
        found = {count: measure_size(folder, count) for count in sizes}
    fewest, most = min(sizes), max(sizes)
    missed = 0
    print(f"{'':22}" + "".join(f"{count:>22,}" for count in sizes) + "   most/fewest")
    for name in COMMANDS:
        times = [found[count][0][name] for count in sizes]
        ratios = [found[most][0][name][way] / found[fewest][0][name][way] for way in (0, 1)]
        missed += max(ratios) > BAR and name != "gain"
        cells = "".join(f"{quiet * 1000:12.0f} {new * 1000:6.0f} ms" for quiet, new in times)
        print(f"{name:22}{cells}   {ratios[0]:.2f} {ratios[1]:.2f}")
    missed += any(size > RECORD_BYTES or cpu > SHOWN_S for _, size, cpu in found.values())
    print(f"each cell: nothing new, one new call; {missed} bars missed")
    return missed


if __name__ == "__main__":
    sys.exit(bool(main([int(word) for word in sys.argv[1:]] or SIZES)))
