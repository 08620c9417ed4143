"""What one event costs: the whole registered process against an empty interpreter and the bash hook it replaces.

    python bench/hook_process.py [ROUNDS]          make bench

Every round starts every case once, in a new random order; a ratio is the median over rounds of same-round
ratios, so the machine's other load cancels. The environment is cleared. Bars: see BARS; exit 1 if one is missed.
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

BARS = [  # case, reference, most
    ("hook pass", "empty python", 1.10),
    ("hook force", "empty python", 1.10),
    ("hook force", "bash hook", 0.50),
    ("hook big", "hook pass", 1.15),
    ("past pass", "empty python", 1.10),
    ("past force", "empty python", 1.10),
]
KEYS = 600  # learned durations that "past" has, as many as are kept


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    if "--inside" not in sys.argv:
        return run_in_own_home(rounds)
    from hookwright.runtime.launcher import find_interpreter  # noqa: PLC0415  not before the home is our own

    argv = print_argv(dict(os.environ))
    past_argv: list[str] = []
    past = write_past(past_argv)

    def payload(name: str) -> bytes:
        return (HERE / "payloads" / f"{name}.json").read_bytes()

    cases = [
        Case("empty python", [find_interpreter(), "-I", "-S", "-c", "pass"]),
        *(Case(f"hook {name}", argv, payload=payload(name)) for name in ("pass", "force", "big")),
        *(Case(f"past {name}", past_argv, env=past, payload=payload(name)) for name in ("pass", "force")),
    ]
    references = ["empty python", "hook pass"]
    if shutil.which("jq"):
        cases.append(Case("bash hook", ["/bin/bash", str(HERE / "seed_hook.sh")], payload=payload("force")))
        references.append("bash hook")
    samples = run(cases, payload("pass"), rounds=rounds)
    print(table(samples, refs=references))
    missed = 0
    for case, reference, most in BARS:
        if reference not in references:
            continue
        found, low, high = ratio(samples, case, reference)
        missed += found > most
        word = "ok  " if found <= most else "MISS"
        print(f"{word} {case} / {reference}: {found:.2f} [{low:.2f}-{high:.2f}], at most {most}")
    return 1 if missed else 0


def write_past(argv: list[str]) -> dict[str, str]:
    """The environment of somebody who has worked here for long: commands that were run, in these words and others.

    A home of its own, with the same launcher and bundle: a variable that moves the state is looked into, which costs.
    """
    from hookwright.store import durations_read, durations_write  # noqa: PLC0415  not before the home is our own

    home = os.path.join(os.environ["HOME"], "past")
    state = os.path.join(home, ".local/state/hookwright")
    quick, slow = ((9, s, 2 * s, None, *([p] * len(durations_read.THRESHOLDS))) for s, p in ((2.0, 0.02), (95.0, 0.9)))
    force = json.loads((HERE / "payloads" / "force.json").read_bytes())
    rows = {f"./jobs/{number}.sh": slow if number % 3 else quick for number in range(KEYS)}
    durations_write.write_durations(
        state, force["cwd"], rows, {force["tool_input"]["command"]: ("npm install", True, slow)}
    )
    env = {"HOME": home}
    argv[:] = print_argv({**os.environ, **env})
    for name in ("pass", "force"):
        data = (HERE / "payloads" / f"{name}.json").read_bytes()
        subprocess.run(argv, input=data, env={**os.environ, **env}, capture_output=True, check=True)
    return env


def print_argv(env: dict[str, str]) -> list[str]:
    """Install the launcher into this home; what the client then runs."""
    command = [sys.executable, "-m", "hookwright", "hook", "--print-argv"]
    printed = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
    argv: list[str] = json.loads(printed)
    return argv


def run_in_own_home(rounds: int) -> int:
    """Again in a home of its own, with an installed package and a cleared environment, ahead of other processes."""
    with tempfile.TemporaryDirectory() as home:
        site = os.path.join(home, "site-packages")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "--no-build-isolation", "--target", site, str(HERE.parent)], check=True)
        env = {"HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONPATH": site}
        nice = ["nice", "-n", "-10"] if os.geteuid() == 0 else []
        inside = [*nice, sys.executable, __file__, str(rounds), "--inside"]
        return subprocess.run(inside, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
