"""Renders docs/picture.svg from a real run: commands on a real terminal, in a home of their own.

python scripts/picture.py          make picture
"""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

from rich.console import Console
from rich.text import Text

TARGET = Path(__file__).resolve().parent.parent / "docs/picture.svg"
WIDTH = 108
COMMANDS = [
    ["explain", "cd web && npm ci && npm run build | tail -5"],
    ["explain", "git push --force origin main"],
    ["explain", 'git commit -m "why rm -rf / is denied"'],
]


def shown(argv: list[str], home: str) -> str:
    """What the command prints on a terminal of our width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, WIDTH, 0, 0))
    env = {"HOME": home, "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8", "COLUMNS": str(WIDTH)}
    child = subprocess.Popen(argv, stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=home)
    os.close(theirs)
    chunks = []
    try:
        while chunk := os.read(ours, 65536):
            chunks.append(chunk)
    except OSError:  # the terminal closes with its last process
        pass
    child.wait()
    os.close(ours)
    return b"".join(chunks).decode().replace("\r\n", "\n")


def main() -> int:
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    with tempfile.TemporaryDirectory() as home:
        for words in COMMANDS:
            quoted = " ".join(word if word.isalnum() else f"'{word}'" for word in words)
            console.print(Text(f"$ hookwright {quoted}", style="bold"))
            text = shown([sys.executable, "-m", "hookwright", *words], home).strip("\n")
            console.print(Text.from_ansi(text))
            console.print()
    picture = console.export_svg(title="hookwright")
    # No fonts from elsewhere: a reader's own monospace is good enough, and nothing is fetched.
    TARGET.write_text(re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL))
    return 0


if __name__ == "__main__":
    sys.exit(main())
