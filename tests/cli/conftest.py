"""The commands are tried on the past that tests/history builds."""

from tests.history.conftest import hookwright, past  # noqa: F401  fixtures
