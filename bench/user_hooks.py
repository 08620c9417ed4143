"""What a user's own hook adds to an event: the hook process with hooks against the process without.

    python bench/user_hooks.py [ROUNDS]          make bench

Cases, each in a home directory of its own: no hook; one that does nothing but decide; three of them; one that imports
`os`; a command. Wall time as in the other benchmark of the hook process; instructions by callgrind with valgrind.
Bar: one trivial hook, at most 1.5 of the process without it. Exit 1 if it is missed.
"""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from timing import Case, ratio, run, table  # noqa: E402

MOST = 1.5
TRIVIAL = """from hookwright import PreToolUse, deny, hook


@hook(PreToolUse, "Bash")
def no_sudo(event):
    if event.tool_input["command"].startswith("sudo "):
        return deny("sudo is not needed here; run the command without it")
    return None
"""
COMMAND = "[[hooks.command]]\nevent = 'PreToolUse'\nmatcher = 'Bash'\ncommand = ['/bin/true']\n"
HOMES = {
    "without": {},
    "one": {"hooks/no_sudo.py": TRIVIAL},
    "three": {f"hooks/{name}.py": TRIVIAL.replace("no_sudo", name) for name in ("one", "two", "three")},
    "imports os": {"hooks/no_sudo.py": "import os\n" + TRIVIAL},
    "command": {"config.toml": COMMAND},
}
PAYLOAD = HERE / "payloads" / "pass.json"


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        cases = [case(f"{folder}/{name}", name, files) for name, files in HOMES.items()]
        samples = run(cases, PAYLOAD.read_bytes(), rounds=rounds)
        print(table(samples, refs=["without"]))
        found, low, high = ratio(samples, "one", "without")
        missed = print_result("time", found, f" [{low:.2f}-{high:.2f}]")
        if shutil.which("valgrind"):
            counts = {case.name: instructions(case, folder) for case in cases[:2]}
            missed += print_result("instructions", counts["one"] / counts["without"])
    return 1 if missed else 0


def case(home: str, name: str, files: dict[str, str]) -> Case:
    """The hook process in its own home, run twice: the plan is compiled and the state directory exists."""
    env = {"HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}
    os.mkdir(home)
    command = [sys.executable, "-m", "hookwright", "hook", "--print-argv"]
    argv = json.loads(subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout)
    for path, text in files.items():
        target = pathlib.Path(home, ".config/hookwright", path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    for _ in range(2):
        subprocess.run(argv, input=PAYLOAD.read_bytes(), env=env, check=True, capture_output=True)
    return Case(name, argv, env=env)


def instructions(case: Case, folder: str) -> int:
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out", *case.argv]
    done = subprocess.run(command, input=PAYLOAD.read_bytes(), env=case.env, capture_output=True, check=True)
    [line] = [line for line in done.stderr.decode().splitlines() if "Collected" in line]
    return int(line.split(":")[-1])


def print_result(what: str, found: float, more: str = "") -> bool:
    print(f"{'ok  ' if found <= MOST else 'MISS'} one / without, {what}: {found:.3f}{more}, at most {MOST}")
    return found > MOST


if __name__ == "__main__":
    sys.exit(main())
