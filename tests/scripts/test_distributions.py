"""What is published: the wheel has what a user needs, the source distribution what `make test` needs."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
FILTER = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # since 3.11.4


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(
        build, check=True, capture_output=True, timeout=500
    )  # the wheel is built from the source distribution
    return folder


def test_the_wheel_has_the_package_with_its_data_and_the_examples(built):
    [wheel] = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith("/METADATA"))).decode()
    code = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.py")}
    assert code - set(names) == set()
    data = {
        path for path in (ROOT / "src").rglob("*") if path.suffix in (".json", ".sql", ".txt", ".typed", ".html", ".js")
    }
    assert {path.relative_to(ROOT / "src").as_posix() for path in data} - set(names) == set()
    examples = [name for name in names if "/data/share/hookwright/examples/" in name]
    assert {Path(name).name for name in examples} >= {path.name for path in (ROOT / "examples").glob("*.py")}
    assert [name for name in names if name.startswith(("tests/", "docs/", "scripts/"))] == []
    assert wheel.stat().st_size < 3_000_000
    assert metadata.count("Project-URL: ") >= 3
    assert "](docs/" not in metadata  # a relative link is dead on the package index


def test_the_tests_of_the_source_distribution_can_be_collected(built, tmp_path):
    [source] = built.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, **FILTER)
    [folder] = tmp_path.iterdir()
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(collect, cwd=folder, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    missing = [
        name
        for name in ("Makefile", "plugin", "action.yml", "devcontainer", "mkdocs.yml")
        if not (folder / name).exists()
    ]
    assert missing == []
