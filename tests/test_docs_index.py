"""Whoever looks for a page finds it: the index names every one."""

from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
INDEX = (DOCS / "README.md").read_text()


def test_every_page_is_in_the_index():
    pages = [str(page.relative_to(DOCS)) for page in sorted(DOCS.rglob("*.md"))]
    wanted = [page for page in pages if page != "README.md" and (not page.startswith("decisions/") or "README" in page)]
    assert [page for page in wanted if f"({page})" not in INDEX] == []
