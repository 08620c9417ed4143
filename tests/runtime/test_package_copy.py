"""Which places do not stay, and what a copy holds."""

import pytest

from hookwright.runtime import package_copy

DATA = "/home/ann/.local/share/hookwright"


@pytest.mark.parametrize(
    ("package", "stays"),
    [
        ("/home/ann/.cache/uv/archive-v0/QvYq0/lib/python3.12/site-packages", False),
        ("/home/ann/Library/Caches/uv/archive-v0/QvYq0/lib/python3.12/site-packages", False),
        ("/home/ann/.cache/uv/builds-v0/.tmpx/lib/python3.12/site-packages", False),
        ("/home/ann/.local/share/pipx/.cache/1a2b/lib/python3.12/site-packages", False),
        ("/home/ann/.cache/pipx/1a2b/lib/python3.12/site-packages", False),
        ("/home/ann/.claude/plugins/cache/hookwright/hookwright/0.1.0/lib", False),
        ("/tmp/venv/lib/python3.12/site-packages", False),
        ("/var/folders/ab/T/venv/lib/python3.12/site-packages", False),
        ("/srv/uv-cache/anything/lib/python3.12/site-packages", False),  # UV_CACHE_DIR
        ("/home/ann/.local/share/uv/tools/hookwright/lib/python3.12/site-packages", True),
        ("/home/ann/.local/share/pipx/venvs/hookwright/lib/python3.12/site-packages", True),
        (f"{DATA}/venv/lib/python3.12/site-packages", True),
        ("/usr/lib/python3/dist-packages", True),
        ("/home/ann/hookwright/src", True),
        ("/tmp/hookwright/src", True),  # a checkout
    ],
)
def test_what_is_taken_for_a_place_that_is_cleaned(package, stays, monkeypatch):
    monkeypatch.setenv("UV_CACHE_DIR", "/srv/uv-cache")
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/tmp")
    assert (package_copy.find_ephemeral(package, DATA) == "") is stays


def test_our_own_data_stays_wherever_it_is(monkeypatch):
    assert package_copy.find_ephemeral("/tmp/h/hookwright/venv/lib/python3.12/site-packages", "/tmp/h/hookwright") == ""


def test_a_copy_is_made_once_and_replaces_older_ones(tmp_path):
    package = tmp_path / "site-packages"
    (package / "hookwright/__pycache__").mkdir(parents=True)
    (package / "hookwright/main.py").write_text("1")
    (package / "hookwright/__pycache__/main.pyc").write_text("x")
    (package / "other").mkdir()
    data = str(tmp_path / "data")
    first = package_copy.keep_package(str(package), data)
    assert package_copy.keep_package(str(package), data) == first
    (package / "hookwright/main.py").write_text("2")
    second = package_copy.keep_package(str(package), data)
    assert second != first
    package_copy.remove_other_copies(second)
    found = sorted(str(path.relative_to(data)) for path in (tmp_path / "data").rglob("*") if path.is_file())
    assert found == [f"{second.removeprefix(data + '/')}/hookwright/main.py"]
