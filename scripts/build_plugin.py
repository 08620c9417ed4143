"""Builds the plugin that works alone: plugin/ with the package and the libraries of its commands in lib/.

    python scripts/build_plugin.py [FOLDER]        make plugin; the default is dist/plugin

Everything is Python source that is there already: this repository's, and the libraries of the environment that runs
this script (pinned in requirements/run.txt), without their compiled parts. The hooks need none of the libraries.
"""

from __future__ import annotations

import importlib.metadata
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = ("click", "rich", "PyYAML")  # rich's own requirements are for parts that hookwright does not use
KEPT = (".py", ".typed")


def build(folder: Path) -> None:
    """Build into a new folder, then put it in place of the old one."""
    new = folder.with_name(folder.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    shutil.copytree(ROOT / "plugin", new, ignore=shutil.ignore_patterns("lib"))
    unwanted = shutil.ignore_patterns("__pycache__", "*.pyc")
    shutil.copytree(ROOT / "src/hookwright", new / "lib/hookwright", ignore=unwanted)
    shutil.copy(ROOT / "LICENSE", new / "LICENSE")
    lines = ["What hookwright's commands use, with the licence of each beside it. The hooks use nothing of it.", ""]
    lines += [copy_library(name, new / "lib") for name in LIBRARIES]
    (new / "lib/README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)


def copy_library(name: str, target: Path) -> str:
    """Copy the Python files and the licence; returns a line that names them."""
    library = importlib.metadata.distribution(name)
    for file in library.files or ():
        is_licence = ".dist-info" in file.parts[0] and "licen" in file.name.lower()
        if is_licence or (file.suffix in KEPT and file.parts[0] != "_yaml" and ".." not in file.parts):
            place = target / (Path("licences") / f"{name}.txt" if is_licence else file)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(file.locate()), place)
    licence = library.metadata["License-Expression"] or library.metadata["License"]
    return f"- {name} {library.version}, {licence}"


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist/plugin").absolute()
    folder.parent.mkdir(parents=True, exist_ok=True)
    build(folder)
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    print(f"{folder}: {len(files)} files, {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
