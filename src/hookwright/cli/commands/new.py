"""hookwright new: write a hook or a rule that runs, with examples and a test that pass."""

from __future__ import annotations

import keyword
import os
import re
from dataclasses import dataclass

import click

from hookwright.cli.arguments import json_option
from hookwright.cli.output import print_json, print_line
from hookwright.cli.text import shorten_home
from hookwright.errors import UserError
from hookwright.proc.private_dir import make_private

MAX_NAME = 50  # characters
project_option = click.option(
    "--project",
    "in_project",
    is_flag=True,
    help="Write to the project's .hookwright/hooks, for all who trust it.",
)
pytest_option = click.option("--pytest", "with_pytest", is_flag=True, help="Write a pytest test too.")


@click.group("new", epilog="Example:  hookwright new hook no_friday_deploys --event PreToolUse --tool Bash")
def command() -> None:
    """Write a hook or a rule of your own: file, examples and test, all passing."""


@command.command("hook", epilog="Example:  hookwright new hook polite_prompts --event UserPromptSubmit")
@click.argument("name")
@click.option("--event", default="PreToolUse", show_default=True, help="The event it listens to.")
@click.option("--tool", "tools", multiple=True, help="Only this tool; repeatable. [default: Bash]")
@project_option
@pytest_option
@json_option
def hook_command(
    *, name: str, event: str, tools: tuple[str, ...], in_project: bool, with_pytest: bool, as_json: bool
) -> int:
    """Write a hook: a function that takes an event and returns a decision, or None."""
    from hookwright.testing import scaffold  # noqa: PLC0415  not needed for --help

    draft = scaffold.Draft(validate_name(name), event, validate_tools(event, tools))
    target = ScaffoldPaths(draft.name, in_project=in_project)
    files = {target.hook: scaffold.render_hook(draft), target.case: scaffold.render_cases(draft)}
    if with_pytest:
        files[target.test] = scaffold.render_test(draft, os.path.relpath(target.hook, os.path.dirname(target.test)))
    return write_files("hook", target, files, as_json=as_json)


@command.command("rule", epilog="Example:  hookwright new rule no_destroy --stops 'terraform destroy'")
@click.argument("name")
@click.option("--stops", default="make deploy", show_default=True, help="The program and perhaps its first arguments.")
@project_option
@json_option
def rule_command(*, name: str, stops: str, in_project: bool, as_json: bool) -> int:
    """Write a rule: a hook that inspects what a Bash command really runs and denies some of it."""
    from hookwright.testing import scaffold  # noqa: PLC0415

    words = stops.split()
    if not words or not all(re.fullmatch(r"[\w.+-]+", word) for word in words):
        raise click.UsageError(f"--stops takes a program and its first arguments, such as 'git push'; got {stops!r}")
    named = validate_name(name, "rule")
    target = ScaffoldPaths(named, in_project=in_project)
    files = {
        target.hook: scaffold.render_rule(named, words[0], tuple(words[1:])),
        target.case: scaffold.render_rule_cases(named, words[0], tuple(words[1:])),
    }
    return write_files("rule", target, files, as_json=as_json)


@dataclass
class ScaffoldPaths:
    """The paths of the files to write."""

    name: str
    in_project: bool

    def __post_init__(self) -> None:
        from hookwright.config import config_files  # noqa: PLC0415
        from hookwright.store import paths  # noqa: PLC0415

        if self.in_project:
            home = os.environ.get("HOME", "").rstrip("/")
            file, hooks = config_files.find_project_config(os.getcwd(), home or None)
            named = config_files.project_name(file, hooks)
            top = os.path.dirname(named) if named else _repo_root(os.getcwd())
            self.folder = os.path.join(top, config_files.PROJECT_HOOKS)
            self.tests = os.path.join(top, "tests")
        else:
            config = paths.config_dir(os.environ.get)
            if config is None:
                raise UserError("your hooks have no directory: HOME is not set", fix="export HOME")
            self.folder = config_files.hooks_folder(config)
            self.tests = os.path.join(config, "tests")
        self.hook = os.path.join(self.folder, f"{self.name}.py")
        self.case = os.path.join(self.folder, f"{self.name}.case")
        self.test = os.path.join(self.tests, f"test_{self.name}.py")


