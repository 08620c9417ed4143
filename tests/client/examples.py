"""Plays the examples of docs/hooks through the real client and writes what happened into the pages.

    python -m tests.client.examples            # write
    python -m tests.client.examples --check    # only say whether the pages still tell the truth

A page marks the place: `<!-- recorded: NAME -->`, the block, `<!-- end of the recording -->`.
"""

import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path

from tests.client.kit import install
from tests.client.kit.lab import REPOSITORY, Lab
from tests.client.kit.run import blocks_in
from tests.client.kit.scripted_api import bash, call
from tests.hook_kit import prepare_hook
from tests.hooks.kit import git

PAGES = Path(REPOSITORY) / "docs/hooks"
EVENTS = ("PostToolUse", "Stop", "SessionStart", "UserPromptSubmit")
END = "<!-- end of the recording -->"
CONTEXT = re.compile(r"\w+(?::\w+)? hook additional context: (\[hookwright .*?)(?=\n\n|\Z)", re.DOTALL)


class Example:
    """A lab with our hook process, a small repository, and a configuration."""

    bundle: Path | None = None  # one that was built before; building one takes longer than the session
    binary = ""  # the client; it is looked for at home, and each example has a home of its own

    def __init__(self, folder: str, config: str) -> None:
        self.lab = Lab(os.path.join(folder, "lab"), binary=self.binary)
        os.environ["HOME"] = self.lab.home
        argv = prepare_hook(self.bundle)
        for event in EVENTS:
            self.lab.handler(event, {"type": "command", "command": argv[0], "args": argv[1:], "timeout": 60})
        self.lab.allow("Bash", "Write", "Edit")
        git(self.lab.project, "init", "-q", "-b", "fix/77-slow-start")
        self.lab.write("app.py", "speed = 1\n")
        git(self.lab.project, "add", "-A")
        git(self.lab.project, "commit", "-q", "-m", "Start")
        path = Path(self.lab.home) / ".config/hookwright/config.toml"
        path.parent.mkdir(parents=True)
        path.write_text(config.replace("~/project", self.lab.project))
        self.config = config

    def edit(self, old: str, new: str) -> dict:
        return call("Edit", file_path=os.path.join(self.lab.project, "app.py"), old_string=old, new_string=new)

    def shown(self, talk: str) -> str:
        folder = self.lab.project
        clean = talk.replace(folder + "/", "").replace(folder, "~/project")
        config = "\n".join(f"# {line}".rstrip() for line in self.config.strip().splitlines())
        return f"```text\n{config}\n\n{clean}\n```"


def talk(run, last: str) -> str:
    """The conversation as it stood in the last request, and Claude's last words."""
    lines = []
    for role, block in blocks_in(run.requests[-1]):
        lines.extend(_lines(role, block))
    return "\n".join([*lines, f"● {last}"])


def _lines(role: str, block: dict) -> list[str]:
    words = block.get("text") or ""
    if role == "assistant":
        if block["type"] == "tool_use":
            given = block["input"]
            told = given.get("command") or f"{given['file_path']}: {given['old_string']!r} → {given['new_string']!r}"
            return [f"● {block['name']} {told}"]
        return [f"● {words}"]
    if block.get("type") == "tool_result":
        words = "".join(part.get("text", "") for part in block["content"] if isinstance(block["content"], list))
    told = [_indented(text) for text in CONTEXT.findall(words)]
    if role == "user" and words.startswith("Stop hook feedback:\n"):
        return [_indented(words.partition("\n")[2])]
    if role == "user" and words and not words.startswith("<"):
        return [f"> {words}", *told]
    return told


def _indented(text: str) -> str:
    return "  ⎿ " + text.strip().replace("\n", "\n    ")


def stop_guard(folder: str) -> str:
    check = "grep -q 'speed = 9' app.py || { echo 'too slow'; exit 1; }"
    example = Example(
        folder, f'[context]\nmode = "off"\n\n[[stop_guard.checks]]\nname = "speed"\ncommand = """{check}"""\n'
    )
    run = example.lab.run(
        [example.edit("= 1", "= 2"), "It is faster now.", example.edit("= 2", "= 9"), "Now it is fast enough."],
        prompt="make it faster",
    )
    return example.shown(talk(run, run.result))


def context(folder: str) -> str:
    example = Example(folder, '[[context.commands]]\nname = "python"\ncommand = "echo 3.11.2"\n')
    example.lab.write("notes.md", "draft\n")
    with example.lab.stream(["Hello.", "You are on another branch now."]) as session:
        session.say("hello")
        session.wait_for_result()
        git(example.lab.project, "switch", "-q", "-c", "experiment")  # somebody, in another terminal
        session.say("go on")
        last = session.wait_for_result()["result"]
    return example.shown(talk(session.run, last))


def format_(folder: str) -> str:
    example = Example(folder, '[context]\nmode = "off"\n\n[format]\nmode = "on"\ntrusted = ["~/project"]\n')
    example.lab.write("pyproject.toml", "[tool.ruff]\n")
    os.makedirs(os.path.join(example.lab.project, ".venv/bin"))
    ruff = os.path.join(os.path.dirname(sys.executable), "ruff")
    os.symlink(ruff, os.path.join(example.lab.project, ".venv/bin/ruff"))
    run = example.lab.run(
        [example.edit("speed = 1", "speed   =   2"), example.edit("speed = 2", "speed = 3"), "Done."], prompt="faster"
    )
    return example.shown(talk(run, run.result))


def notify(folder: str) -> str:
    config = '[context]\nmode = "off"\n\n[notify]\nheadless = true   # this recording has no terminal\ndone_after = 0\n'
    example = Example(folder, config)
    example.lab.routes["/hook"] = {"status": 200, "json": {}}
    example.lab.env["HOOKWRIGHT_NOTIFY_URLS"] = example.lab.url + "/hook"
    with example.lab.stream([bash("echo built"), "Built."]) as session:
        session.say("build it")
        last = session.wait_for_result()["result"]
        deadline = time.monotonic() + 60
        while not session.run.http and time.monotonic() < deadline:
            time.sleep(0.05)
    got = session.run.http[0]["body"]
    got.update(session_id="6e2f…", time=1763240000.0, project="~/project")
    received = "# what the webhook in HOOKWRIGHT_NOTIFY_URLS received:\n" + json.dumps(
        got, indent=1, ensure_ascii=False
    )
    return example.shown(f"{talk(session.run, last)}\n\n{received}")


EXAMPLES = {"stop_guard": stop_guard, "context": context, "format": format_, "notify": notify}


def recorded(page: str, name: str, block: str) -> str:
    """The page with this block in its place."""
    mark = f"<!-- recorded: {name} -->"
    head, found, rest = page.partition(mark)
    assert found, f"{name}.md has no mark for its recording"
    if END in rest:
        rest = rest.partition(END)[2]
    return f"{head}{mark}\n{block}\n{END}{rest}"


def main() -> int:
    Example.binary = install.ensure()
    stale = []
    for name, play in EXAMPLES.items():
        path = PAGES / f"{name}.md"
        with tempfile.TemporaryDirectory() as folder:
            text = recorded(path.read_text(), name, play(folder))
        if text != path.read_text():
            stale.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(text)
    if stale and "--check" in sys.argv:
        print(f"docs/hooks tells another story than the client: {', '.join(stale)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
