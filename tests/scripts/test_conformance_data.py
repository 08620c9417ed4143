"""The published table: complete, in its documented form, and usable with the example of its page."""

import json
import subprocess
import sys
from pathlib import Path

from tests.conformance import scenes

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = (REPOSITORY / "docs/conformance.md").read_text(encoding="utf-8")


def test_the_table_holds_every_case_and_the_pages_example_reads_it(tmp_path):
    target = tmp_path / "new" / "table.json"
    command = [sys.executable, str(REPOSITORY / "scripts/conformance_data.py"), str(target)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    table = json.loads(target.read_text(encoding="utf-8"))
    assert set(table["scenes"]) == {scenes.load(path).name for path in scenes.files()}
    assert table["defaults"] == scenes.DEFAULTS
    assert f"{table['cases']} cases" in said
    for key in table:
        assert f"`{key}`" in PAGE or key in ("about", "licence", "cases")
    for version, found in table["versions"].items():
        assert found == scenes.load_version(version)
        assert set(found) <= set(table["scenes"])
    example = tmp_path / "example.py"
    example.write_text(PAGE.split("```python\n")[1].partition("```")[0], encoding="utf-8")
    done = subprocess.run([sys.executable, example, target], capture_output=True, text=True, check=True).stdout
    agree, differ = (int(word) for word in done.split() if word.isdigit())
    assert agree + differ == table["cases"]
    assert agree > 0


def test_without_a_file_it_says_how_it_is_used():
    command = [sys.executable, str(REPOSITORY / "scripts/conformance_data.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "usage:" in done.stderr) == (2, True)
