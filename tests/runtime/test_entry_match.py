"""Our entries are known by what they run; a mention is none."""

import pytest

from hookwright.runtime.entry_match import INLINE_MARK, PLUGIN_MARK, launcher_words, runs_hookwright

INLINE = [*("-I", "-S", "-Xutf8", "-c"), INLINE_MARK + "\nan earlier form", "/c/door-x.", "/site", "code"]
HOOK = "/home/ann/.local/share/hookwright/hook"


@pytest.mark.parametrize(
    ("handler", "ours"),
    [
        ({"command": HOOK, "args": []}, True),
        ({"command": HOOK, "args": ["observer", "fail-closed"]}, True),
        ({"command": HOOK}, True),
        ({"command": f"{HOOK} observer"}, True),
        ({"command": f"'{HOOK}'"}, True),
        ({"command": "'/home/ann lee; #/hookwright/hook' observer"}, True),
        ({"command": '"$HOME/.local/bin/hookwright" hook'}, True),
        ({"command": f'{HOOK} "$(their-guard)"'}, False),
        ({"command": f'{HOOK} "`their-guard`"'}, False),
        ({"command": f"{HOOK} 'open"}, False),
        ({"command": "/usr/bin/python3", "args": INLINE}, True),
        ({"command": "/gone/python3", "args": ["-c", INLINE_MARK + "\nan older form", "/c/"]}, True),
        ({"command": PLUGIN_MARK + "exit 0"}, True),
        ({"command": "hookwright", "args": ["hook"]}, True),
        ({"command": "hookwright hook"}, True),
        ({"command": "'/home/ann/.local/bin/hookwright' hook"}, True),
        ({"command": "exec hookwright hook"}, True),
        ({"command": "/venv/bin/python -m hookwright hook"}, True),
        ({"command": "/usr/bin/python3", "args": ["-c", "print('hookwright')"]}, False),
        ({"command": "/usr/bin/python3", "args": ["-c", "import os\n" + INLINE_MARK]}, False),
        ({"command": "hookwright/hook", "args": []}, False),
        ({"command": "./hookwright/hook"}, False),
        ({"command": "/usr/lib/my-hookwright/hook", "args": []}, False),
        ({"command": "/home/ann/hookwright/hook.sh", "args": []}, False),
        ({"command": "/bin/sh", "args": [HOOK]}, False),
        ({"command": f"{HOOK} | tee log"}, False),
        ({"command": f"{HOOK}; their-guard"}, False),
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
    assert runs_hookwright({"type": "command", **handler}) is ours


@pytest.mark.parametrize(
    ("handler", "words"),
    [
        ({"command": HOOK, "args": []}, []),
        ({"command": HOOK, "args": ["observer", "fail-closed"]}, ["observer", "fail-closed"]),
        ({"command": HOOK}, []),
        ({"command": f"'{HOOK}' observer fail-closed"}, ["observer", "fail-closed"]),
        ({"command": "their-guard observer"}, []),
        ({"command": "/usr/bin/python3", "args": [*INLINE, "observer"]}, ["observer"]),
        ({"command": "hookwright", "args": ["hook"]}, []),
    ],
)
def test_the_words_of_an_entry_are_read_from_every_form(handler, words):
    assert launcher_words({"type": "command", **handler}) == words
