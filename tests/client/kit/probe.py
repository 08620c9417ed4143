"""A hook for tests: records what it was given, then behaves as its spec file says.

    python -I -S probe.py SPEC.json

The spec: `log` (folder), `name`, and the behaviour: `first_line` (said at once), `reply` (JSON) or `stdout` (text),
`stderr`, `exit`, `sleep` (seconds, before the answer), `stdout_size` (that many characters more), `env_file_line`
(appended to CLAUDE_ENV_FILE), `after` (names of hooks that must have ended first), `replies` (a list: the n-th call
behaves as the n-th entry, then the last repeats), `from` (the number of the call that counts as the first).
Two records a call: one at the start, replaced by a complete one at the end, so a killed hook is seen.
"""

import json
import os
import sys
import time


def claim(folder: str, name: str) -> tuple[int, str]:
    """The number of this call and its record; parallel calls get different ones."""
    number = 0
    while True:
        path = os.path.join(folder, f"{name}.{number:03d}.json")
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        except FileExistsError:
            number += 1
        else:
            return number, path


def save(path: str, record: dict) -> None:
    with open(path + ".tmp", "w", encoding="utf-8") as handle:
        json.dump(record, handle, indent=1)
    os.replace(path + ".tmp", path)


def wait_for(folder: str, names: list[str], specs: str) -> None:
    """Wait until each named hook has been called, since its behaviour was set, and has left."""
    for name in names:
        with open(os.path.join(specs, name + ".json"), encoding="utf-8") as handle:
            first = json.load(handle).get("from", 0)
        while True:
            pids = [call["pid"] for call in records(folder, name) if call["number"] >= first]
            if pids and not any(os.path.exists(f"/proc/{pid}") for pid in pids):
                break
            time.sleep(0.02)
    time.sleep(0.15)  # the client has to notice, too


def records(folder: str, name: str) -> list[dict]:
    found = []
    for made in os.listdir(folder):
        if made.startswith(name + ".") and made.endswith(".json"):
            with open(os.path.join(folder, made), encoding="utf-8") as handle:
                words = handle.read()
            if words:
                found.append(json.loads(words))
    return found


def main(spec_path: str) -> int:
    start = time.time()
    with open(spec_path, encoding="utf-8") as handle:
        spec = json.load(handle)
    number, path = claim(spec["log"], spec["name"])
    raw = sys.stdin.buffer.read()
    try:
        payload = json.loads(raw)
    except ValueError:
        payload = None
    record = {
        "name": spec["name"],
        "number": number,
        "start": start,
        "pid": os.getpid(),
        "cwd": os.getcwd(),
        "env": dict(os.environ),
        "raw": raw.decode("utf-8", "replace"),
        "payload": payload,
        "tty": [os.isatty(fd) for fd in (0, 1, 2)],
        "finished": False,
    }
    save(path, record)
    replies = spec.get("replies")
    turn = number - spec.get("from", 0)
    behaviour = {**spec, **replies[min(turn, len(replies) - 1)]} if replies else spec
    if "first_line" in behaviour:
        print(behaviour["first_line"], flush=True)
    if "after" in behaviour:
        wait_for(spec["log"], behaviour["after"], os.path.dirname(spec_path))
    time.sleep(behaviour.get("sleep", 0))
    if "env_file_line" in behaviour and "CLAUDE_ENV_FILE" in os.environ:
        with open(os.environ["CLAUDE_ENV_FILE"], "a", encoding="utf-8") as handle:
            handle.write(behaviour["env_file_line"] + "\n")
    if "reply" in behaviour:
        sys.stdout.write(json.dumps(behaviour["reply"]))
    sys.stdout.write(behaviour.get("stdout", "") + "x" * behaviour.get("stdout_size", 0))
    sys.stderr.write(behaviour.get("stderr", ""))
    save(path, {**record, "finished": True, "end": time.time()})
    sys.stdout.flush()
    return behaviour.get("exit", 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
