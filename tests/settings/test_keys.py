"""Types of the other settings; the rows that were played through the client are in measured.py."""

import pytest

from hookwright.settings import keys


@pytest.mark.parametrize(
    ("key", "value", "wanted"),
    [
        ("verbose", True, None),
        ("verbose", 1, "true or false"),
        ("model", "opus", None),
        ("companyAnnouncements", ["a"], None),
        ("companyAnnouncements", [1], "a list of texts"),
        ("sshConfigs", [{}], None),
        ("sshConfigs", ["a"], "a list of objects"),
        ("cleanupPeriodDays", 1.5, "a whole number from 1 up"),
        ("tui", "fullscreen", None),
        ("tui", "small", 'one of "default", "fullscreen"'),
        ("disableAutoMode", None, None),
        ("statusLine", {"type": "command", "command": "x"}, None),
        ("no-such-key", 5, None),
    ],
)
def test_what_the_client_wants_instead(key, value, wanted):
    assert keys.wanted(key, value) == wanted


def test_each_key_has_one_type():
    tables = [
        keys.BOOLEANS,
        keys.STRINGS,
        keys.TEXT_LISTS,
        keys.OBJECT_LISTS,
        keys.INTEGERS,
        keys.FRACTIONS,
        set(keys.CHOICES),
    ]
    names = [name for table in (*tables, keys.OBJECTS) for name in table]
    assert len(names) == len(set(names))
