"""Render the files of `hookwright new`: a hook or a rule that runs, with examples and tests that pass.

name, event, tool → [render_hook, render_rule, render_cases, render_test] → text
The text uses only answers that the event can carry, so that the user starts from something that works.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hookwright.protocol import catalogue
from hookwright.protocol.capabilities import LEGAL
from hookwright.testing import sample_values

WORD = "magic"
SAID = "no magic here"
# The new hook uses the first of these that its event can carry.
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
# Events whose main key has fixed values: one that the hook answers, and another.
VALUES = {
    "SessionStart": ("startup", "compact"),
    "Setup": ("init", "maintenance"),
    "SessionEnd": ("clear", "other"),
    "StopFailure": ("rate_limit", "server_error"),
    "PreCompact": ("auto", "manual"),
    "ElicitationResult": ("accept", "cancel"),
}
# Inputs without text.
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
    """Name, event and tools of a new hook."""

    name: str
    event: str
    tools: tuple[str, ...] = ()

    @property
    def example_tool(self) -> str:
        """The tool that its examples use."""
        if not self.tools:
            return "Bash"
        name = self.tools[0].replace("*", "example")
        return f"{name}__look" if name.startswith("mcp__") and name.count("__") == 1 else name

    @property
    def about_tools(self) -> bool:
        return catalogue.is_about_tools(self.event)

    @property
    def main_key(self) -> str:
        """The key that the hook inspects; "" for the whole input."""
        if self.about_tools:
            return sample_values.MAIN_INPUT.get(self.example_tool, "")
        return sample_values.MAIN_KEY.get(self.event, "")

    @property
    def answer_key(self) -> str:
        """The first of VERBS that the event can carry; "" if there is none."""
        return next((word for word in VERBS if word in LEGAL[self.event]), "")

    @property
    def expected_line(self) -> str:
        if not self.answer_key:
            return "silence"
        return EXPECTED.get(self.answer_key, f"{self.answer_key}: {SAID}")

    @property
    def example_pair(self) -> tuple[Any, Any]:
        """An input that the hook answers and one that it ignores: strings, or mappings where there is no main key."""
        if self.event in VALUES:
            return VALUES[self.event]
        if self.main_key:
            return TEXTS.get(self.main_key, (f"some {WORD}", "something plain"))
        return INPUTS.get(self.event) or INPUTS.get(self.example_tool) or OTHER_INPUT

    @property
    def display_title(self) -> str:
        return self.name.replace("_", " ").capitalize()


# -- the hook --------------------------------------------------------------------------------------------------------


def render_hook(draft: Draft) -> str:
    nothing = f"None  # {draft.event} takes no answer: do the work and return None"
    verb, call = VERBS.get(draft.answer_key, ("", nothing))
    words = sorted(
        {"Decision", draft.event, "hook", *([verb] if verb else [])}, key=lambda word: (word.islower(), word)
    )
    listens = ", ".join([draft.event, *(f'"{tool}"' for tool in draft.tools)])
    return f'''\
"""{draft.display_title}: describe here what it does.

Why: the reader of its answer wants to know what was found, and what to do instead.
"""

from __future__ import annotations

from hookwright import {", ".join(words)}

# Input and expected answer; None is no answer. `hookwright test` runs them.
{_render_examples(draft)}


@hook({listens})
def {draft.name}(event: {draft.event}) -> Decision | None:
    """Describe it in one line."""
{_render_condition(draft)}
        return None  # no opinion
    return {call}
'''


def _render_examples(draft: Draft) -> str:
    answered, ignored = draft.example_pair
    expected = json.dumps(draft.expected_line) if draft.answer_key else "None"
    if isinstance(answered, str):
        return f"EXAMPLES = {{\n    {json.dumps(answered)}: {expected},\n    {json.dumps(ignored)}: None,\n}}"
    extra = {"tool": draft.example_tool} if draft.about_tools else {}
    rows = (
        f"    ({json.dumps({**extra, **given})}, {said}),\n"
        for given, said in ((answered, expected), (ignored, "None"))
    )
    return f"EXAMPLES = [\n{''.join(rows)}]"


def _render_condition(draft: Draft) -> str:
    if draft.event in VALUES:
        return f"    if event.{draft.main_key} != {json.dumps(draft.example_pair[0])}:"
    if not draft.about_tools:
        looked = f"event.{draft.main_key} or ''" if draft.main_key else "str(event.tool_calls)"
    elif draft.main_key:
        looked = f'event.tool_input.get("{draft.main_key}", "")'
    else:
        looked = "str(event.tool_input)"
    looked = looked.replace("''", '""')
    return f'    text = {looked}\n    if "{WORD}" not in text:'


# -- the rule --------------------------------------------------------------------------------------------------------


def render_rule(name: str, program: str, verbs: tuple[str, ...]) -> str:
    """A hook that inspects what a command really runs; the shell parser handles wrappers, quotes and mentions."""
    command = " ".join((program, *verbs))
    asked = ", ".join(json.dumps(word) for word in (program, *verbs))
    return f'''\
"""Stops `{command}`: describe here what it would do.

Why: the reader of its answer wants to know what was found, and what to do instead.
"""

from __future__ import annotations

from hookwright import Decision, PreToolUse, calls, deny, hook

# Command and expected answer; None is no answer. `hookwright test` runs them.
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


def render_cases(draft: Draft) -> str:
    answered, ignored = draft.example_pair
    return f"""\
# {draft.name}: events and expected answers. `hookwright test` runs them.

=== it answers
{_render_given(draft, answered)}
---
{draft.expected_line}

=== it ignores the rest
{_render_given(draft, ignored)}
---
silence
"""


def _render_given(draft: Draft, given: Any) -> str:
    if isinstance(given, str):
        return f"{draft.main_key}: {given}"
    tool = [f"tool: {draft.example_tool}"] if draft.about_tools else []
    return "\n".join([*tool, *(f"{name}: {_render_value(value)}" for name, value in given.items())])


def _render_value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def render_rule_cases(name: str, program: str, verbs: tuple[str, ...]) -> str:
    command = " ".join((program, *verbs))
    return f"""\
# {name}: commands and expected answers. `hookwright test` runs them.

=== `{command}` is stopped, also behind other commands
command: git status && {command}
---
deny: `{command}` is not done here

=== a mention is not a call
command: git commit -m '{command}'
---
silence
"""


def render_test(draft: Draft, path: str) -> str:
    answered, ignored = draft.example_pair
    verdict = f"== {json.dumps(draft.answer_key)}" if draft.answer_key else "is None"
    return f'''\
"""Tests of the hook {draft.name}."""

from hookwright.testing.builders import event

HOOK = {json.dumps(path)}


def test_it_answers(hook):
    given = {_render_event(draft, answered)}
    assert hook(HOOK, given).verdict {verdict}


def test_it_ignores_the_rest(hook):
    given = {_render_event(draft, ignored)}
    assert hook(HOOK, given).verdict is None
'''


def _render_event(draft: Draft, given: Any) -> str:
    fields = given if isinstance(given, dict) else {draft.main_key: given}
    if draft.about_tools:
        return f'event("{draft.event}", tool_name="{draft.example_tool}", tool_input={json.dumps(fields)})'
    return f'event("{draft.event}", {", ".join(f"{name}={json.dumps(value)}" for name, value in fields.items())})'
