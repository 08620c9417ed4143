"""Events and places of hooks that a usual session does not have, in the real client."""

import json
import time
from pathlib import Path

from hookwright.engine import Engine
from tests.client.kit import stream
from tests.client.kit.lab import MCP_SERVER, PYTHON
from tests.client.kit.scripted_api import bash, call
from tests.client.test_own_hooks import ours, put  # noqa: F401 - a fixture by name

PACKAGED = """from hookwright import PreToolUse, deny, hook
@hook(PreToolUse, "Bash")
def no_touch(event: PreToolUse):
    if "touch" in event.tool_input["command"]:
        return deny("the package says no")
"""


def test_a_hook_of_an_installed_package_denies(ours):  # noqa: F811
    library = Path(ours.home) / "library"
    put(library / "touchless.py", PACKAGED)
    put(library / "touchless-1.0.dist-info/entry_points.txt", "[hookwright.hooks]\nno_touch = touchless:no_touch\n")
    put(library / "touchless-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: touchless\nVersion: 1.0\n")
    put(f"{ours.home}/.config/hookwright/config.toml", f'[hooks]\npath = ["{library}"]\n')
    run = ours.run([bash("touch made"), "done"])
    assert ours.read("made") is None
    assert "[hookwright no_touch] the package says no" in run.tool_results[0].text


def test_a_waiting_permission_prompt_fires_notification_and_its_context_reaches_nobody(lab):
    specific = {"hookEventName": "Notification", "additionalContext": "words for nobody"}
    lab.hook("Notification", reply={"hookSpecificOutput": specific})

    def slow_human(request):
        deadline = time.monotonic() + 60
        while not list(Path(lab.hook_log).glob("Notification.*")) and time.monotonic() < deadline:
            time.sleep(0.2)
        return stream.allow(request)

    lab.mcp("lab", "echo")
    with lab.stream([call("mcp__lab__echo", text="hello"), "done"], human=slow_human) as session:
        session.wait_for_mcp(["lab"])
        session.say("go")
        session.wait_for_result()
    [fired] = session.run.calls("Notification")
    assert fired.payload["notification_type"] == "permission_prompt"
    assert "words for nobody" not in json.dumps(session.run.log)


def test_a_plugins_server_is_called_by_its_whole_name_as_the_engine_has_it(lab, tmp_path):
    plugin = tmp_path / "plugin"
    server = {"command": PYTHON, "args": ["-I", "-S", MCP_SERVER, lab.specs, "short", "whole"]}
    put(plugin / ".claude-plugin/plugin.json", json.dumps({"name": "tools", "version": "1.0.0"}))
    put(plugin / ".mcp.json", json.dumps({"mcpServers": {"desk": server}}))
    handlers = [
        {"type": "mcp_tool", "server": "desk", "tool": "short"},
        {"type": "mcp_tool", "server": "plugin:tools:desk", "tool": "whole"},
    ]
    put(plugin / "hooks/hooks.json", json.dumps({"hooks": {"PreToolUse": [{"hooks": handlers}]}}))
    for name in ("short", "whole"):
        specific = {"hookEventName": "PreToolUse", "additionalContext": f"said by {name}"}
        lab.behave(name, reply={"hookSpecificOutput": specific})
    lab.allow("Bash")
    run = lab.run([bash("sleep 1"), bash("echo hi"), "done"], args=["--plugin-dir", str(plugin)])
    assert "said by whole" in json.dumps(run.log)
    assert "said by short" not in json.dumps(run.log)
    payload = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "echo hi"}}
    env = {"HOME": lab.home, "PATH": "/usr/bin:/bin"}
    with Engine.from_settings(project=lab.project, home=lab.home, plugin_dirs=[str(plugin)], env=env) as engine:
        assert engine.fire_now(payload).context == ["said by whole"]
