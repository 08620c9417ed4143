"""hookwright new: a hook or a rule that runs, with its examples and its test, green from the first moment."""

from __future__ import annotations

import keyword
import os
import re
from dataclasses import dataclass

import click

from hookwright.cli.output import as_json, print_json
from hookwright.cli.registered import tilde
from hookwright.errors import UserError

LONGEST = 50  # characters of a name
project_option = click.option(
    "--project", "in_project", is_flag=True, help="Into this project's .hookwright/hooks, for everybody who trusts it."
)
pytest_option = click.option("--pytest", "with_pytest", is_flag=True, help="A test for pytest too.")


@click.group("new", epilog="Example:  hookwright new hook no_friday_deploys --event PreToolUse --tool Bash")
def command() -> None:
    """Begin a hook or a rule of your own: file, examples and test, green at once."""


@command.command("hook", epilog="Example:  hookwright new hook polite_prompts --event UserPromptSubmit")
@click.argument("name")
@click.option("--event", default="PreToolUse", show_default=True, help="What it listens to.")
@click.option("--tool", "tools", multiple=True, help="Which tools; may be given several times. [default: Bash]")
@project_option
@pytest_option
@as_json
def hook(*, name: str, event: str, tools: tuple[str, ...], in_project: bool, with_pytest: bool, as_json: bool) -> int:
    """Write a hook: a function that is given an event and returns what to say, or None."""
    from hookwright.testing import scaffold  # noqa: PLC0415  not needed for --help

    draft = scaffold.Draft(checked_name(name), event, checked_tools(event, tools))
    place = Place(draft.name, in_project=in_project)
    files = {place.hook: scaffold.hook_file(draft), place.case: scaffold.case_file(draft)}
    if with_pytest:
        files[place.test] = scaffold.test_file(draft, os.path.relpath(place.hook, os.path.dirname(place.test)))
    return finish("hook", place, files, as_json=as_json)


@command.command("rule", epilog="Example:  hookwright new rule no_destroy --stops 'terraform destroy'")
@click.argument("name")
@click.option("--stops", default="make deploy", show_default=True, help="The program, and its first words if any.")
@project_option
@as_json
def rule(*, name: str, stops: str, in_project: bool, as_json: bool) -> int:
    """Write a rule: a hook that looks at what a Bash command really runs, and stops some of it."""
    from hookwright.testing import scaffold  # noqa: PLC0415

    words = stops.split()
    if not words or not all(re.fullmatch(r"[\w.+-]+", word) for word in words):
        raise click.UsageError(f"--stops is a program and perhaps its first words, such as 'git push'; got {stops!r}")
    named = checked_name(name, "rule")
    place = Place(named, in_project=in_project)
    files = {
        place.hook: scaffold.rule_file(named, words[0], tuple(words[1:])),
        place.case: scaffold.rule_cases(named, words[0], tuple(words[1:])),
    }
    return finish("rule", place, files, as_json=as_json)


@dataclass
class Place:
    """Where the files go."""

    name: str
    in_project: bool

    def __post_init__(self) -> None:
        from hookwright.plan import sources  # noqa: PLC0415
        from hookwright.state import paths  # noqa: PLC0415

        if self.in_project:
            home = os.environ.get("HOME", "").rstrip("/")
            file, hooks = sources.project_places(os.getcwd(), home or None)
            named = sources.project_name(file, hooks)
            top = os.path.dirname(named) if named else _top(os.getcwd())
            self.folder = os.path.join(top, sources.PROJECT_HOOKS)
            self.tests = os.path.join(top, "tests")
        else:
            config = paths.config_dir(os.environ.get)
            if config is None:
                raise UserError("there is no place for your hooks: HOME is not set", fix="export HOME")
            self.folder = sources.hooks_folder(config)
            self.tests = os.path.join(config, "tests")
        self.hook = os.path.join(self.folder, f"{self.name}.py")
        self.case = os.path.join(self.folder, f"{self.name}.case")
        self.test = os.path.join(self.tests, f"test_{self.name}.py")


def _top(start: str) -> str:
    """The repository's top, or this folder."""
    folder = start
    while folder != os.path.dirname(folder):
        if os.path.exists(os.path.join(folder, ".git")):
            return folder
        folder = os.path.dirname(folder)
    return start


def checked_name(text: str, kind: str = "hook") -> str:
    """The name of a file and a function, or UserError with a better one."""
    from hookwright.plan import compiler  # noqa: PLC0415
    from hookwright.plan.table import HOOKS  # noqa: PLC0415

    name = text.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or len(name) > LONGEST:
        better = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text).lower()).strip("_")[:LONGEST]
        better = better if better[:1].isalpha() else f"no_{better}".rstrip("_")
        raise UserError(
            f"a name is small letters, digits and _, at most {LONGEST} of them; got {text!r}",
            fix=f"hookwright new {kind} {better}",
        )
    taken = {*HOOKS, *(told.section for told in compiler.declared()), "hooks"}
    if name in taken:
        raise UserError(f"{name} is what a built-in hook is called", fix=f"hookwright new {kind} my_{name}")
    if keyword.iskeyword(name) or _is_a_word(name):
        raise UserError(f"{name} is a word that the file itself uses", fix=f"hookwright new {kind} {name}_it")
    if name.startswith("test_") or name == "conftest":
        raise UserError(f"pytest would take {name}.py for a test", fix=f"hookwright new {kind} {name[5:] or 'my_hook'}")
    return name


def _is_a_word(name: str) -> bool:
    from hookwright.api import find  # noqa: PLC0415

    try:
        find(name)
    except AttributeError:
        return name in ("event", "text", "annotations")
    return True


def checked_tools(event: str, tools: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.protocol import catalogue  # noqa: PLC0415
    from hookwright.testing import builders  # noqa: PLC0415

    try:
        builders.keys_of(event)
        for tool in tools:
            if "*" not in tool:
                builders.inputs_of(tool)
    except ValueError as error:
        raise UserError(str(error), fix="docs/reference/events.md lists them") from None
    if not catalogue.is_about_tools(event):
        if tools:
            raise click.UsageError(f"{event} is not about tools; leave --tool out")
        return ()
    return tools or ("Bash",)


def finish(kind: str, place: Place, files: dict[str, str], *, as_json: bool) -> int:
    """Write all or nothing, and say what to do next."""
    for path in files:
        if os.path.lexists(path):
            raise UserError("this file is already there, and stays as it is", where=path, fix="choose another name")
    for path, text in files.items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    steps = next_steps(place)
    if as_json:
        print_json({"kind": kind, "name": place.name, "files": list(files), "next": [step for step, _ in steps]})
        return 0
    for path in files:
        print(f"wrote {tilde(path)}")
    print("next:")
    for step, why in steps:
        print(f"  {step}\n      {why}")
    return 0


def next_steps(place: Place) -> list[tuple[str, str]]:
    shown = os.path.relpath(place.hook) if place.in_project else tilde(place.hook)
    folder = os.path.relpath(place.folder) if place.in_project else tilde(place.folder)
    steps = [
        (f"hookwright test {folder}", "green already; change an example first, see it red, then change the code"),
        (f"$EDITOR {shown}", "what it stands for is said in its first lines"),
    ]
    if place.in_project:
        steps.append(("hookwright trust", "a project's hooks run only where somebody has looked at them"))
    steps.append(("hookwright install", "only if hookwright is not registered yet, or not for this event"))
    return steps
