"""The first text of a hook, a rule and their tests, for any event and tool: it runs, and it is green.

name, event, tool → [hook_file, rule_file, case_file, test_file] → text
What is written says only what the event can carry, so that the first change is made to something that works.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hookwright.protocol import catalogue
from hookwright.protocol.legal import LEGAL
from hookwright.testing import typical

WORD = "magic"
SAID = "no magic here"
# The first of these that an event can carry is what the hook says.
VERBS = {
    "deny": ("deny", 'deny("no magic here; do it step by step")'),
    "block": ("block", 'block("no magic here; do it step by step")'),
    "context": ("add_context", 'add_context("no magic here; do it step by step")'),
    "message": ("system_message", 'system_message("no magic here")'),
    "displayContent": ("display", 'display("no magic here")'),
    "retry": ("retry", "retry()"),
    "action": ("answer_elicitation", 'answer_elicitation("decline")'),
    "terminalSequence": ("emit_terminal_sequence", r'emit_terminal_sequence("\a")'),
    "watchPaths": ("watch", 'watch("/srv/notes.txt")'),
}
EXPECTED = {
    "retry": "retry: true",
    "action": "action: decline",
    "terminalSequence": "terminalSequence",
    "watchPaths": "watchPaths",
}
# Keys that have certain values only: one that the hook speaks to, and another.
VALUES = {
    "SessionStart": ("startup", "compact"),
    "Setup": ("init", "maintenance"),
    "SessionEnd": ("clear", "other"),
    "StopFailure": ("rate_limit", "server_error"),
    "PreCompact": ("auto", "manual"),
    "ElicitationResult": ("accept", "cancel"),
}
# Inputs without a text of their own.
INPUTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "AskUserQuestion": ({"questions": [{"question": f"{WORD}?"}]}, {"questions": []}),
    "TodoWrite": ({"todos": [{"content": WORD}]}, {"todos": []}),
    "PostToolBatch": (
        {"tool_calls": [{"tool_name": "Bash", "tool_input": {"command": WORD}}]},
        {"tool_calls": []},
    ),
}
OTHER_INPUT = ({"text": WORD}, {"text": "plain"})
TEXTS = {
    "command": (f"echo {WORD}", "echo hello"),
    "file_path": (f"@/{WORD}.txt", "@/plain.txt"),
    "notebook_path": (f"@/{WORD}.ipynb", "@/plain.ipynb"),
    "worktree_path": (f"@/{WORD}", "@/plain"),
    "new_cwd": (f"@/{WORD}", "@/plain"),
    "directory": (f"@/{WORD}", "@/plain"),
    "url": (f"https://example.com/{WORD}", "https://example.com/"),
    "prompt": (f"do some {WORD}", "fix the test"),
    "last_assistant_message": (f"It works by {WORD}.", "Done."),
    "message": (f"{WORD} is waiting", "Claude is waiting for your input"),
}


@dataclass(frozen=True)
class Draft:
    """What a first hook is about."""

    name: str
    event: str
    tools: tuple[str, ...] = ()

    @property
    def tool(self) -> str:
        """The tool that its examples use."""
        if not self.tools:
            return "Bash"
        name = self.tools[0].replace("*", "example")
        return f"{name}__look" if name.startswith("mcp__") and name.count("__") == 1 else name

    @property
    def about_tools(self) -> bool:
        return catalogue.is_about_tools(self.event)

    @property
    def key(self) -> str:
        """The key that it looks at; "" for the whole input."""
        if self.about_tools:
            return typical.MAIN_INPUT.get(self.tool, "")
        return typical.MAIN_KEY.get(self.event, "")

    @property
    def says(self) -> str:
        """The word of `legal.py` that it uses; "" where the event carries nothing that we have a verb for."""
        return next((word for word in VERBS if word in LEGAL[self.event]), "")

    @property
    def expected(self) -> str:
        if not self.says:
            return "silence"
        return EXPECTED.get(self.says, f"{self.says}: {SAID}")

    @property
    def examples(self) -> tuple[Any, Any]:
        """What it speaks to, and what it leaves alone: texts, or mappings where there is no text."""
        if self.event in VALUES:
            return VALUES[self.event]
        if self.key:
            return TEXTS.get(self.key, (f"some {WORD}", "something plain"))
        return INPUTS.get(self.event) or INPUTS.get(self.tool) or OTHER_INPUT

    @property
    def title(self) -> str:
        return self.name.replace("_", " ").capitalize()


# -- the hook --------------------------------------------------------------------------------------------------------


def hook_file(draft: Draft) -> str:
    nothing = f"None  # {draft.event} takes no answer from here: do the work, and return nothing"
    verb, call = VERBS.get(draft.says, ("", nothing))
    words = sorted(
        {"Decision", draft.event, "hook", *([verb] if verb else [])}, key=lambda word: (word.islower(), word)
    )
    listens = ", ".join([draft.event, *(f'"{tool}"' for tool in draft.tools)])
    return f'''\
"""{draft.title}: say here what it does, and why.

