"""Shared pieces: recorded payloads, and a hook process in a home of its own."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.hook_kit import prepare_hook, unexpected_lines
from tests.sizes import examples

PAYLOADS = sorted(path for path in (Path(__file__).parent / "payloads").glob("*/*.json") if path.name[0] != "_")

# No test fails because the machine is slow. In CI the same examples are drawn each time, elsewhere new ones.
PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
settings.register_profile("ci", derandomize=True, **PATIENT)
settings.register_profile("here", max_examples=examples(100), **PATIENT)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# No test starts the developer's own client, or registers what that one knows.
os.environ["PATH"] = os.pathsep.join(
    folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if not os.path.lexists(folder + "/claude")
)

# A shell that runs the tests in the background switches interrupts off for all of them; programs under test need them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # under nohup
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(params=PAYLOADS, ids=lambda path: path.stem)
def recorded(request) -> dict:
    """Each payload that the real client sent."""
    return json.loads(request.param.read_text())


class HookProcess:
    """The registered process, started as Claude Code would, in a home of its own."""

    def __init__(self, home: Path, argv: list[str]) -> None:
        self.home = home
        self.argv = argv
        self.launcher = Path(argv[0])
        self.env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}

    def __call__(self, payload, **env: str) -> subprocess.CompletedProcess:
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return subprocess.run(
            self.argv, input=data, capture_output=True, env={**self.env, **env}, cwd=self.home, timeout=300, check=False
        )

    def answer(self, payload, **env: str):
        """The object on stdout, None for silence. Anything else fails the test."""
        done = self(payload, **env)
        assert (done.returncode, unexpected_lines(done.stderr)) == (0, []), done
        return json.loads(done.stdout) if done.stdout else None

    def print_modules_at_exit(self) -> None:
        """From now on the process prints the names of all loaded modules on stderr when it ends."""
        self.add_code("leave = posix._exit")
        self.add_code("posix._exit = lambda code: posix.write(2, '\\n'.join(sys.modules).encode()) and leave(code)")

    def add_code(self, code: str) -> None:
        """Put a line into the launcher, which is executed before its own."""
        text = self.launcher.read_text()
        self.launcher.write_text(text.replace("\nsys.path.append", f"\nimport posix; {code}\nsys.path.append"))

    @property
    def config(self) -> Path:
        path = self.home / ".config/hookwright/config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    @property
    def journal(self) -> list[dict]:
        folder = self.home / ".local/state/hookwright/journal"
        lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text().splitlines()]
        return [json.loads(line) for line in lines if line]


@pytest.fixture(scope="session")
def built_bundle(tmp_path_factory) -> Path:
    """The bundle, built once for all workers: building it takes longer than most tests."""
    from hookwright.runtime import bundle_update  # noqa: PLC0415

    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    bundle = shared / "bundle" / "built"
    assert bundle_update.update_bundle(str(bundle), wait_s=500)
    return bundle


@pytest.fixture
def hook_process(tmp_path, monkeypatch, built_bundle) -> HookProcess:
    home = tmp_path / "home"
    home.mkdir()
    for name in [name for name in os.environ if name.startswith(("XDG_", "HOOKWRIGHT_", "CLAUDE", "AGENT_OS"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    return HookProcess(home, prepare_hook(built_bundle))


@pytest.fixture
def wait_for():
    """Wait until something that happens in the background is true; fails after five minutes."""

    def wait(condition) -> None:
        deadline = time.monotonic() + 300
        while not condition():
            assert time.monotonic() < deadline, "it did not happen"
            time.sleep(0.05)

    return wait
