"""What a run loads: only what its handlers need."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

LOOK = """
import asyncio, json, sys
from hookwright.engine import Engine
settings = {"user": {"hooks": {"PreToolUse": [{"hooks": json.loads(sys.argv[1])}]}}}
with Engine.from_settings(settings=settings, env={"PATH": "/usr/bin:/bin"}) as engine:
    engine.fire_now({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}})
print(json.dumps([name for name in ("httpx", "anthropic", "mcp") if name in sys.modules]))
"""


@pytest.mark.parametrize(
    ("handlers", "loaded"),
    [
        ([{"type": "command", "command": "true"}], []),
        ([{"type": "prompt", "prompt": "?"}, {"type": "agent", "prompt": "?"}], []),
        ([{"type": "http", "url": "http://127.0.0.1:1/"}], ["httpx"]),
    ],
)
def test_a_library_is_loaded_only_for_a_handler_that_uses_it(handlers, loaded):
    done = subprocess.run(
        [sys.executable, "-c", LOOK, json.dumps(handlers)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == loaded
