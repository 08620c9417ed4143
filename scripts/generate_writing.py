"""Make docs/reference/writing.md from the code: everything that an author of hooks uses.

python scripts/generate_writing.py [--check]
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from importlib import import_module
from pathlib import Path
from typing import Any

import hookwright
from hookwright import api
from hookwright.hooks import base, decorator
from hookwright.protocol import tools
from hookwright.protocol.capabilities import LEGAL
from hookwright.protocol.decisions import Decision
from hookwright.protocol.events import FAMILY, event_class
from hookwright.protocol.events.base import Event
from hookwright.testing import builders
from hookwright.testing.fixtures import HookTrial
from hookwright.testing.sandbox import Answer
from hookwright.testing.session import Call, Claude

PAGE = Path(__file__).resolve().parent.parent / "docs/reference/writing.md"
NOTE = "<!-- made by scripts/generate_writing.py; change the code and run `make docs` -->\n\n"
HEAD = """# Writing hooks: the reference
Everything here is imported from `hookwright`: `from hookwright import PreToolUse, calls, deny, hook`. A name is loaded
on first use. [Tutorial](../tutorial.md), [examples](../../examples/README.md), [testing](../testing.md).
"""
# Arguments to call a verb with, where it does not take one text.
SAMPLE: dict[str, tuple[Any, ...]] = {"retry": (), "answer_elicitation": ("accept", {})}
INTERNAL = ("facts", "alarm", "alone", "only", "names", "needs", "longest_s", "status")  # for the built-in hooks


def format_page() -> str:
    return "".join(
        [
            *(NOTE, HEAD, *format_verbs(), *format_hook(), *format_world(), *format_commands()),
            *(*format_store(), *format_testing(), *format_events(), *format_tools()),
        ]
    )


def format_verbs() -> list[str]:
    lines = [
        "\n## What a hook can decide\n`None` is no opinion. Two decisions are combined with `&`: ",
        "`rewrite(…) & add_context(…)`. A decision that its event cannot carry is a failure of the hook.\n\n",
        "| function | effect | events |\n|---|---|---|\n",
    ]
    for name in sorted(api.MODULES):
        verb = getattr(hookwright, name)
        if inspect.isfunction(verb) and verb.__annotations__.get("return") == "Decision":
            sample = SAMPLE.get(name, ("x",))
            made = verb(*sample, key=1) if name == "rewrite" else verb(*sample)
            lines.append(f"| `{name}{format_signature(verb)}` | {cell(verb.__doc__)} | {format_carriers(made)} |\n")
    return lines


def format_carriers(decision: Decision) -> str:
    able = [event for event, legal in LEGAL.items() if all(word in legal for word in decision.capabilities())]
    missing = [event for event in LEGAL if event not in able]
    if len(missing) < len(able):
        return f"all but {', '.join(missing)}"
    return ", ".join(able)


def format_hook() -> list[str]:
    return [
        "\n## A hook\n",
        f"`@hook{format_signature(decorator.hook)}`: {first_line(decorator.hook.__doc__)}\n\n",
        "Or a class, for options and state: `class Mine(Hook)` with `def decide(self, event)`. ",
        f"{rest_of_doc(base.Hook)}\n\n",
        "| of the class | default | |\n|---|---|---|\n",
        *format_attributes(base.Hook),
        f"\n`option{format_signature(hookwright.option)}`: {rest_of_doc(hookwright.option)}\n",
    ]


def format_attributes(owner: type) -> list[str]:
    """Names, defaults and the comments beside them in the source."""
    source = textwrap.dedent(inspect.getsource(owner))
    lines = source.splitlines()
    rows = []
    for node in ast.parse(source).body[0].body:  # type: ignore[attr-defined]
        target = (
            node.target
            if isinstance(node, ast.AnnAssign)
            else node.targets[0]
            if isinstance(node, ast.Assign)
            else None
        )
        if not isinstance(target, ast.Name) or target.id.startswith("_") or target.id in INTERNAL:
            continue
        value = vars(owner)[target.id]
        is_option = type(value).__name__ == "Option"
        default = value.default if is_option else value
        told = value.help if is_option else lines[node.lineno - 1].partition("  # ")[2] or PLAIN[target.id]
        rows.append(f"| `{target.id}` | `{default!r}` | {cell(told)} |\n")
    return rows


PLAIN = {"on": "what it listens to", "failure": "what its own failure means"}


def format_world() -> list[str]:
    lines = [f"\n## The environment of a hook: `self.world`\n{first_line(base.World.__doc__)}\n\n| | |\n|---|---|\n"]
    for line in inspect.getsource(base.World.__init__).splitlines():
        name, _, told = line.strip().removeprefix("self.").partition("  # ")
        name = name.partition(" = ")[0].partition(":")[0]
        if line.strip().startswith("self.") and name not in INTERNAL:
            lines.append(f"| `{name}` | {cell(told) or FOLDERS[name]} |\n")
    return lines


FOLDERS = {
    "env": "environment variables by name: `self.world.env['CI']`, `.get('CI')`, `'CI' in self.world.env`; "
    "called, it returns None for one that is not set: `self.world.env('CI')`",
    "home": "the home directory; None if there is none",
    "state": "directory for what must persist; use it through `hookwright.store` ([state.md](../state.md))",
    "cache": "directory for what can be computed again",
}  # fmt: skip


def format_commands() -> list[str]:
    lines = ["\n## Reading commands\n[shell.md](../shell.md) describes the methods of a call.\n\n| | |\n|---|---|\n"]
    for name in ("calls", "command_of"):
        word = getattr(hookwright, name)
        lines.append(f"| `{name}{format_signature(word)}` | {cell(word.__doc__)} |\n")
    return lines


# The functions of `hookwright.store` for authors of hooks.
KIT = {
    "limits": ("scope", "once", "allow", "forget"),
    "cache": ("read", "write", "forget"),
    "lock": ("Lock",),
    "paths": ("project_dir", "session_dir", "make_private"),
    "redact": ("mask",),
}


def format_store() -> list[str]:
    """From a hook: `limits.once(limits.scope(self.world.state, event.session_id), "told")`."""
    lines = [
        "\n## Keeping state: `hookwright.store`\nSafe for concurrent processes, and for one that is killed. ",
        "[state.md](../state.md) has an example of each.\n\n| | |\n|---|---|\n",
    ]
    for module, names in KIT.items():
        for name in names:
            found = getattr(import_module(f"hookwright.store.{module}"), name)
            lines.append(f"| `{module}.{name}{format_signature(found)}` | {cell(describe_object(found))} |\n")
    return lines


def describe_object(found: Any) -> str:
    """The first line of its docstring, or of its module's."""
    return first_line(found.__doc__) or first_line(inspect.getmodule(found).__doc__)


