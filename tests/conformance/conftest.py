"""The fixtures of the real client serve here as well."""

from tests.client.conftest import claude_binary, lab, pytest_collection_modifyitems  # noqa: F401 - fixtures by name
