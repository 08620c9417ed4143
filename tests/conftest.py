"""Shared pieces: recorded payloads, and a door in a home of its own."""

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from hypothesis import settings

PAYLOADS = sorted(path for path in (Path(__file__).parent / "payloads").glob("*/*.json") if path.name[0] != "_")

# Where a change is judged, the same examples are drawn each time; elsewhere new ones.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")

# A shell that runs the tests in the background switches interrupts off for all of them; programs under test need them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(params=PAYLOADS, ids=lambda path: path.stem)
def recorded(request) -> dict:
    """Each payload that the real client sent."""
    return json.loads(request.param.read_text())


class Door:
    """The registered process, started as Claude Code would, in a home of its own."""

    def __init__(self, home: Path, argv: list[str]) -> None:
        self.home = home
        self.argv = argv
        self.env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}

    def __call__(self, payload, **env: str) -> subprocess.CompletedProcess:
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return subprocess.run(
            self.argv, input=data, capture_output=True, env={**self.env, **env}, cwd=self.home, timeout=60, check=False
        )

    def answer(self, payload, **env: str):
        """The object on stdout, None for silence. Anything else fails the test."""
        done = self(payload, **env)
        assert (done.returncode, done.stderr) == (0, b""), done
        return json.loads(done.stdout) if done.stdout else None

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
def made_bundle(tmp_path_factory) -> Path:
    """The bundle, made once: making it takes longer than most tests."""
    from hookwright.door import bundle  # noqa: PLC0415

    prefix = f"{tmp_path_factory.mktemp('bundle')}/door."
    assert bundle.ensure(prefix, bundle.package_root())
    return Path(bundle.file_for(prefix))


@pytest.fixture
def door(tmp_path, monkeypatch, made_bundle) -> Door:
    home = tmp_path / "home"
    home.mkdir()
    for name in [name for name in os.environ if name.startswith(("XDG_", "HOOKWRIGHT_", "CLAUDE", "AGENT_OS"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    from hookwright.door import bundle, launcher  # noqa: PLC0415

    place = Path(bundle.file_for(launcher.bundle_prefix()))
    place.parent.mkdir(parents=True, mode=0o700)
    shutil.copy(made_bundle, place)
    return Door(home, launcher.argv())
