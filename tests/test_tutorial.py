"""The tutorial is a test: its files are written, its commands typed, in a home that nobody has used before.

A file block follows a line that ends with its name in ticks and a colon; in a console block `$ ` begins a command and
what follows is its output, `…` for what differs from run to run, a line `...` for lines left out.
`<!-- exit 1 -->` before a block: its last command ends so.
"""

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PAGE = Path(__file__).resolve().parent.parent / "docs/tutorial.md"
BLOCK = re.compile(r"(?:^<!-- exit (\d) -->\n)?^```(\w+)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"`([^`\n]+)`[^`\n]*:\s*\Z")


@dataclass
class Step:
    """Write a file, or type a command and look."""

    line: int
    file: str = ""
    text: str = ""
    command: str = ""
    output: list[str] = field(default_factory=list)
    exit_code: int = 0


def steps(page: str) -> list[Step]:
    found: list[Step] = []
    for block in BLOCK.finditer(page):
        code, kind, text = block.groups()
        line = page[: block.start(3)].count("\n") + 1
        if kind == "console":
            typed = list(_typed(text, line))
            typed[-1].exit_code = int(code or 0)
            found += typed
            continue
        name = NAMED.search(page[: block.start()])
        assert name, f"line {line}: a block of {kind} without the name of its file before it"
        found.append(Step(line, file=name[1], text=text))
    return found


def _typed(text: str, line: int):
    step = None
    for number, one in enumerate(text.splitlines(), line):
        if one.startswith("$ "):
            if step:
                yield step
            step = Step(number, command=one[2:])
        else:
            assert step, f"line {number}: output before the first command"
            step.output.append(one)
    assert step, f"line {line}: no command"
    yield step


def pattern(lines: list[str]) -> str:
    """What is shown, as an expression for what may come."""
    return "".join(
        r"(?:[^\n]*\n)*?" if line == "..." else ".*?".join(map(re.escape, line.rstrip().split("…"))) + "\n"
        for line in lines
    )


class Reader:
    """Somebody who has just installed hookwright and does what the page says."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home
        programs = home / "bin"
        programs.mkdir()
        (programs / "hookwright").symlink_to(Path(sys.executable).parent / "hookwright")
        self.env = {
            "HOME": str(home),
            "PATH": f"{programs}:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "COLUMNS": "110",
            "GIT_AUTHOR_NAME": "Ann",
            "GIT_AUTHOR_EMAIL": "ann@example.com",
            "GIT_COMMITTER_NAME": "Ann",
            "GIT_COMMITTER_EMAIL": "ann@example.com",
            "GIT_CONFIG_GLOBAL": "/dev/null",
        }

    def write(self, name: str, text: str) -> None:
        place = Path(name.replace("~", str(self.home), 1)) if name.startswith("~") else self.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def type(self, command: str) -> tuple[int, str]:
        """The exit code and what is seen; `cd` counts for the next command too."""
        left = self.home / ".left-in"
        typed = f"{command}\ncode=$?; pwd > {left}; exit $code"
        run = subprocess.run(
            ["bash", "-c", typed],
            cwd=self.folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        self.folder = Path(left.read_text().strip())
        left.unlink()
        seen = run.stdout.replace(str(self.home), "~")
        return run.returncode, "".join(f"{line.rstrip()}\n" for line in seen.splitlines())


def follow(page: str, home: Path) -> None:
    """Do everything that the page says, and see what it shows."""
    reader = Reader(home)
    for step in steps(page):
        if step.file:
            reader.write(step.file, step.text)
            continue
        code, seen = reader.type(step.command)
        told = f"line {step.line}: $ {step.command}\n--- shown\n" + "\n".join(step.output) + f"\n--- seen\n{seen}"
        assert code == step.exit_code, f"{told}--- exit code {code}"
        assert re.fullmatch(pattern(step.output), seen), told


@pytest.mark.timeout(600)  # two dozen commands, one after another
def test_the_tutorial_can_be_followed_word_by_word(tmp_path):
    follow(PAGE.read_text(), tmp_path)


@pytest.mark.parametrize(
    ("shown", "seen", "same"),
    [
        (["a", "...", "z"], "a\nb\nc\nz\n", True),
        (["a", "..."], "a\n", True),
        (["took … ms"], "took 12 ms\n", True),
        (["a"], "a\nb\n", False),
        (["a.c"], "abc\n", False),
        ([], "noise\n", False),
    ],
)
def test_what_is_shown_is_compared_line_by_line(shown, seen, same):
    assert bool(re.fullmatch(pattern(shown), seen)) is same


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ("```console\n$ echo a\nb\n```\n", "line 2: $ echo a"),
        ("```console\n$ false\n```\n", "exit code 1"),
        ("```python\nx = 1\n```\n", "without the name of its file"),
        ("```console\nnothing typed\n```\n", "output before the first command"),
    ],
)
def test_a_page_that_is_not_true_fails(page, fault, tmp_path):
    with pytest.raises(AssertionError, match=re.escape(fault)):
        follow(page, tmp_path)
