"""All rules by id, for the docs, `config check` and the tests. Cold: imports every rule."""

from __future__ import annotations

import pkgutil
from typing import Any

from hookwright.hooks.command_guard import rules
from hookwright.hooks.command_guard.evaluate import load_rule
from hookwright.hooks.command_guard.file_access import REASONS
from hookwright.hooks.command_guard.session import taint
from hookwright.hooks.command_guard.tools import agents, mcp, sandbox, web, written_keys
from hookwright.hooks.command_guard.user_rules import OWN, PATHS

# Rules about calls of tools: id → what they are about.
TOOL_RULES = {
    mcp.DESTROY_ID: "an MCP tool that deletes, by its name and arguments",
    mcp.SEND_ID: "an MCP tool that sends messages to people",
    mcp.CHANGE_ID: "an MCP tool that merges, deploys, pays, approves, stops: what others use, or what costs money",
    mcp.SECRET_ID: "an MCP tool that prints a secret; a script in a browser that reads logins",
    mcp.KEY_ID: "a key that looks live among the arguments of an MCP tool",
    mcp.DEEP_ID: "arguments of an MCP tool that are too many, or nested too deeply, to be read",
    web.METADATA_ID: "an address at which a cloud gives a machine its credentials",
    web.SENT_ID: "a key in a URL or a search, a long encoded text in a URL, data to a collector of requests",
    agents.ID: "a subagent in a mode in which nobody is asked",
    sandbox.ID: "a command that is to run outside of the sandbox",
    taint.RUN_ID: "a fetched file that is run (option `taint`)",
    taint.SEND_ID: "something is sent after content from outside entered the session (option `taint`)",
    taint.SETTINGS_ID: "a file that others obey is changed after content from outside entered (option `taint`)",
    written_keys.ID: "a key that looks live, written into a file that is not for secrets",
}


def load_rules() -> dict[str, Any]:
    """Id → module."""
    loaded = [load_rule(module.name) for module in pkgutil.iter_modules(rules.__path__)]
    return {rule.ID: rule for rule in loaded if hasattr(rule, "ID")}


def expand_examples(rule: Any) -> dict[str, str | None]:
    """The EXAMPLES of a rule, one command each: `«a|b» x` stands for `a x` and `b x`."""
    return {command: verdict for text, verdict in rule.EXAMPLES.items() for command in _expand(text)}


def _expand(text: str) -> list[str]:
    before, mark, rest = text.partition("«")
    if not mark:
        return [text]
    inside, _, after = rest.partition("»")
    return [before + word + tail for word in inside.split("|") for tail in _expand(after)]


def list_ids() -> tuple[str, ...]:
    """The ids that `off`, `ask`, `deny` and exceptions accept."""
    return (*load_rules(), *(f"protected-{name}" for name in REASONS), *TOOL_RULES, OWN, PATHS)