def format_testing() -> list[str]:
    lines = ["\n## Testing\nDescribed in [testing.md](../testing.md). `hookwright.testing.builders`:\n\n"]
    lines.append("| builder | |\n|---|---|\n")
    for name, found in vars(builders).items():
        if inspect.isfunction(found) and found.__module__ == builders.__name__ and not is_internal(name):
            lines.append(f"| `{name}{format_signature(found)}` | {cell(first_line(found.__doc__))} |\n")
    call = format_signature(HookTrial.__call__).replace("(self, ", "(")
    lines.append(f"\nThe fixture `hook{call}`: {first_line(HookTrial.__call__.__doc__)} It gives:\n\n")
    lines += format_methods(Answer, "answer")
    lines.append("\nThe fixture `claude` plays a session:\n\n")
    lines += format_methods(Claude, "claude")
    lines.append("\nA tool call in it gives:\n\n")
    return lines + format_methods(Call, "call")


def is_internal(name: str) -> bool:
    return name[0] == "_" or name in ("outcome", "short", "inputs_of", "require")


def format_methods(owner: type, name: str) -> list[str]:
    """The attributes and methods of a class, in source order."""
    rows = ["| | |\n|---|---|\n"]
    comments = {}
    for line in inspect.getsource(owner).splitlines():
        found, _, told = line.strip().removeprefix("self.").partition("  # ")
        comments[found.partition(" = ")[0].partition(":")[0]] = told
    for one in dict.fromkeys([*inspect.get_annotations(owner), *vars(owner)]):
        value = vars(owner).get(one)
        if is_internal(one) or (inspect.isfunction(value) and not value.__doc__):
            continue
        shown = (
            format_signature(value).replace("(self, ", "(").replace("(self)", "()") if inspect.isfunction(value) else ""
        )
        told = first_line(value.__doc__) if isinstance(value, property) or shown else comments.get(one, "")
        rows.append(f"| `{name}.{one}{shown}` | {cell(told)} |\n")
    return rows


