"""What Claude Code 2.1.325 does with invalid settings, recorded row by row.

test_client_validation.py checks our rules against them; tests/client/test_settings_rules.py runs them in the client.
A row's file also holds healthy hooks, so that "the file is skipped" can be told from "the entry is skipped".
"""

import json
from dataclasses import dataclass
from typing import Any

KEPT, HOOKS, FILE = "kept", "hooks", "file"
COMMAND = {"type": "command", "command": "true"}
HTTP = {"type": "http", "url": "http://127.0.0.1:9/"}
PROMPT = {"type": "prompt", "prompt": "x"}
AGENT = {"type": "agent", "prompt": "x"}
MCP = {"type": "mcp_tool", "server": "s", "tool": "t"}

# (handler, kept?) On PostToolUse and most other events only the handler goes; on PreToolUse and PermissionRequest
# the whole file does.
HANDLERS: list[tuple[Any, bool]] = [
    (COMMAND, True),
    ({**COMMAND, "type": "zork"}, False),
    ({**COMMAND, "type": "Command"}, False),
    ({**COMMAND, "type": None}, False),
    ({"command": "true"}, False),
    ({"type": "command"}, False),
    ({"type": "command", "command": 5}, False),
    ({"type": "command", "command": ["true"]}, False),
    ({"type": "command", "command": ""}, True),
    ({**COMMAND, "timeout": 0}, False),
    ({**COMMAND, "timeout": -1}, False),
    ({**COMMAND, "timeout": "5"}, False),
    ({**COMMAND, "timeout": None}, False),
    ({**COMMAND, "timeout": True}, False),
    ({**COMMAND, "timeout": 1.5}, True),
    ({**COMMAND, "timeout": 1e9}, True),
    ({**COMMAND, "args": "a b"}, False),
    ({**COMMAND, "args": ["a", 5]}, False),
    ({**COMMAND, "args": None}, False),
    ({**COMMAND, "args": []}, True),
    ({**COMMAND, "async": "yes"}, False),
    ({**COMMAND, "asyncRewake": "x"}, False),
    ({**COMMAND, "rewakeMessage": 5}, False),
    ({**COMMAND, "rewakeSummary": ""}, False),
    ({**COMMAND, "shell": "zsh"}, False),
    ({**COMMAND, "shell": None}, False),
    ({**COMMAND, "shell": "powershell"}, True),
    ({**COMMAND, "onFailure": "zork"}, False),
    ({**COMMAND, "onFailure": True}, False),
    ({**COMMAND, "onFailure": "continue"}, True),
    ({**COMMAND, "onFailure": "block"}, True),
    ({**COMMAND, "statusMessage": 5}, False),
    ({**COMMAND, "statusMessage": ""}, True),
    ({**COMMAND, "once": "yes"}, False),
    ({**COMMAND, "once": None}, False),
    ({**COMMAND, "if": 5}, False),
    ({**COMMAND, "if": ""}, True),
    ({**COMMAND, "url": 5, "model": 5, "headers": 5, "zork": {"a": 1}}, True),
    ("true", False),
    (None, False),
    ([COMMAND], False),
    (HTTP, True),
    ({"type": "http"}, False),
    ({**HTTP, "url": ""}, False),
    ({**HTTP, "url": "not a url"}, False),
    ({**HTTP, "url": "http://"}, False),
    ({**HTTP, "url": "/x"}, False),
    ({**HTTP, "url": "//x"}, False),
    ({**HTTP, "url": "1x:"}, False),
    ({**HTTP, "url": "http://a b/"}, False),
    ({**HTTP, "url": "https://example.com:99999/"}, False),
    ({**HTTP, "url": "http://x:a/"}, False),
    ({**HTTP, "url": "http://:80/"}, False),
    ({**HTTP, "url": "http://[::1/"}, False),
    ({**HTTP, "url": "http://1.2.3.4.5/"}, False),
    ({**HTTP, "url": "http://256.1.1.1/"}, False),
    ({**HTTP, "url": "http://x<y/"}, False),
    ({**HTTP, "url": "http://x|y/"}, False),
    ({**HTTP, "url": "localhost:80"}, True),
    ({**HTTP, "url": "ftp://127.0.0.1/x"}, True),
    ({**HTTP, "url": "http:x"}, True),
    ({**HTTP, "url": "http:///x"}, True),
    ({**HTTP, "url": " http://x "}, True),
    ({**HTTP, "url": "http://[::1]:5/"}, True),
    ({**HTTP, "url": "http://${HOST}/"}, True),
    ({**HTTP, "url": "http://u:p@h/%zz"}, True),
    ({**HTTP, "url": "http://a..b/"}, True),
    ({**HTTP, "headers": {"a": 1}}, False),
    ({**HTTP, "headers": []}, False),
    ({**HTTP, "allowedEnvVars": "A"}, False),
    ({**HTTP, "allowedEnvVars": [5]}, False),
    ({**HTTP, "onFailure": "zork"}, False),
    ({**HTTP, "allowedEnvVars": [""], "async": 5, "args": 5}, True),
    (PROMPT, True),
    ({"type": "prompt"}, False),
    ({"type": "prompt", "prompt": 5}, False),
    ({**PROMPT, "model": 5}, False),
    ({**PROMPT, "continueOnBlock": "x"}, False),
    ({**PROMPT, "timeout": 0}, False),
    ({**PROMPT, "prompt": "", "onFailure": "zork"}, True),
    (AGENT, True),
    ({"type": "agent"}, False),
    ({**AGENT, "model": 5}, False),
    ({**AGENT, "continueOnBlock": "x"}, True),
    (MCP, True),
    ({"type": "mcp_tool", "tool": "t"}, False),
    ({"type": "mcp_tool", "server": "s"}, False),
    ({**MCP, "input": []}, False),
    ({**MCP, "input": "x"}, False),
    ({**MCP, "server": "", "onFailure": "zork", "input": {"a": [1]}}, True),
]

