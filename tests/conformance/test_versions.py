"""The engine speaks for a version: what older clients do otherwise was recorded from them, case by case."""

import os

from hookwright.protocol.client_versions import parse_version
from tests.conformance import scenes

VERSIONS = sorted(os.path.splitext(name)[0] for name in os.listdir(scenes.VERSIONS))


def test_two_older_clients_were_recorded():
    assert len(VERSIONS) >= 2
    for version in VERSIONS:
        assert parse_version(version)
        assert len(scenes.load_version(version)) >= 10
