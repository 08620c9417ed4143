"""A throw-away home and project in which the real client plays a scripted session.

test → [Lab] → fence → worker → client + scripted API → Run
Nothing of the caller's environment, home or network is used, and no process outlives the run.

    claude = Lab(tmp_path)
    claude.allow("Bash")
    claude.hook("PreToolUse", reply={"systemMessage": "seen"})
    run = claude.run([bash("echo hello"), "done"])
    assert run.tool_results[0].text == "hello"
"""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator

from tests.client.kit import install, netns, scripted_api
from tests.client.kit.run import Run

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
PYTHON = os.path.realpath(sys.executable)
PROBE = os.path.join(HERE, "probe.py")
MCP_SERVER = os.path.join(HERE, "mcp_server.py")
KEY = "sk-ant-test"


class Lab:
    """One home, one project; several runs may follow each other in it."""

    def __init__(self, root, *, binary: str | None = None):
        self.root = os.path.realpath(root)
        self.binary = binary or install.ensure()
        self.home, self.project = self.path("home"), self.path("project")
        self.hook_log, self.specs, self.tmp = self.path("hooklog"), self.path("specs"), self.path("tmp")
        for folder in (self.path("home", ".claude"), self.project, self.hook_log, self.specs, self.tmp):
            os.makedirs(folder)
        self.scopes: dict[str, dict] = {scope: {} for scope in ("user", "project", "local", "flag", "managed")}
        self.env: dict[str, str] = {}
        self.covers: dict[str, str] = {}  # directory of the system → one of the lab that is laid over it
        self.routes: dict[str, dict | list] = {}
        self.mcp_servers: dict[str, dict] = {}
        self._runs = 0
        self._write(self.path("home", ".claude.json"), self._finished_onboarding())

    # --- what the session starts from
    @property
    def settings(self) -> dict:
        """The user's settings; `scopes` holds the other files."""
        return self.scopes["user"]

    @settings.setter
    def settings(self, value: dict) -> None:
        self.scopes["user"] = value

    @property
    def url(self) -> str:
        """Base address for http hooks; `routes` says what answers there."""
        return scripted_api.URL

    def path(self, *parts: str) -> str:
        return os.path.join(self.root, *parts)

    def write(self, name: str, words: str) -> str:
        """A file of the project."""
        path = os.path.join(self.project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(words)
        return path

    def read(self, name: str) -> str | None:
        """A file of the project, or None if the session did not make it."""
        with contextlib.suppress(FileNotFoundError), open(os.path.join(self.project, name), encoding="utf-8") as handle:
            return handle.read()
        return None

    def allow(self, *rules: str) -> None:
        """Permission rules under which the client does not ask."""
        self.settings.setdefault("permissions", {}).setdefault("allow", []).extend(rules)

    def hook(self, event, name=None, *, matcher=None, scope="user", group=None, options=None, **behaviour) -> dict:
        """Register a recording hook; see probe.py for its behaviour. Returns its matcher group."""
        command = self.probe(name or event, **behaviour)
        return self.handler(event, {**command, **(options or {})}, matcher=matcher, scope=scope, group=group)

    def handler(self, event, entry: dict, *, matcher=None, scope="user", group=None) -> dict:
        """Register any handler, in the matcher group of an earlier one or in its own."""
        if group is None:
            group = {"hooks": []} if matcher is None else {"matcher": matcher, "hooks": []}
            self.scopes[scope].setdefault("hooks", {}).setdefault(event, []).append(group)
        group["hooks"].append(entry)
        return group

    def probe(self, name: str, **behaviour) -> dict:
        """A command handler that records under `name` and behaves as told."""
        path = self.behave(name, **behaviour)
        return {"type": "command", "command": PYTHON, "args": ["-I", "-S", PROBE, path]}

    def behave(self, name: str, **behaviour) -> str:
        """Change what a recording hook does from now on; returns its spec file."""
        path = os.path.join(self.specs, name + ".json")
        calls = sum(1 for made in os.listdir(self.hook_log) if made.startswith(name + ".") and made.endswith(".json"))
        self._write(path, {"log": self.hook_log, "name": name, "from": calls, **behaviour})
        return path

    def mcp(self, name: str, *tools: str) -> None:
        """Add the stub MCP server under this name."""
        self.mcp_servers[name] = {"command": PYTHON, "args": ["-I", "-S", MCP_SERVER, self.specs, *tools]}

    # --- the session itself
    def run(self, script, prompt="go", *, args=(), env=None, stdin="", timeout=120, **api) -> Run:
        """Play a headless session (`claude -p`) to its end."""
        run = self._new_run()
        argv = ["-p", prompt, "--output-format", "stream-json", "--verbose", *args]
        with self._client(argv, script, env=env, **api) as client:
            try:
                run.stdout, run.stderr = client.communicate(stdin, timeout=timeout)
            except subprocess.TimeoutExpired:
                client.kill()
                run.stdout, run.stderr = client.communicate()
                raise TimeoutError(f"the client did not end in {timeout} s\n{run.stdout}\n{run.stderr}") from None
        run.code, run.seconds = client.returncode, time.time() - run.since
        run.events = [event for event in map(parsed, run.stdout.splitlines()) if event]
        return run

    def stream(self, script, **options):
        """A session over stream-json, as SDK hosts hold it: see stream.py."""
        from tests.client.kit.stream import Stream  # noqa: PLC0415 - stream and terminal build on this module

        return Stream(self, script, **options)

    def terminal(self, script, **options):
        """An interactive session on a screen of its own: see terminal.py."""
        from tests.client.kit.terminal import Terminal  # noqa: PLC0415 - as above

        return Terminal(self, script, **options)

    # --- the pieces
    def _new_run(self) -> Run:
        return Run(self.root, since=time.time())

    @contextlib.contextmanager
    def _client(self, argv, script, *, env=None, terminal=None, side="side answer", usage=None) -> Iterator:
        """The worker's process, whose stdin and stdout are the client's. Gone, with all it started, afterwards."""
        refusal = netns.why_not()
        if refusal:
            raise netns.NotFencedError(refusal)
        self.write_settings()
        self._runs += 1
        end, lifeline = os.pipe()
        job = {
            "argv": [self.binary, *argv, *self._flags()],
            "cwd": self.project,
            "env": self._environment(env or {}),
            "script": script,
            "side": side,
            "routes": self.path("routes.json"),
            "covers": {"/etc": self.path("etc"), **self.covers} if self.scopes["managed"] else self.covers,
            "usage": usage,
            "log": self.path("requests.jsonl"),
            "lifeline": end,
            "terminal": terminal,
        }
        job_file = self.path(f"job-{self._runs}.json")
        self._write(job_file, job)
        with open(lifeline, "wb", buffering=0) as hold:
            try:
                client = subprocess.Popen(
                    netns.inside([sys.executable, "-m", "tests.client.kit.worker", job_file]),
                    cwd=REPOSITORY,
                    env={"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    encoding="utf-8",
                    errors="replace",
                    pass_fds=[end],
                    start_new_session=True,
                )
            finally:
                os.close(end)
            with client:
                try:
                    yield client
                finally:
                    hold.close()  # the worker sees it and takes its namespace down
                    if not settled(client):
                        client.kill()  # unshare dies, and its child with it

    def write_settings(self) -> None:
        """Write the settings files as they stand; `run` does it for you."""
        places = {
            "managed": self.path("etc", "claude-code", "managed-settings.json"),
            "user": os.path.join(self.home, ".claude", "settings.json"),
            "project": os.path.join(self.project, ".claude", "settings.json"),
            "local": os.path.join(self.project, ".claude", "settings.local.json"),
            "flag": self.path("flag-settings.json"),
        }
        for scope, settings in self.scopes.items():
            if settings:
                os.makedirs(os.path.dirname(places[scope]), exist_ok=True)
                self._write(places[scope], settings)
        if self.mcp_servers:
            self._write(self.path("mcp.json"), {"mcpServers": self.mcp_servers})
        self.write_routes()

    def write_routes(self) -> None:
        """Write `routes` as they stand; the API follows at once."""
        self._write(self.path("routes.json"), self.routes)

    def _flags(self) -> list[str]:
        flags = ["--settings", self.path("flag-settings.json")] if self.scopes["flag"] else []
        if self.mcp_servers:
            flags += ["--strict-mcp-config", "--mcp-config", self.path("mcp.json")]
        return flags

    def _environment(self, extra: dict[str, str]) -> dict[str, str]:
        return {
            "PATH": install.PATH,
            "HOME": self.home,
            "TMPDIR": self.tmp,
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "SHELL": "/bin/bash",
            "IS_SANDBOX": "1",
            "ANTHROPIC_BASE_URL": scripted_api.URL,
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            **self.env,
            **extra,
        }

    def _finished_onboarding(self) -> dict:
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        return {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "bypassPermissionsModeAccepted": True,
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "projects": {self.project: trusted},
        }

    @staticmethod
    def _write(path: str, value: dict) -> None:
        # Whole or not at all: the client, a hook or the API may be reading.
        with open(path + ".new", "w", encoding="utf-8") as handle:
            json.dump(value, handle, indent=1)
        os.replace(path + ".new", path)


def parsed(line: str) -> dict | None:
    try:
        return json.loads(line)
    except ValueError:
        return {"type": "unparsed", "line": line} if line.strip() else None


def settled(client: subprocess.Popen, seconds: float = 10) -> bool:
    """Whether the process ended by itself in that time."""
    try:
        client.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True
