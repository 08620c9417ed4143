"""The fixtures of the real client serve here as well."""

from tests.client.conftest import (  # noqa: F401 - fixtures and hooks by name
    claude_binary,
    pytest_collection_modifyitems,
    pytest_runtest_makereport,
    tmux,
)
