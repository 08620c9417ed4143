"""Our entries are known by what they run; a mention is none."""

import pytest

from hookwright.door import launcher
from hookwright.door.entry import MARK, PLUGIN_MARK, starts_the_door


@pytest.mark.parametrize(
    ("handler", "ours"),
    [
        ({"command": "/usr/bin/python3", "args": ["-I", "-S", "-c", launcher.LAUNCHER, "/c/", "/s", "x"]}, True),
        ({"command": "/gone/python3", "args": ["-c", MARK + "\nan older form", "/c/"]}, True),
        ({"command": PLUGIN_MARK + "exit 0"}, True),
        ({"command": "hookwright", "args": ["hook"]}, True),
        ({"command": "hookwright hook"}, True),
        ({"command": "'/home/ann/.local/bin/hookwright' hook"}, True),
        ({"command": "exec hookwright hook"}, True),
        ({"command": "/venv/bin/python -m hookwright hook"}, True),
        ({"command": "/usr/bin/python3", "args": ["-c", "print('hookwright')"]}, False),
        ({"command": "/usr/bin/python3", "args": ["-c", "import os\n" + MARK]}, False),
        ({"command": "echo hookwright hook"}, False),
        ({"command": "hookwright hook | tee log"}, False),
        ({"command": "hookwright hook; their-guard"}, False),
        ({"command": "hookwright", "args": ["log"]}, False),
        ({"command": "my-hookwright hook"}, False),
        ({"command": None}, False),
        ({"type": "prompt", "prompt": "hookwright hook"}, False),
        ({}, False),
    ],
)
def test_our_entries_are_known_by_what_they_run(handler, ours):
    assert starts_the_door({"type": "command", **handler}) is ours
