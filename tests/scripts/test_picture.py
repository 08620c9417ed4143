"""The README's picture: recorded from the real client, plays by itself, loads nothing."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from scripts.picture import Frame, draw

ROOT = Path(__file__).resolve().parents[2]
POINTS = ("moved to the background", "hookwright git-force-push", "answered for you")


def words_of(picture):
    return re.sub(r"\s+", " ", " ".join(ET.fromstring(picture).itertext()))


def shown_at(picture, seconds):
    """The texts that are visible then."""
    found = []
    for group in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}g"):
        moving = group.find("{http://www.w3.org/2000/svg}animate")
        visible = group.get("visibility", "visible")
        if moving is not None:
            times = [float(time) * float(moving.get("dur")[:-1]) for time in moving.get("keyTimes").split(";")]
            passed = [
                value for time, value in zip(times, moving.get("values").split(";"), strict=True) if time <= seconds
            ]
            visible = passed[-1]
        if visible == "visible":
            found.append("".join(group.itertext()))
    return found


def test_each_row_is_there_exactly_as_long_as_on_the_screen():
    screens = [("one", "same", "<&>"), ("two", "same", ""), ("one", "same", "")]
    picture = draw([Frame(rows + ("",) * 27, 2.0) for rows in screens])
    assert [shown_at(picture, seconds) for seconds in (1.0, 3.0, 5.0)] == [
        ["one", "same", "<&>"],
        ["two", "same"],
        ["one", "same"],
    ]
    assert 'visibility="visible"' in picture  # the last screen, where pictures do not move


def test_colours_of_the_terminal_are_kept():
    picture = draw([Frame(("\x1b[31mred\x1b[0m plain \x1b[7mturned\x1b[0m",) + ("",) * 29, 1.0)])
    assert "#ff7b72" in picture
    assert picture.count("<rect") == 2


def check(picture):
    assert all(point in words_of(picture) for point in POINTS)
    assert len(picture) < 150_000
    assert re.findall(r"(?:href|src|url|@import|<script|<image|<foreignObject)", picture) == []
    assert re.findall(r"https?://[^\"]*", picture.partition(">")[2]) == []


def test_the_picture_of_the_readme_shows_all_three_and_loads_nothing():
    check((ROOT / "docs/picture.svg").read_text())


@pytest.mark.client
@pytest.mark.slow
def test_the_real_client_still_shows_what_the_picture_shows(claude_binary, tmux, tmp_path):
    target = tmp_path / "picture.svg"
    subprocess.run([sys.executable, str(ROOT / "scripts/picture.py"), str(target)], check=True, timeout=500)
    check(target.read_text())
