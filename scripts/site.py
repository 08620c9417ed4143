"""Builds the documentation site from docs/ into dist/site.

    python scripts/site.py [FOLDER]        make site; a dead link or a page that the index does not name is an error

docs/*.md → [prepare] → FOLDER.pages/*.md and a navigation → mkdocs build --strict → dist/site
The pages stay readable where they are. For the site, README.md becomes the home page, every rule gets a page of its
own, and links to files outside of docs/ lead to the page or the file in the repository.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
HOMEPAGE = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Homepage"]
FILES, FOLDERS = f"{HOMEPAGE}/blob/main/", f"{HOMEPAGE}/tree/main/"
RAW = f"{HOMEPAGE.replace('github.com', 'raw.githubusercontent.com')}/main/"
# Files of the repository that are pages of the site → their place there.
ELSEWHERE = {
    "README.md": "index.md",
    "docs/README.md": "pages.md",
    "docs/rules.md": "rules/index.md",
    "examples/README.md": "examples.md",
    "plugin/README.md": "plugin.md",
    "devcontainer/README.md": "devcontainer.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security-policy.md",
    "CHANGELOG.md": "changelog.md",
}
INDEX = ROOT / "docs/README.md"
LINK = re.compile(r"(\]\()([^)\s]+)(\))")


def list_pages() -> dict[str, str]:
    """Every file that becomes a page → its place on the site."""
    docs = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
    return {**{name: name.removeprefix("docs/").replace("README", "index") for name in docs}, **ELSEWHERE}


def prepare(folder: Path) -> None:
    """Write the pages, and the pictures that they show, into this folder."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = list_pages()
    for name, place in pages.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        if name == "docs/rules.md":
            for rule, content in split_rules(text).items():
                page = folder / (f"rules/{rule}.md" if rule else place)
                write_page(page, relink(content, name, f"rules/{rule}.md", pages))
        else:
            write_page(folder / place, relink(text, name, place, pages))
    for path in [*(ROOT / "docs").rglob("*.svg"), *(ROOT / "docs").rglob("*.png")]:
        shutil.copy(path, folder / path.relative_to(ROOT / "docs"))


def write_page(page: Path, text: str) -> None:
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")


def split_rules(text: str) -> dict[str, str]:
    """Rule → its page; "" → the table of all."""
    head, *sections = re.split(r"(?m)^## (?=[a-z0-9-]+$)", text)
    found = {"": re.sub(r"\]\(#([a-z0-9-]+)\)", r"](rules.md#\1)", head)}
    for section in sections:
        rule, _, rest = section.partition("\n")
        found[rule] = f"# {rule}\n{rest}"
    return found


def relink(text: str, name: str, place: str, pages: dict[str, str]) -> str:
    """Links as the page needs them at its place on the site. What stands in code blocks stays."""
    parts = re.split(r"(?s)(```.*?```)", text)
    here = os.path.dirname(name)

    def change(found: re.Match[str]) -> str:
        return found[1] + resolve(found[2], here, place, pages) + found[3]

    return "".join(part if part.startswith("```") else LINK.sub(change, part) for part in parts)


def resolve(link: str, here: str, place: str, pages: dict[str, str]) -> str:
    target, hash_sign, anchor = link.partition("#")
    for prefix in (FILES, FOLDERS, RAW):
        if target.startswith(prefix):
            target, here = target.removeprefix(prefix), ""
            break
    if not target or "://" in target or target.startswith("mailto:"):
        return link
    wanted = os.path.normpath(os.path.join(here, target))
    if wanted == "docs/rules.md" and anchor:
        return os.path.relpath(f"rules/{anchor}.md", os.path.dirname(place) or ".")
    if wanted in pages:
        return os.path.relpath(pages[wanted], os.path.dirname(place) or ".") + hash_sign + anchor
    if wanted.startswith("docs/") and wanted.endswith((".svg", ".png")):
        return os.path.relpath(wanted.removeprefix("docs/"), os.path.dirname(place) or ".")
    return (FOLDERS if (ROOT / wanted).is_dir() else FILES) + wanted + hash_sign + anchor


def build_navigation(folder: Path) -> list[object]:
    """The sections of docs/README.md, each with the pages that it names first."""
    pages = list_pages()
    named: set[str] = set()
    navigation: list[object] = ["index.md"]
    for section in re.split(r"(?m)^## ", INDEX.read_text(encoding="utf-8"))[1:]:
        title, _, rest = section.partition("\n")
        places: list[object] = []
        for _, link, _ in LINK.findall(rest):
            target = os.path.normpath(os.path.join("docs", link.partition("#")[0]))
            if "://" not in link and target in pages and pages[target] not in named:
                named.add(pages[target])
                places += list_children(folder, pages[target]) or [pages[target]]
        if places:
            navigation.append({title: places})
    return navigation


def list_children(folder: Path, place: str) -> list[object]:
    """A page that stands for a folder, with all of the folder."""
    if place == "rules/index.md":
        rules = sorted(path.name for path in (folder / "rules").glob("*.md") if path.name != "index.md")
        return [{"Every rule": [place, *(f"rules/{name}" for name in rules)]}]
    if place == "decisions/index.md":
        names = sorted(path.name for path in (folder / "decisions").glob("0*.md"))
        return [{"Decisions": [place, *(f"decisions/{name}" for name in names)]}]
    return []


def main() -> int:
    target = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist/site").absolute()
    pages = target.with_name(target.name + ".pages")
    prepare(pages)
    config = target.with_name(target.name + ".yml")
    paths = {"docs_dir": str(pages), "site_dir": str(target)}
    navigation = [
        *build_navigation(pages),
        {"Project": ["pages.md", "changelog.md", "contributing.md", "security-policy.md"]},
    ]
    config.write_text(
        yaml.safe_dump({"INHERIT": str(ROOT / "mkdocs.yml"), **paths, "nav": navigation}, allow_unicode=True)
    )
    # Not --quiet: it hides warnings from --strict as well.
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean", "--config-file", str(config)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}  # of mkdocs-material, which advertises its successor
    done = subprocess.run(build, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print("".join(line for line in done.stderr.splitlines(keepends=True) if not line.startswith("INFO")))
        return 1
    print(f"{target}: {sum(1 for _ in target.rglob('*.html'))} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
