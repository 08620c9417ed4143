"""For tests that install hookwright in a played session."""

import shutil
from pathlib import Path

import pytest

from hookwright.door import bundle
from hookwright.state import paths


@pytest.fixture
def share_bundle(made_bundle):
    """Gives a session the bundle that was made once for all tests; a user's run makes its own."""

    def share(claude):
        place = Path(claude.env["HOOKWRIGHT_CACHE_HOME"]) / f"door-{paths.project_key(bundle.package_root())}."
        place.parent.mkdir(mode=0o700, exist_ok=True)
        shutil.copy(made_bundle, bundle.file_for(str(place)))

    return share