# (group, kept?) The rest as above.
GROUPS: list[tuple[Any, bool]] = [
    ({"matcher": "Bash", "hooks": [COMMAND]}, True),
    ({"matcher": "Bash", "zork": 1, "hooks": [COMMAND]}, True),
    ({"matcher": "[", "hooks": [COMMAND]}, True),
    ({"matcher": "Bash", "hooks": []}, True),
    ({"matcher": 5, "hooks": [COMMAND]}, False),
    ({"matcher": None, "hooks": [COMMAND]}, False),
    ({"matcher": ["Bash"], "hooks": [COMMAND]}, False),
    ({"matcher": {"tool": "Bash"}, "hooks": [COMMAND]}, False),
    ({"matcher": "Bash"}, False),
    ({"matcher": "Bash", "hooks": COMMAND}, False),
    ({"matcher": "Bash", "hooks": None}, False),
    ("x", False),
    (None, False),
    (COMMAND, False),
    ([{"hooks": [COMMAND]}], False),
]


@dataclass(frozen=True)
class Row:
    """A whole settings file: members and events laid over the healthy ones, or text around and inside of them."""

    name: str
    effect: str
    members: dict[str, Any] | None = None
    events: dict[str, Any] | None = None
    before: str = ""
    after: str = ""
    inside: str = ""
    encoding: str = "utf-8"

    def file(self, healthy: dict[str, Any]) -> bytes:
        """The bytes, with the healthy handler on two events."""
        hooks: dict[str, Any] = {event: [{"hooks": [healthy]}] for event in ("PreToolUse", "PostToolUse")}
        hooks.update(self.events or {})
        text = json.dumps({"hooks": hooks, **(self.members or {})})
        text = self.before + text[:-1] + self.inside + "}" + self.after
        return text.encode(self.encoding, "surrogateescape" if self.encoding == "utf-8" else "strict")


def nested(depth: int, value: Any) -> Any:
    for _ in range(depth):
        value = {"a": value}
    return value