Why: who is stopped or told something wants to know what was seen, and the way on.
"""

from __future__ import annotations

from hookwright import {", ".join(words)}

# What it looks at, and what it says; None is silence. `hookwright test` plays them.
{_examples(draft)}


@hook({listens})
def {draft.name}(event: {draft.event}) -> Decision | None:
    """Say in one line what it does."""
{_condition(draft)}
        return None  # no opinion
    return {call}
'''


def _examples(draft: Draft) -> str:
    spoken, silent = draft.examples
    expected = json.dumps(draft.expected) if draft.says else "None"
    if isinstance(spoken, str):
        return f"EXAMPLES = {{\n    {json.dumps(spoken)}: {expected},\n    {json.dumps(silent)}: None,\n}}"
    extra = {"tool": draft.tool} if draft.about_tools else {}
    rows = (
        f"    ({json.dumps({**extra, **given})}, {said}),\n" for given, said in ((spoken, expected), (silent, "None"))
    )
    return f"EXAMPLES = [\n{''.join(rows)}]"


def _condition(draft: Draft) -> str:
    if draft.event in VALUES:
        return f"    if event.{draft.key} != {json.dumps(draft.examples[0])}:"
    if not draft.about_tools:
        looked = f"event.{draft.key} or ''" if draft.key else "str(event.tool_calls)"
    elif draft.key:
        looked = f'event.tool_input.get("{draft.key}", "")'
    else:
        looked = "str(event.tool_input)"
    looked = looked.replace("''", '""')
    return f'    text = {looked}\n    if "{WORD}" not in text:'


# -- the rule --------------------------------------------------------------------------------------------------------


def rule_file(name: str, program: str, verbs: tuple[str, ...]) -> str:
    """A hook that looks at what a command really runs: wrappers, quotes and mentions are the reader's business."""
    command = " ".join((program, *verbs))
    asked = ", ".join(json.dumps(word) for word in (program, *verbs))
    return f'''\
"""Stops `{command}`: say here what it would do.

Why: who is stopped wants to know what was seen, and the way on.
"""

from __future__ import annotations

from hookwright import Decision, PreToolUse, calls, deny, hook

# Command, and what is said; None is silence. `hookwright test` plays them.
EXAMPLES = {{
    "{command}": "deny: `{command}` is not done here",
    "cd src && sudo {command}": "deny",
    "{command} --help": None,
    "echo '{command}'": None,
}}


@hook(PreToolUse, "Bash", failure="ask")
def {name}(event: PreToolUse) -> Decision | None:
    """Stop `{command}`."""
    for call in calls(event, {asked}):
        if not call.has_flag("-h", "--help"):
            return deny(f"`{{call.text}}` is not done here; name a better command")
    return None
'''


# -- their tests -----------------------------------------------------------------------------------------------------


def case_file(draft: Draft) -> str:
    spoken, silent = draft.examples
    return f"""\
# {draft.name}: events, the world around them, and what is expected. `hookwright test` plays them.

=== it speaks where it should
{_given(draft, spoken)}
---
{draft.expected}

=== it leaves the rest alone
{_given(draft, silent)}
---
silence
"""


def _given(draft: Draft, given: Any) -> str:
    if isinstance(given, str):
        return f"{draft.key}: {given}"
    tool = [f"tool: {draft.tool}"] if draft.about_tools else []
    return "\n".join([*tool, *(f"{name}: {_line(value)}" for name, value in given.items())])


def _line(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def rule_cases(name: str, program: str, verbs: tuple[str, ...]) -> str:
    command = " ".join((program, *verbs))
    return f"""\
# {name}: commands, the world around them, and what is expected. `hookwright test` plays them.

=== `{command}` is stopped, also behind other commands
command: git status && {command}
---
deny: `{command}` is not done here

=== a mention is no call
command: git commit -m '{command}'
---
silence
"""


def test_file(draft: Draft, path: str) -> str:
    spoken, silent = draft.examples
    verdict = f"== {json.dumps(draft.says)}" if draft.says else "is None"
    return f'''\
"""{draft.title}, as Claude meets it."""

from hookwright.testing.builders import event

HOOK = {json.dumps(path)}


def test_it_speaks_where_it_should(hook):
    happens = {_built(draft, spoken)}
    assert hook(HOOK, happens).verdict {verdict}


def test_it_leaves_the_rest_alone(hook):
    happens = {_built(draft, silent)}
    assert hook(HOOK, happens).verdict is None
'''


def _built(draft: Draft, given: Any) -> str:
    fields = given if isinstance(given, dict) else {draft.key: given}
    if draft.about_tools:
        return f'event("{draft.event}", tool_name="{draft.tool}", tool_input={json.dumps(fields)})'
    return f'event("{draft.event}", {", ".join(f"{name}={json.dumps(value)}" for name, value in fields.items())})'