def _repo_root(start: str) -> str:
    """The top of the repository, or this directory."""
    folder = start
    while folder != os.path.dirname(folder):
        if os.path.exists(os.path.join(folder, ".git")):
            return folder
        folder = os.path.dirname(folder)
    return start


def validate_name(text: str, kind: str = "hook") -> str:
    """The name as a module and function name; UserError with a better one if it cannot be that."""
    from hookwright.config.builtin_hooks import FORMER_SECTIONS, HOOKS  # noqa: PLC0415

    name = text.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or len(name) > MAX_NAME:
        better = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text).lower()).strip("_")[:MAX_NAME]
        better = better if better[:1].isalpha() else f"no_{better}".rstrip("_")
        raise UserError(
            f"a name has lower-case letters, digits and _, at most {MAX_NAME}; got {text!r}",
            fix=f"hookwright new {kind} {better}",
        )
    taken = {*HOOKS, *FORMER_SECTIONS, "hooks"}
    if name in taken:
        raise UserError(f"{name} is the name of a built-in hook", fix=f"hookwright new {kind} my_{name}")
    if keyword.iskeyword(name) or _is_reserved_name(name):
        raise UserError(f"{name} is a keyword or a name that the file imports", fix=f"hookwright new {kind} {name}_it")
    if name.startswith("test_") or name == "conftest":
        raise UserError(f"pytest would collect {name}.py", fix=f"hookwright new {kind} {name[5:] or 'my_hook'}")
    return name


def _is_reserved_name(name: str) -> bool:
    from hookwright.api import public_names  # noqa: PLC0415

    return name in (*public_names(), "event", "text", "annotations")


def validate_tools(event: str, tools: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.protocol import catalogue  # noqa: PLC0415
    from hookwright.testing import builders  # noqa: PLC0415

    try:
        builders.keys_of(event)
        for tool in tools:
            if "*" not in tool:
                builders.inputs_of(tool)
    except ValueError as error:
        raise UserError(str(error), fix="see docs/reference/events.md") from None
    if not catalogue.is_about_tools(event):
        if tools:
            raise click.UsageError(f"{event} has no tool; --tool does not apply")
        return ()
    return tools or ("Bash",)


def write_files(kind: str, target: ScaffoldPaths, files: dict[str, str], *, as_json: bool) -> int:
    """Write all files, or none if one exists already; then print the next steps."""
    for path in files:
        if os.path.lexists(path):
            raise UserError("the file exists already; nothing was written", where=path, fix="choose another name")
    for path, text in files.items():
        folder = os.path.dirname(path)
        if not target.in_project:
            make_private(folder)  # the user's own; files of a project get the usual mode
        os.makedirs(folder, exist_ok=True)
        mode = 0o666 if target.in_project else 0o600
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
            file.write(text)
    steps = next_steps(target)
    if as_json:
        print_json({"kind": kind, "name": target.name, "files": list(files), "next": [step for step, _ in steps]})
        return 0
    for path in files:
        print_line(f"wrote {shorten_home(path)}")
    print_line("next:")
    for step, why in steps:
        print_line(f"  {step}", wrap=False)
        print_line(f"      {why}", hang=6)
    return 0


def next_steps(target: ScaffoldPaths) -> list[tuple[str, str]]:
    shown = os.path.relpath(target.hook) if target.in_project else shorten_home(target.hook)
    folder = os.path.relpath(target.folder) if target.in_project else shorten_home(target.folder)
    steps = [
        (f"hookwright test {folder}", "passes already; change an example, see it fail, then change the code"),
        (f"$EDITOR {shown}", "its docstring says what it is for"),
    ]
    if target.in_project:
        steps.append(("hookwright trust", "hooks of a project run only after you have reviewed them"))
    steps.append(("hookwright install", "only if hookwright is not registered for this event yet"))
    return steps
