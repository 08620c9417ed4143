"""For tests that install hookwright in a played session."""

import pytest

from tests.hook_kit import prepare_hook


@pytest.fixture
def share_bundle(built_bundle, monkeypatch):
    """Gives a session the bundle that was built once for all tests; a user's run builds its own."""

    def share(claude):
        for name in ("HOME", "HOOKWRIGHT_CACHE_HOME"):
            monkeypatch.setenv(name, claude.env[name])
        prepare_hook(built_bundle)

    return share
