import pytest

from tests.examples.kit import Asked


@pytest.fixture
def asked(request, tmp_path) -> Asked:
    """The example that the test file is named for."""
    return Asked(request.path.stem.removeprefix("test_"), tmp_path)