def format_events() -> list[str]:
    lines = [
        "\n## Events\nEach is a typed view of the payload; `event.raw` is the payload itself, with keys that are new. ",
        "When each fires, and what it can carry: [events.md](events.md).\n\n| event | |\n|---|---|\n",
        f"| all | {format_fields(Event)} |\n",
    ]
    for name in FAMILY:
        found = event_class(name)
        lines.append(f"| `{name}` | {cell(first_line(found.__doc__))} {format_fields(found)} |\n")
    return lines


def format_tools() -> list[str]:
    lines = [
        "\n## Tool inputs\n`event.tool_input` is a mapping with these keys; other tools have their own.\n\n",
        "| tool | keys |\n|---|---|\n",
    ]
    lines.extend(f"| `{name}` | {format_fields(window)} |\n" for name, window in tools.INPUTS.items())
    lines.append("\nTheir responses, `event.tool_response`:\n\n| tool | keys |\n|---|---|\n")
    for name, window in tools.RESPONSES.items():
        about = cell(first_line(vars(window).get("__doc__")))
        lines.append(f"| `{name}` | {about} {format_fields(window)} |\n")
    return lines


def format_fields(window: type) -> str:
    """Its own keys with their types, its properties and methods."""
    owners = [owner for owner in window.__mro__ if owner is window or (window is not Event and owner is not Event)]
    told = {}
    asked = []
    for owner in reversed([owner for owner in owners if owner.__module__.startswith("hookwright.protocol.")]):
        if owner.__name__ == "Window":
            continue
        told.update({name: kind for name, kind in inspect.get_annotations(owner).items() if name[0] != "_"})
        asked += [
            f"`.{name}{'' if isinstance(value, property) else '(…)'}`: {first_line(value.__doc__)}"
            for name, value in vars(owner).items()
            if name[0] != "_" and value.__doc__ and (isinstance(value, property) or inspect.isfunction(value))
        ]
    keys = ", ".join(f"`{name}: {kind}`" for name, kind in told.items())
    return cell(". ".join(part for part in (keys, *(text.rstrip(".") for text in asked)) if part))


def format_signature(function: Any) -> str:
    """The parameters without their types."""
    told = inspect.signature(function)
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in told.parameters.values()]
    return str(told.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def rest_of_doc(documented: Any) -> str:
    """Its docstring after the first line, as one text."""
    rest = inspect.cleandoc(documented.__doc__ or "").partition("\n\n")[2]
    return " ".join(rest.split())


def first_line(text: str | None) -> str:
    return (text or "").strip().partition("\n")[0]


def cell(text: str | None) -> str:
    return " ".join((text or "").split()).replace("|", "\\|")


def main() -> int:
    text = format_page()
    if PAGE.exists() and PAGE.read_text() == text:
        return 0
    if "--check" in sys.argv:
        print("docs/reference/writing.md differs from the code; try: make docs", file=sys.stderr)
        return 1
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
