"""Renders docs/picture.svg: a session of the real Claude Code client with hookwright, as an animated picture.

    python scripts/picture.py [FILE]          make picture

The client runs behind the tests' fence (tests/client/kit) with a scripted API: what Claude says is written below, what
the client and hookwright show is recorded from the screen. Each row of the screen is drawn once for as long as it stays
the same; no script, no font and nothing of another host is loaded.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from rich.color import Color
from rich.terminal_theme import TerminalTheme
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from tests.client.kit.lab import Lab  # noqa: E402
from tests.client.kit.scripted_api import bash, call, text  # noqa: E402

TARGET = ROOT / "docs/picture.svg"
WIDTH, HEIGHT = 100, 30  # of the screen, in characters
CELL, LINE, TOP, SIDE, SIZE = 8.4, 19, 38, 14, 14  # pixels
POLL_S, TYPING_S, STEP_S, READ_S, END_S = 0.1, 0.06, 0.25, 3.2, 5.0
THEME = TerminalTheme(
    (13, 17, 23),
    (201, 209, 217),
    [
        *((72, 79, 88), (255, 123, 114), (63, 185, 80), (210, 153, 34)),
        *((88, 166, 255), (188, 140, 255), (57, 197, 207), (177, 186, 196)),
    ],
    [
        *((110, 118, 129), (255, 161, 152), (86, 211, 100), (227, 179, 65)),
        *((121, 192, 255), (210, 168, 255), (86, 212, 221), (240, 246, 252)),
    ],
)

QUESTION = {
    "question": "Which database should the tests use?",
    "header": "Database",
    "multiSelect": False,
    "options": [
        {"label": "SQLite", "description": "a file, nothing to start"},
        {"label": "PostgreSQL", "description": "as in production"},
    ],
}
ASKING = ["--permission-mode", "default"]
SCRIPT = [
    [text("I'll install the dependencies."), bash("npm ci", description="Install dependencies")],
    "The install runs in the background; I go on with the code meanwhile.",
    [bash("git push --force origin main", description="Push the branch")],
    "A force push to main was refused. I'll push to a branch of its own and open a pull request.",
    [call("AskUserQuestion", questions=[QUESTION])],
    "SQLite it is, as you decided before. I'll write the test setup.",
]
TITLE = (
    "Claude Code with hookwright: a long command moves to the background, a force push is denied, a question answered"
)
FONTS = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
DRAWN_AS = str.maketrans({"⎿": "└", "⏸": "‖", "\xa0": " "})  # letters that few monospace fonts have
# What is typed, and the text on the screen that shows the point of it.
PROMPTS = (
    ("install the dependencies", "go on with the code meanwhile"),
    ("push my work, force it if needed", "open a pull request"),
    ("now set up the tests", "write the test setup"),
)


@dataclass
class Frame:
    rows: tuple[str, ...]  # with their colours, as ANSI text
    seconds: float


class Recorder:
    """Takes down every change of the screen."""

    def __init__(self, screen) -> None:
        self.screen, self.frames = screen, []

    def take(self, seconds: float) -> None:
        shown = self.screen._tmux("capture-pane", "-e", "-p").split("\n")  # noqa: SLF001  colours: for this only
        rows = tuple((shown + [""] * HEIGHT)[:HEIGHT])
        if self.frames and self.frames[-1].rows == rows:
            self.frames[-1].seconds = max(self.frames[-1].seconds, seconds)
        else:
            self.frames.append(Frame(rows, seconds))

    def type(self, words: str) -> None:
        for letter in words:
            self.screen.type(letter)
            self.take(TYPING_S)
        self.screen.wait(words, "the typed text")
        self.take(STEP_S)
        self.screen.keys("Enter")

    def watch(self, wanted: str, seconds: float) -> None:
        """Record until the text is there and the screen rests."""
        deadline = time.monotonic() + 120
        while not self.screen.shows(wanted):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{wanted!r} did not come; the screen:\n{self.screen.screen()}")
            self.take(STEP_S)
            time.sleep(POLL_S)
        time.sleep(1.5)
        self.take(seconds)


def record() -> list[Frame]:
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(Path(folder) / "lab")
        lab.project = os.path.join(lab.home, "shop")
        prepare_project(lab)
        lab._write(lab.path("home", ".claude.json"), lab._finished_onboarding())  # noqa: SLF001  the project moved
        path = f"{lab.home}/bin:{lab._environment({})['PATH']}"  # noqa: SLF001
        with lab.terminal(SCRIPT, args=ASKING, size=(WIDTH, HEIGHT), env={"PATH": path}) as screen:
            recorder = Recorder(screen)
            recorder.take(1.0)
            for words, wanted in PROMPTS:
                recorder.type(words)
                recorder.watch(wanted, READ_S)
            recorder.take(END_S)
            return recorder.frames


def prepare_project(lab: Lab) -> None:
    """A repository with a slow `npm`, hookwright installed by its own command, and one question decided before."""
    os.makedirs(lab.project)
    lab.write("package.json", '{"name": "shop"}')
    os.makedirs(f"{lab.home}/bin")
    npm = Path(lab.home) / "bin/npm"
    npm.write_text("#!/bin/sh\nexec sleep 600\n")
    npm.chmod(0o755)
    lab.allow("Bash")
    lab.write_settings()
    env = {"HOME": lab.home, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    decided = ["questions", "set", "--question", QUESTION["question"], "--answer", "SQLite"]
    for words in (["install", "--yes"], decided):
        argv = [sys.executable, "-m", "hookwright", *words]
        subprocess.run(argv, env=env, cwd=lab.project, capture_output=True, check=True)
    lab.scopes["user"] = {}  # the file is as `install` left it
    for words in (["init", "-q", "-b", "feature"], ["add", "-A"], ["commit", "-qm", "Shop"]):
        identity = ["-c", "user.name=ann", "-c", "user.email=ann@example.org"]
        subprocess.run(["git", *identity, *words], cwd=lab.project, env=env, check=True)


# --- drawing
def draw(frames: list[Frame]) -> str:
    total = sum(frame.seconds for frame in frames)
    width, height = WIDTH * CELL + 2 * SIDE, HEIGHT * LINE + TOP + SIDE
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<title>{TITLE}</title>",
        f"<style>text{{font:{SIZE}px {FONTS};white-space:pre}}</style>",
        f'<rect width="100%" height="100%" rx="8" fill="{hex_of(THEME.background_color)}"/>',
        *(
            f'<circle cx="{18 + 18 * place}" cy="18" r="5.5" fill="{fill}"/>'
            for place, fill in enumerate(("#ff5f56", "#ffbd2e", "#27c93f"))
        ),
    ]
    for row in range(HEIGHT):
        for content, spans in list_spans([frame.rows[row] for frame in frames], [frame.seconds for frame in frames]):
            drawn = draw_row(content, row)
            if drawn:
                parts.append(animate(drawn, spans, total))
    return "\n".join([*parts, "</svg>\n"])


def list_spans(contents: list[str], seconds: list[float]) -> list[tuple[str, list[tuple[float, float]]]]:
    """Each text that a row shows, with the spans of time in which it does."""
    found: dict[str, list[tuple[float, float]]] = {}
    now = 0.0
    for content, lasting in zip(contents, seconds, strict=True):
        spans = found.setdefault(content.rstrip(), [])
        if spans and abs(spans[-1][1] - now) < 1e-9:
            spans[-1] = (spans[-1][0], now + lasting)
        else:
            spans.append((now, now + lasting))
        now += lasting
    return list(found.items())


def animate(drawn: str, spans: list[tuple[float, float]], total: float) -> str:
    """Visible in these spans, in each round. Where pictures do not move, the last screen is shown."""
    if spans == [(0.0, total)] or abs(spans[0][1] - spans[0][0] - total) < 1e-6:
        return f"<g>{drawn}</g>"
    times, values = ["0"], ["visible" if spans[0][0] == 0 else "hidden"]
    for start, end in spans:
        for moment, value in ((start, "visible"), (end, "hidden")):
            if 0 < moment < total - 1e-6:
                times.append(f"{moment / total:.4f}".rstrip("0"))
                values.append(value)
    still = "visible" if spans[-1][1] > total - 1e-6 else "hidden"
    moving = f'values="{";".join(values)}" keyTimes="{";".join(times)}" dur="{total:.1f}s"'
    animation = f'<animate attributeName="visibility" calcMode="discrete" repeatCount="indefinite" {moving}/>'
    return f'<g visibility="{still}">{animation}{drawn}</g>'


def draw_row(ansi: str, row: int) -> str:
    line = Text.from_ansi(ansi)
    y = TOP + row * LINE
    boxes, words, column = [], [], 0
    for segment in line.render(_console()):
        style, content = segment.style, segment.text.translate(DRAWN_AS)
        fore, back = colours_of(style)
        x, length = SIDE + column * CELL, len(content) * CELL
        if back:
            boxes.append(f'<rect x="{x:g}" y="{y}" width="{length:g}" height="{LINE}" fill="{back}"/>')
        kept = content.strip()
        if kept:
            x += (len(content) - len(content.lstrip())) * CELL
            weight = ' font-weight="bold"' if style and style.bold else ""
            weight += ' opacity=".7"' if style and style.dim else ""
            span = f'x="{x:g}" y="{y + 14}" textLength="{len(kept) * CELL:g}" lengthAdjust="spacingAndGlyphs"'
            words.append(f'<text {span} fill="{fore}"{weight}>{escape(kept)}</text>')
        column += len(content)
    return "".join([*boxes, *words])


def _console():
    from rich.console import Console  # noqa: PLC0415

    return Console(width=WIDTH + 10, force_terminal=True, color_system="truecolor", legacy_windows=False)


def colours_of(style) -> tuple[str, str]:
    fore, back = hex_of(THEME.foreground_color), ""
    if style is None:
        return fore, back
    if style.color and not style.color.is_default:
        fore = hex_of(style.color.get_truecolor(THEME))
    if style.bgcolor and not style.bgcolor.is_default:
        back = hex_of(style.bgcolor.get_truecolor(THEME, foreground=False))
    if style.reverse:
        fore, back = back or hex_of(THEME.background_color), fore
    return fore, back


def hex_of(colour: Color | tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def main() -> int:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    frames = record()
    picture = draw(frames)
    target.write_text(picture, encoding="utf-8")
    print(f"{target}: {len(frames)} screens, {sum(frame.seconds for frame in frames):.0f} s, {len(picture) // 1000} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
