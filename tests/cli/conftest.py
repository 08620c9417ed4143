"""The commands are tried on the past that tests/history builds, or in a home of their own."""

import pytest

from tests.cli.kit import Home
from tests.store.conftest import hookwright, past  # noqa: F401  fixtures


@pytest.fixture
def home(hook_process, monkeypatch, capsys, tmp_path):
    return Home(hook_process, monkeypatch, capsys, tmp_path)
