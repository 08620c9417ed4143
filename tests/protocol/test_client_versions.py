"""What each version of the client knows."""

import pytest

from hookwright.protocol import client_versions
from hookwright.protocol.catalogue import list_events
from hookwright.protocol.client_versions import EXEC_FORM, MODS, ON_FAILURE, UNKNOWN_EVENT_IGNORED


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("2.1.112 (Claude Code)\n", (2, 1, 112)),
        ("2.1.9", (2, 1, 9)),
        ("warning: x\n2.1.71 (Claude Code)", (2, 1, 71)),
        ("claude 2.1", None),
        ("1.2.3.4", None),
        ("999999999.1.1", None),
        ("", None),
    ],
)
def test_a_version_is_read_from_what_the_client_prints(text, version):
    assert client_versions.parse_version(text) == version


@pytest.mark.parametrize(
    ("version", "event", "known"),
    [
        ((2, 1, 71), "TeammateIdle", True),
        ((2, 1, 71), "StopFailure", False),
        ((2, 1, 78), "StopFailure", True),
        ((2, 1, 112), "PostToolBatch", False),
        ((2, 0, 0), "PreToolUse", True),
        ((2, 1, 325), "PreModelSwitch", True),
        (None, "PreModelSwitch", True),
        (None, "Zork", False),
    ],
)
def test_events_are_known_since_a_version(version, event, known):
    assert client_versions.knows_event(version, event) is known


def test_the_newest_version_knows_every_event():
    assert all(client_versions.knows_event(client_versions.newest_version(), event) for event in list_events())


@pytest.mark.parametrize("feature", [EXEC_FORM, MODS, ON_FAILURE, UNKNOWN_EVENT_IGNORED])
def test_a_feature_is_there_from_its_version_on_and_where_nobody_knows(feature):
    first = client_versions.since(feature)
    assert client_versions.has(first, feature)
    assert not client_versions.has((*first[:2], first[2] - 1), feature)
    assert client_versions.has(None, feature)
