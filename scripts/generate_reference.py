"""Makes docs/reference/*.md from the code: events, options, environment, commands.

python scripts/generate_reference.py [--check]
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hookwright.cli.main import COMMANDS, program
from hookwright.config import compiler
from hookwright.config.builtin_hooks import FORMER_SECTIONS
from hookwright.config.command_hooks import hooks_section as commands_section
from hookwright.options import REQUIRED, Option
from hookwright.protocol.capabilities import EXIT_2, LEGAL
from hookwright.protocol.catalogue import load_protocol

DOCS = Path(__file__).resolve().parent.parent / "docs/reference"
NOTE = "<!-- made by scripts/generate_reference.py; change the code and run `make docs` -->\n\n"


def events() -> str:
    known = load_protocol()
    lines = [
        "# Events\n",
        f"The {len(known['events'])} events of Claude Code {known['claude_code']}, what each can carry, and where its ",
        "matcher looks. A decision that an event cannot carry is an error in hookwright, not silence. Since: the ",
        "first version that knows the event; `hookwright install` does not register it for an older one.\n\n",
        "| event | since | fires | matcher | a hook may say |\n|---|---|---|---|---|\n",
    ]
    for name, event in known["events"].items():
        said = ", ".join(LEGAL[name]) or "nothing"
        said += " (block is exit code 2)" if name in EXIT_2 else ""
        fires, matcher = cell(event["fires"]), cell(event["matcher_field"] or "-")
        lines.append(f"| `{name}` | {event['since']} | {fires} | {matcher} | {said} |\n")
    return "".join(lines)


def options() -> str:
    former = ", ".join(f"`[{old}]` for `[{new}]`" for old, new in FORMER_SECTIONS.items())
    lines = [
        "# Options\n",
        "In `config.toml` (`hookwright config path` says where) or a project's `.hookwright.toml`. Every option can ",
        "also be set by its environment variable. Order: built-in < user file < project file < environment.\n",
        f"\nFormer section names are still read: {former}.\n",
    ]
    for hook in [*compiler.declare_builtins(), commands_section()]:
        which = f" Hook `{hook.name}`, on {listening(hook)}." if hook.on else ""
        lines.append(f"\n## [{hook.section}]\n{first_line(hook.doc)}{which}\n\n")
        lines.append("| option | default | meaning |\n|---|---|---|\n")
        for name, option in hook.options.items():
            lines.append(option_row(f"`{name}`", option))
            heading = f"`[[{hook.section}.{name}]]`"
            lines.extend(option_row(f"{heading} `{key}`", column) for key, column in option.columns.items())
    return "".join(lines)


def option_row(name: str, option: Option) -> str:
    default = "" if option.default in ("", ()) else f"`{option.default}`"
    if option.default is REQUIRED:
        default = "(needed)"
    elif isinstance(option.default, tuple) and option.default:
        default = f"`{', '.join(option.default)}`"
    return f"| {name} | {default.replace('True', 'true').replace('False', 'false')} | {cell(option.help)} |\n"


WHO_MAY = """\
They win over the configuration files. What your own shell or your own `~/.claude/settings.json` sets counts as it is.
What `env` of a project's `.claude/settings.json` or `settings.local.json` names may only tighten, trusted or not: a
value that would loosen is left out, and you are told once. `HOOKWRIGHT_CONFIG_HOME`, `HOOKWRIGHT_STATE_HOME`,
`HOOKWRIGHT_CACHE_HOME` and `XDG_CONFIG_HOME`, `XDG_STATE_HOME`, `XDG_CACHE_HOME` move hookwright's directories; each
counts only for a directory that is yours, that others cannot write to, and that is not inside of the project, else
the default is used. `hookwright status` and `hookwright verify` name every variable that loosens
(`environment-loosens`), wherever it is set.
"""


def environment() -> str:
    lines = ["# Environment variables\n\n", WHO_MAY, "\n| variable | sets | values |\n|---|---|---|\n"]
    for hook in compiler.declare_builtins():
        for variable, name, kind, choices, spelling, *_ in compiler.list_variables(hook):
            values = ", ".join(spelling or choices) or kind
            lines.append(f"| `{variable}` | `{hook.section}.{name}` | {cell(values)} |\n")
    lines.append(
        "\n`HOOKWRIGHT_CONFIG_HOME`, `HOOKWRIGHT_STATE_HOME`, `HOOKWRIGHT_CACHE_HOME` name hookwright's directories; "
        "without them the XDG variables and the home directory do.\n"
    )
    return "".join(lines)


def commands() -> str:
    lines = [
        "# Commands\n\nExit codes: 0 done, 1 you can fix it, 2 wrong usage, 3 our fault (a report file is named).\n"
    ]
    root = click.Context(program, info_name="hookwright")
    for name in COMMANDS:
        command = program.get_command(root, name)
        lines.extend(help_of(command, f"hookwright {name}", root))
    return "".join(lines)


def help_of(command: click.Command, path: str, parent: click.Context) -> list[str]:
    context = click.Context(
        command, info_name=path.rsplit(maxsplit=1)[-1], parent=parent, max_content_width=100, terminal_width=100
    )
    lines = [f"\n## {path}\n```text\n{command.get_help(context).rstrip()}\n```\n"]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            lines.extend(help_of(command.get_command(context, name), f"{path} {name}", context))
    return lines


def listening(hook: compiler.HookSpec) -> str:
    return "; ".join(event + (f" ({', '.join(tools)})" if tools else "") for event, tools in hook.on.items())


def first_line(text: str) -> str:
    return text.splitlines()[0] if text else ""


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


PAGES = {"events.md": events, "options.md": options, "environment.md": environment, "commands.md": commands}


def main() -> int:
    stale = []
    DOCS.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        text = NOTE + page()
        path = DOCS / name
        if not path.exists() or path.read_text() != text:
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(text)
    if stale and "--check" in sys.argv:
        print(f"docs/reference differs from the code: {', '.join(stale)}; try: make docs", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
