"""Run the hook process and measure it: what it answered, its CPU seconds and its peak memory, children included."""

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

# A small process between: a child's peak memory begins with that of the process that forked it, and pytest is large.
RUN = """
import json, os, resource, subprocess, sys
limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
done = subprocess.run(sys.argv[2:], capture_output=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu_s = used.ru_utime + used.ru_stime
json.dump([done.returncode, done.stdout.decode(), done.stderr.decode(), cpu_s, used.ru_maxrss], sys.stdout)
"""
CPU_LIMIT_S = 30  # the kernel ends what runs longer, so that a failing test ends too


@dataclass(frozen=True)
class Measured:
    exit_code: int
    answer: Any  # the object on stdout, None for silence
    stderr: str
    cpu_s: float
    peak_mb: float

    @property
    def permission(self) -> str | None:
        return ((self.answer or {}).get("hookSpecificOutput") or {}).get("permissionDecision")

    @property
    def message(self) -> str:
        return (self.answer or {}).get("systemMessage", "")


def run_measured(argv: list[str], payload: Any, *, env: dict[str, str], cwd: str) -> Measured:
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    command = [sys.executable, "-ISc", RUN, str(CPU_LIMIT_S), *argv]
    done = subprocess.run(command, input=data, capture_output=True, env=env, cwd=cwd, timeout=300, check=True)
    code, stdout, stderr, cpu_s, peak_kb = json.loads(done.stdout)
    return Measured(code, json.loads(stdout) if stdout else None, stderr, cpu_s, peak_kb / 1024)
