"""Interleaved whole-process benchmark of hook commands: medians and ratios from one run.

    from timing import Case, run, table
    samples = run([Case("floor", ["/path/floor"]), ...], payload=b"{...}", rounds=200)
    print(table(samples, refs=("floor", "seed")))

runner.c does the timing (posix_spawn + wait4); this file only writes its spec,
parses its samples and reports. A ratio is the median, over rounds, of a case's
time divided by the reference's time in the same round, so drift of a shared
machine cancels; its interval is a bootstrap over rounds.
"""

from __future__ import annotations

import pathlib
import random
import statistics
import subprocess
import tempfile
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent


@dataclass
class Case:
    name: str
    argv: list[str]
    env: dict[str, str] = field(default_factory=dict)
    cwd: str | None = None
    pid: int | None = None  # a daemon whose CPU is charged to the case
    payload: bytes | None = None


@dataclass
class Sample:
    round: int
    wall: float  # ms
    cpu: float  # ms, the child and its waited-for descendants
    helper: float  # ms of the daemon's CPU meanwhile
    rss: int
    flt: int
    exit: int
    out: int
    hash: str


def run(cases, payload, rounds=100, warmup=5, seed=1):
    runner = HERE / "runner"
    if not runner.exists() or runner.stat().st_mtime < (HERE / "runner.c").stat().st_mtime:
        subprocess.run(["cc", "-O2", "-o", runner, HERE / "runner.c"], check=True)
    with tempfile.TemporaryDirectory() as tmp:
        files = {}
        lines = []
        for case in cases:
            data = payload if case.payload is None else case.payload
            if data not in files:
                path = pathlib.Path(tmp, f"in{len(files)}")
                path.write_bytes(data)
                files[data] = path
            lines += [f"case {case.name}", f"stdin {files[data]}"]
            if case.cwd:
                lines.append(f"cwd {case.cwd}")
            if case.pid:
                lines.append(f"pid {case.pid}")
            lines += [f"env {k}={v}" for k, v in case.env.items()]
            for word in case.argv:
                lines.append("arg " + word.replace("\n", "\\x0a"))
            lines.append("end")
        spec = pathlib.Path(tmp, "spec")
        spec.write_text("\n".join(lines) + "\n")
        text = subprocess.run(
            [runner, spec, str(rounds), str(warmup), str(seed)],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    samples = {case.name: [] for case in cases}
    for line in text.splitlines():
        r, name, wall, cpu, helper, rss, flt, _vcsw, code, out, digest = line.split("\t")
        samples[name].append(
            Sample(
                int(r),
                int(wall) / 1e6,
                int(cpu) / 1e6,
                int(helper) / 1e6,
                int(rss),
                int(flt),
                int(code),
                int(out),
                digest,
            )
        )
    return samples


def ratio(samples, name, ref, key="wall", boot=400):
    base = {s.round: getattr(s, key) for s in samples[ref]}
    pairs = [getattr(s, key) / base[s.round] for s in samples[name] if base.get(s.round)]
    rng = random.Random(7)
    tries = sorted(statistics.median(rng.choices(pairs, k=len(pairs))) for _ in range(boot))
    return statistics.median(pairs), tries[int(boot * 0.025)], tries[int(boot * 0.975)]


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))]


def table(samples, refs=()):
    head = ["case", "wall p50 ms", "min", "p95", "cpu p50 ms", "daemon cpu ms", "rss MB", "exit", "out B"]
    head += [f"x {ref}" for ref in refs] + [f"cpu x {ref}" for ref in refs]
    rows = [head, ["---"] * len(head)]
    for name, ss in sorted(samples.items(), key=lambda kv: statistics.median(s.wall for s in kv[1])):
        wall = [s.wall for s in ss]
        row = [
            name,
            f"{statistics.median(wall):.2f}",
            f"{min(wall):.2f}",
            f"{quantile(wall, 0.95):.2f}",
            f"{statistics.median(s.cpu for s in ss):.2f}",
            f"{statistics.mean(s.helper for s in ss):.2f}" if any(s.helper for s in ss) else "",
            f"{statistics.median(s.rss for s in ss) / 1024:.1f}",
            "/".join(sorted({str(s.exit) for s in ss})),
            "/".join(sorted({str(s.out) for s in ss})),
        ]
        for ref in refs:
            m, lo, hi = ratio(samples, name, ref)
            row.append(f"{m:.2f} [{lo:.2f}-{hi:.2f}]")
        for ref in refs:
            total = statistics.median(s.cpu + max(s.helper, 0) for s in ss)
            base = statistics.median(s.cpu for s in samples[ref])
            row.append(f"{total / base:.2f}" if base else "")
        rows.append(row)
    return "\n".join("| " + " | ".join(r) + " |" for r in rows)
