"""Fixtures for tests that play a session through the real client.

A missing client (or fence, or tmux) fails in CI, where the client is installed on the spot; elsewhere all tests that
need it are one skip line that says what to do.
"""

import os
import shutil

import pytest

from tests.client.kit import install, netns
from tests.client.kit.lab import Lab

REQUIRED = os.environ.get("CI", "").lower() in ("1", "true") or os.environ.get("HOOKWRIGHT_REQUIRE_CLIENT") == "1"


def missing(what: str) -> None:
    if REQUIRED:
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


@pytest.fixture(scope="session")
def claude_binary() -> str:
    """The pinned client; its presence behind a working fence."""
    return find_client(install.VERSION)


def find_client(version: str) -> str:
    refusal = netns.why_not()
    if refusal:
        missing(f"real client: no loopback-only namespace here ({refusal})")
    try:
        binary = install.ensure(version) if REQUIRED else install.find(version)
    except install.NoClientError as problem:
        missing(f"real client: {problem}")
    if binary is None:
        missing("real client: not installed; try: make client")
    return binary


@pytest.fixture
def lab(claude_binary, tmp_path) -> Lab:
    """A throw-away home and project for the real client."""
    return Lab(tmp_path / "lab", binary=claude_binary)


@pytest.fixture
def tmux() -> str:
    """Tests that need a screen ask for this."""
    found = shutil.which("tmux")
    if found is None:
        missing("real client: tmux is not installed, which interactive sessions need")
    return found


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """One place for all skips of one reason: pytest prints a line for each place."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple) and "Skipped: real client: " in report.longrepr[2]:
        report.longrepr = (__file__, None, report.longrepr[2])
    return report


def pytest_collection_modifyitems(items):
    for item in items:
        if {"lab", "claude_binary"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("client")