GROUP = [{"hooks": [COMMAND]}]
BROKEN = [{"hooks": [{"type": "zork"}]}]
FILES = [
    # --- syntax
    Row("nothing wrong", KEPT),
    Row("a byte order mark", KEPT, before="\ufeff"),
    Row("UTF-16", KEPT, encoding="utf-16"),
    Row("Windows line ends", KEPT, before="\r\n", inside=',\r\n"a": 1\r\n', after="\r\n"),
    Row("a byte that is not UTF-8", KEPT, inside=',"a": "\udce9"'),
    Row("a lone surrogate", KEPT, inside=',"a": "\\ud800"'),
    Row("a line separator in a text", KEPT, inside=',"a": "\u2028"'),
    Row("a key twice: the last counts", HOOKS, inside=',"hooks": {}'),
    Row("a line comment", FILE, before="// x\n"),
    Row("a block comment", FILE, before="/* x */"),
    Row("a comment inside", FILE, inside="// x\n"),
    Row("a comma after the last member", FILE, inside=","),
    Row("a comma after the last element", FILE, inside=',"a": [1,]'),
    Row("single quotes", FILE, inside=",'a': 1"),
    Row("a key without quotes", FILE, inside=",a: 1"),
    Row("a line break in a text", FILE, inside=',"a": "x\ny"'),
    Row("a tab in a text", FILE, inside=',"a": "x\ty"'),
    Row("an unknown escape", FILE, inside=',"a": "\\q"'),
    Row("NaN", FILE, inside=',"a": NaN'),
    Row("a leading zero", FILE, inside=',"a": 01'),
    Row("text after the end", FILE, after=" x"),
    Row("two objects", FILE, after="\n{}"),
    Row("a zero byte at the end", FILE, after="\0"),
    Row("a no-break space in front", FILE, before="\u00a0"),
    Row("a form feed in front", FILE, before="\x0c"),
    Row("an array around it", FILE, before="[", after="]"),
    # --- the hooks object
    Row("hooks null", HOOKS, members={"hooks": None}),
    Row("hooks an empty list", HOOKS, members={"hooks": []}),
    Row("hooks a text", HOOKS, members={"hooks": "PreToolUse"}),
    Row("hooks a list of texts", HOOKS, members={"hooks": ["x"]}),
    Row("hooks a list of objects", FILE, members={"hooks": [{}]}),
    Row("hooks a list of groups", FILE, members={"hooks": [{"event": "PostToolUse", "hooks": [COMMAND]}]}),
    # --- events
    Row("an unknown event", KEPT, events={"NoSuchEvent": BROKEN}),
    Row("an event in small letters", KEPT, events={"pretooluse": BROKEN}),
    Row("an unknown event of another shape", KEPT, events={"NoSuchEvent": {"a": 1}}),
    Row("Stop null", KEPT, events={"Stop": None}),
    Row("Stop an object", KEPT, events={"Stop": {"hooks": []}}),
    Row("PermissionRequest null", KEPT, events={"PermissionRequest": None}),
    Row("PermissionRequest an object", FILE, events={"PermissionRequest": {"hooks": []}}),
    Row("PermissionRequest a text", FILE, events={"PermissionRequest": "x"}),
    Row("a broken handler on Stop", KEPT, events={"Stop": BROKEN}),
    Row("a broken handler on UserPromptSubmit", KEPT, events={"UserPromptSubmit": BROKEN}),
    Row("a broken handler on PermissionDenied", KEPT, events={"PermissionDenied": BROKEN}),
    Row("a broken handler on PreToolUse", FILE, events={"PreToolUse": BROKEN}),
    Row("a broken handler on PermissionRequest", FILE, events={"PermissionRequest": BROKEN}),
    # --- guards in the wrong place
    Row("hooks put aside", FILE, members={"_hooks": {"PreToolUse": GROUP}}),
    Row("hooks put aside, without guards", KEPT, members={"_hooks": {"PostToolUse": GROUP}}),
    Row("hooks put aside, empty", KEPT, members={"_hooks": {"PreToolUse": []}}),
    Row("hooks put aside, another spelling", FILE, members={"x": {"pre-tool-use": GROUP}}),
    Row("PreToolUse at the top", FILE, members={"PreToolUse": GROUP}),
    Row("PreToolUse at the top, empty", KEPT, members={"PreToolUse": []}),
    Row("pre_tool_use at the top", FILE, members={"pre_tool_use": GROUP}),
    Row("PostToolUse at the top", KEPT, members={"PostToolUse": GROUP}),
    Row("hooks in hooks", FILE, events={"hooks": {"PreToolUse": GROUP}}),
    Row("a guard four deep", FILE, members={"x": nested(3, {"PreToolUse": GROUP})}),
    Row("a guard five deep", KEPT, members={"x": nested(4, {"PreToolUse": GROUP})}),
    Row("a guard in a list", FILE, members={"x": [{"PreToolUse": GROUP}]}),
    Row("a guard in permissions", FILE, members={"permissions": {"PreToolUse": GROUP}}),
    Row("a guard's name as a variable", KEPT, members={"env": {"PreToolUse": "x"}}),
    Row("a guard's name as a server", KEPT, members={"mcpServers": {"PreToolUse": {"command": "x"}}}),
    Row("a guard's name as a text", KEPT, members={"x": ["PreToolUse"]}),
    Row("a guard beside a group", FILE, events={"Stop": [{"hooks": [COMMAND], "PreToolUse": GROUP}]}),
    Row("a guard in a group's remark", FILE, events={"Stop": [{"hooks": [COMMAND], "x": {"PreToolUse": GROUP}}]}),
    Row("a guard in a handler", FILE, events={"Stop": [{"hooks": [{**COMMAND, "PreToolUse": GROUP}]}]}),
    Row("a guard in a handler's remark", KEPT, events={"Stop": [{"hooks": [{**COMMAND, "x": {"PreToolUse": GROUP}}]}]}),
    # --- other settings
    Row("an unknown key", KEPT, members={"zork": {"a": 1}}),
    Row("a switch that is a text", FILE, members={"disableAllHooks": "yes"}),
    Row("a switch that is null", FILE, members={"disableAllHooks": None}),
    Row("a managed switch that is null", KEPT, members={"allowManagedHooksOnly": None}),
    Row("a model that is a number", FILE, members={"model": 5}),
    Row("env a list", FILE, members={"env": []}),
    Row("env with a number", KEPT, members={"env": {"A": 5}}),
    Row("permissions a list", FILE, members={"permissions": []}),
    Row("rules in a text", FILE, members={"permissions": {"allow": "Bash"}}),
    Row("a rule that is a number", KEPT, members={"permissions": {"allow": [5]}}),
    Row("folders that are numbers", FILE, members={"permissions": {"additionalDirectories": [5]}}),
    Row("an unknown permission mode", FILE, members={"permissions": {"defaultMode": "zork"}}),
    Row("permission mode manual", KEPT, members={"permissions": {"defaultMode": "manual"}}),
    Row("an unknown key in permissions", KEPT, members={"permissions": {"zork": 5}}),
    Row("addresses in a text", FILE, members={"allowedHttpHookUrls": "x"}),
    Row("addresses that are numbers", FILE, members={"allowedHttpHookUrls": [5]}),
    Row("days zero", FILE, members={"cleanupPeriodDays": 0}),
    Row("days as a float", KEPT, members={"cleanupPeriodDays": 30.0}),
    Row("a rate above one", FILE, members={"feedbackSurveyRate": 2}),
    Row("an unknown channel", FILE, members={"autoUpdatesChannel": "zork"}),
    Row("a status line without a command", FILE, members={"statusLine": {"type": "command"}}),
    Row("attribution true", KEPT, members={"attribution": True}),
    Row("marketplaces a number", KEPT, members={"extraKnownMarketplaces": 5}),
    Row("a theme that is a number", KEPT, members={"theme": 5}),
]
# The client reads at most this many bytes of a settings file.
LARGEST = 2_097_152

# (matcher, fires for the tool Bash?)
MATCHERS = [
    ("Bash", True),
    (" Bash ", True),
    ("Bash|", True),
    ("Bash,,Read", True),
    ("", True),
    ("*", True),
    ("bash", False),
    ("Bash*", True),
    ("Ba.*", True),
    ("as.", True),
    ("^Bash$", True),
    ("(?:Bash)", True),
    ("(?<n>Ba)sh", True),
    ("Ba(?=sh)", True),
    ("Ba+?sh", True),
    ("Bash$|", True),
    ("x]|Bash", True),
    ("\\_Bash|Bash.*", True),
    ("Bäsh|Bash", True),
    ("(?<=x)Bash", False),
    ("\\d", False),
    ("Bash{", False),
    ("}", False),
    ("/Bash/", False),
    ("Bash;Read", False),
    ("Bash(echo:*)", False),
]
# These are no expressions to the client; they never match.
BROKEN_MATCHERS = [
    "**", "*Bash", "Bash(*)", "Bash)", "Bash|Read(", "[", "[z-a]", "(?i)bash", "(?P<n>Ba)sh",
    "(?>Bash)", "(?#c)Bash", "Ba{2,1}sh", "a++", "Bash\\",
]  # fmt: skip
