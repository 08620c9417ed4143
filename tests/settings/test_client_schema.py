"""Types of settings; the rows that were run through the client are in measured.py."""

import pytest

from hookwright.settings import client_schema
from hookwright.settings.client_schema import HANDLER_TYPES, TYPES, find_permission_type, find_setting_type


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("verbose", True, None),
        ("verbose", 1, "true or false"),
        ("model", "opus", None),
        ("companyAnnouncements", ["a"], None),
        ("companyAnnouncements", [1], "a list of strings"),
        ("sshConfigs", [{}], None),
        ("sshConfigs", ["a"], "a list of objects"),
        ("cleanupPeriodDays", 1.5, "a whole number from 1 up"),
        ("tui", "fullscreen", None),
        ("tui", "small", '"default" or "fullscreen"'),
        ("autoUpdatesChannel", "old", 'one of "latest", "stable", "rc"'),
        ("disableAutoMode", None, None),
        ("statusLine", {"type": "command", "command": "x"}, None),
        ("statusLine", 5, "an object"),
        ("statusLine", {"type": "command"}, 'an object with "type": "command" and a "command"'),
        ("no-such-key", 5, None),
    ],
)
def test_a_value_of_the_wrong_type_is_answered_with_the_right_one(key, value, expected):
    assert find_setting_type(key, value) == expected


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("allow", ["Bash", 5], None),
        ("allow", "Bash", "a list"),
        ("additionalDirectories", [5], "a list of strings"),
        ("disableBypassPermissionsMode", "no", '"disable"'),
        ("no-such-key", 5, None),
    ],
)
def test_members_of_permissions_have_types_too(key, value, expected):
    assert find_permission_type(key, value) == expected


def test_each_setting_has_one_type():
    settings = client_schema.load_schema()["settings"]
    keys = [key for name in TYPES for key in settings.get(name, ())] + list(settings["choices"])
    assert sorted(key for key in keys if key != "statusLine") == sorted(set(keys) - {"statusLine"})


def test_every_type_that_the_data_names_exists():
    schema = client_schema.load_schema()
    named = {*schema["settings"], *schema["permissions"]} - {"choices", "nullable"}
    fields = [rule for table in (*schema["handlers"].values(), schema["common-fields"]) for rule in table.values()]
    named |= {rule.removesuffix("!") for rule in fields if isinstance(rule, str)}
    assert named == set(TYPES)
    assert tuple(schema["handlers"]) == HANDLER_TYPES
