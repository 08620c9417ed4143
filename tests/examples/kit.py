"""Examples as an author has them: the file alone, asked in a world of its own."""

import subprocess
from pathlib import Path

from hookwright.config import compiler
from hookwright.hooks.base import World
from hookwright.testing.builders import event

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))


def hook_of(name: str) -> type:
    """The one hook of an example's file."""
    file = str(EXAMPLES / f"{name}.py")
    module = compiler.exec_user_module(file, compile(Path(file).read_text(), file, "exec"))
    [hook] = [
        value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__
    ]
    return hook


class Asked:
    """A hook in a project of its own; each question is a process of its own in real life, so nothing is kept here."""

    def __init__(self, name: str, folder: Path) -> None:
        self.hook = hook_of(name)
        self.project = folder / "shop"
        self.project.mkdir()
        self.state = folder / "state"
        self.now = 1000.0

    def __call__(self, asked, **options):
        self.now += 1
        world = World(now=self.now, state=str(self.state), project=str(self.project), home=str(self.project.parent))
        return self.hook(world, **options).decide(asked)

    def says(self, asked, **options) -> str:
        """The permission that is given, "" for silence."""
        decision = self(asked, **options)
        return decision.permission or "" if decision else ""

    def write(self, name: str, text: str = "") -> str:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def git(self, *words: str) -> str:
        who = ["-c", "user.name=ann", "-c", "user.email=ann@example.com"]
        run = subprocess.run(["git", *who, *words], cwd=self.project, capture_output=True, text=True, check=True)
        return run.stdout

    def edited(self, name: str, tool: str = "Edit"):
        """The event after a file was changed."""
        change = {"content": "b"} if tool == "Write" else {"old_string": "a", "new_string": "b"}
        given = {"file_path": str(self.project / name), **change}
        return event("PostToolUse", tool_name=tool, tool_input=given, tool_response={}, tool_use_id="toolu_1")
