"""The documentation site: built strictly, searchable, a page per rule, and nothing is loaded from elsewhere."""

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from scripts import site

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]


class Page(HTMLParser):
    """What a page links to, what it loads, and its anchors."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors.add(attrs.get("id") or attrs.get("name"))
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        elif tag == "link" and attrs.get("rel") not in ("canonical", "next", "prev"):
            self.loads.append(attrs.get("href"))
        elif attrs.get("src"):
            self.loads.append(attrs["src"])


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "site"
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts/site.py"), str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder, {path.relative_to(folder): Page(path.read_text()) for path in folder.rglob("*.html")}


def test_no_page_loads_anything_from_another_host(built):
    folder, pages = built
    loaded = {load for page in pages.values() for load in page.loads}
    assert [load for load in loaded if urlsplit(load).scheme not in ("", "data") or load.startswith("//")] == []
    styles = "".join(path.read_text() for path in folder.rglob("*.css"))
    assert re.findall(r"(?:url\(|@import\s+)[\"']?(?:https?:)?//[^)]*", styles) == []


def test_no_link_is_dead(built):
    folder, pages = built
    dead = []
    for place, page in pages.items():
        if place.name == "404.html":
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (
                (folder / place.parent / unquote(parts.path)).resolve() if parts.path else (folder / place).resolve()
            )
            target = target / "index.html" if target.is_dir() else target
            known = pages.get(target.relative_to(folder.resolve())) if target.suffix == ".html" else None
            if not target.exists() or (parts.fragment and known and unquote(parts.fragment) not in known.anchors):
                dead.append((str(place), link))
    assert dead == []


def test_every_rule_has_a_page_with_its_examples_and_can_be_searched_for(built):
    folder, _ = built
    pages = {path.stem for path in (folder / "rules").glob("*.html")} - {"index"}
    listed = set(re.findall(r"(?m)^## ([a-z0-9-]+)$", (ROOT / "docs/rules.md").read_text()))
    assert pages == listed
    assert len(listed) > 40
    assert "git push --force" in (folder / "rules/git-force-push.html").read_text()
    found = json.loads((folder / "search/search_index.json").read_text())["docs"]
    assert {row["location"].partition("#")[0] for row in found} >= {f"rules/{rule}.html" for rule in listed}


@pytest.mark.parametrize(
    ("link", "place", "becomes"),
    [
        ("rules.md#git-clean", "allow.md", "rules/git-clean.md"),
        ("../examples/README.md", "migrate.md", "examples.md"),
        ("../src/hookwright/dispatch.py", "run.md", f"{site.FILES}src/hookwright/dispatch.py"),
        ("../examples", "run.md", f"{site.FOLDERS}examples"),
        ("verify.md#x", "run.md", "verify.md#x"),
        (f"{site.FILES}docs/hooks/format.md", "index.md", "hooks/format.md"),
        ("https://example.org/x.md", "run.md", "https://example.org/x.md"),
        ("#here", "run.md", "#here"),
    ],
)
def test_a_link_leads_to_the_page_or_to_the_file_in_the_repository(link, place, becomes):
    assert site.resolve(link, "docs", place, site.list_pages()) == becomes


def test_a_dead_link_fails_the_build(tmp_path, monkeypatch):
    monkeypatch.setattr(site, "prepare", lambda folder: None)
    monkeypatch.setattr(site, "build_navigation", lambda folder: ["index.md"])
    monkeypatch.setattr(sys, "argv", ["site.py", str(tmp_path / "out")])
    pages = tmp_path / "out.pages"
    pages.mkdir()
    for name in ("pages", "changelog", "contributing", "security-policy"):
        (pages / f"{name}.md").write_text(f"# {name}\n")
    (pages / "index.md").write_text("# Home\n")
    assert site.main() == 0
    (pages / "index.md").write_text("# Home\n[gone](gone.md)\n")
    assert site.main() == 1
