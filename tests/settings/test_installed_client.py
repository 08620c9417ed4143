"""The installed client is found and asked once, in bounded time, and no file of a project is started."""

import os

import pytest

from hookwright.settings import installed_client
from hookwright.settings.installed_client import Client, describe_client, find_clients


class Machine:
    """A home, a project and directories on PATH with stand-ins for the client."""

    def __init__(self, root):
        self.root = root
        self.project = root / "project"
        self.home = root / "home"
        self.project.mkdir()
        self.home.mkdir()
        self.path = []

    def client(self, folder, says="2.1.325 (Claude Code)", then=""):
        path = self.root / folder / "claude"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\n/usr/bin/env > {path}.env; pwd >> {path}.started\necho "{says}"\n{then}\n')
        path.chmod(0o755)
        self.path.append(str(path.parent))
        return path

    def find(self, cache=True):
        env = {"HOME": str(self.home), "PATH": os.pathsep.join(self.path), "NODE_OPTIONS": "--require evil"}
        return find_clients(env, [str(self.project)], str(self.root / "cache") if cache else None)


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def starts(path):
    try:
        return path.with_name("claude.started").read_text().split()
    except FileNotFoundError:
        return []


def test_each_client_on_the_path_tells_its_version(machine):
    first, second = machine.client("a", "2.1.112 (Claude Code)"), machine.client("b", "2.1.71 (Claude Code)")
    assert machine.find() == [Client(str(first), (2, 1, 112)), Client(str(second), (2, 1, 71))]


def test_a_client_is_asked_once_until_its_file_changes(machine):
    path = machine.client("a", "2.1.71")
    assert [client.version for _ in range(3) for client in machine.find()] == [(2, 1, 71)] * 3
    assert len(starts(path)) == 1
    path.write_text(path.read_text().replace("2.1.71", "2.1.112"))
    assert machine.find()[0].version == (2, 1, 112)


def test_without_a_cache_it_is_asked_each_time(machine):
    path = machine.client("a")
    machine.find(cache=False)
    machine.find(cache=False)
    assert len(starts(path)) == 2


@pytest.mark.parametrize("text", ["", "[]", "{", '{"x": 1}', "[" * 100_000])
def test_a_damaged_cache_is_no_cache(machine, text):
    machine.client("a")
    (machine.root / "cache").mkdir(mode=0o700)
    (machine.root / "cache/clients.json").write_text(text)
    assert machine.find()[0].version == (2, 1, 325)


def test_what_a_wrapper_starts_may_change_while_the_wrapper_stays(machine, monkeypatch):
    path = machine.client("a")
    machine.find()
    monkeypatch.setattr(installed_client, "WRAPPER_KEPT_S", 0.0)
    machine.find()
    assert len(starts(path)) == 2


def test_it_is_started_outside_of_the_project_with_a_clean_environment(machine, monkeypatch):
    monkeypatch.chdir(machine.project)
    monkeypatch.setenv("BUN_OPTIONS", "--preload evil")
    path = machine.client("a")
    machine.find()
    assert starts(path) == ["/"]
    env = path.with_name("claude.env").read_text()
    assert "evil" not in env
    assert "DISABLE_AUTOUPDATER=1" in env


def test_no_file_of_the_project_is_started(machine, monkeypatch):
    monkeypatch.chdir(machine.project)
    planted = [machine.client("project"), machine.client("project/node_modules/.bin")]
    machine.path += ["", "."]
    assert machine.find() == []
    assert [starts(path) for path in planted] == [[], []]


def test_a_link_that_leads_into_the_project_is_not_started(machine):
    planted = machine.client("project")
    (machine.root / "bin").mkdir()
    (machine.root / "bin/claude").symlink_to(planted)
    machine.path = [str(machine.root / "bin")]
    assert machine.find() == []
    assert starts(planted) == []


def test_in_the_home_directory_the_users_own_client_is_asked(machine):
    machine.project = machine.home
    path = machine.client("home/.local/bin")
    machine.path = []
    assert machine.find() == [Client(str(path), (2, 1, 325))]


def test_a_client_that_hangs_is_left_after_its_deadline(machine, monkeypatch):
    monkeypatch.setattr(installed_client, "DEADLINE_S", 0.5)
    path = machine.client("a", "", "/bin/sleep 600")
    (found,) = machine.find()
    assert (found.path, found.version) == (str(path), None)
    assert "did not end" in found.problem


@pytest.mark.parametrize(("says", "then"), [("no version here", ""), ("2.1.325", "exit 1"), ("x" * 9000, "")])
def test_a_client_that_does_not_tell_is_unknown(machine, says, then):
    machine.client("a", says, then)
    (found,) = machine.find()
    assert found.version is None
    client = describe_client([found])
    assert client.supported is None
    assert "--client-version" in client.note


NEW, OLD, ANCIENT, MUTE = (
    Client("/n/claude", (2, 1, 325)),
    Client("/o/claude", (2, 1, 71)),
    Client("/a/claude", (2, 0, 1)),
    Client("/m/claude", None, "printed no version"),
)


@pytest.mark.parametrize(
    ("clients", "stated", "supported", "oldest", "noted"),
    [
        ([], None, None, None, "not found"),
        ([NEW], None, True, (2, 1, 325), ""),
        ([OLD], None, True, (2, 1, 71), ""),
        ([ANCIENT], None, False, (2, 0, 1), "older than 2.1.71"),
        ([NEW, OLD], None, True, (2, 1, 71), "/o/claude is 2.1.71"),
        ([MUTE], None, None, None, "printed no version"),
        ([MUTE, OLD], None, None, (2, 1, 71), "the entries suit 2.1.71"),
        ([NEW], (2, 1, 112), True, (2, 1, 112), "--client-version"),
        ([], (2, 0, 1), False, (2, 0, 1), "--client-version"),
    ],
)
def test_the_client_to_register_for(clients, stated, supported, oldest, noted):
    client = describe_client(clients, stated)
    assert (client.supported, client.oldest) == (supported, oldest)
    assert noted in client.note if noted else not client.note
