"""Private folders: from the environment, of mode 0700, never guessed."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from hookwright.proc import private_dir
from hookwright.store import paths


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"HOME": "/home/ada"}, "/home/ada/.local/state/hookwright"),
        ({"HOME": "/home/ada/"}, "/home/ada/.local/state/hookwright"),
        ({"HOME": "/home/ada", "XDG_STATE_HOME": "/var/ada"}, "/var/ada/hookwright"),
        ({"HOME": "/home/ada", "XDG_STATE_HOME": "relative"}, "/home/ada/.local/state/hookwright"),
        ({"HOME": "/home/ada", "XDG_STATE_HOME": ""}, "/home/ada/.local/state/hookwright"),
        ({"XDG_STATE_HOME": "/x", "HOOKWRIGHT_STATE_HOME": "/own/"}, "/own"),
        ({"HOME": "/home/ada", "HOOKWRIGHT_STATE_HOME": "own"}, "/home/ada/.local/state/hookwright"),
        ({"HOME": "ada"}, None),
        ({"HOME": ""}, None),
        ({}, None),
    ],
)
def test_the_state_folder_comes_from_the_environment_or_is_none(environment, expected):
    assert paths.state_dir(environment.get) == expected


def test_config_and_cache_have_their_own_variables():
    home = {"HOME": "/h"}
    assert paths.config_dir(home.get) == "/h/.config/hookwright"
    assert paths.cache_dir(home.get) == "/h/.cache/hookwright"
    own = {"HOOKWRIGHT_CONFIG_HOME": "/c", "HOOKWRIGHT_CACHE_HOME": "/k"}
    assert (paths.config_dir(own.get), paths.cache_dir(own.get)) == ("/c", "/k")


def test_a_made_folder_and_its_parents_belong_to_the_user_alone(tmp_path):
    target = tmp_path / "a" / "b" / "c"
    assert paths.make_private(str(target))
    for folder in (target, target.parent, target.parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_an_open_folder_is_closed_to_others(tmp_path):
    target = tmp_path / "open"
    target.mkdir(mode=0o755)
    assert paths.make_private(str(target))
    assert stat.S_IMODE(target.stat().st_mode) == 0o700


@pytest.mark.parametrize("kind", ["file", "below a file", "nul byte", "dangling link", "empty"])
def test_what_cannot_be_a_folder_is_refused_without_an_exception(tmp_path, kind):
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    path = {
        "file": str(tmp_path / "file"),
        "below a file": str(tmp_path / "file" / "x"),
        "nul byte": str(tmp_path) + "/\0",
        "dangling link": str(tmp_path / "link"),
        "empty": "",
    }[kind]
    assert not paths.make_private(path)


def test_a_folder_of_somebody_else_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(private_dir.posix, "geteuid", lambda: os.geteuid() + 1)
    assert not paths.make_private(str(tmp_path))


def test_many_may_make_the_same_folder_at_once(tmp_path):
    target = str(tmp_path / "x" / "y" / "z")
    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(paths.make_private, [target] * 64))


def test_a_project_key_is_readable_and_differs_for_projects_of_one_name():
    one, two = paths.project_key("/a/shop"), paths.project_key("/b/shop")
    assert one.startswith("shop-")
    assert one != two
    assert one == paths.project_key("/a/shop/")


@pytest.mark.parametrize("path", ["/", "/a/..", "/ü/ñ", "/a\nb", "/" + "x" * 5000, "/\udcff"])
def test_every_project_key_is_one_short_file_name(path):
    key = paths.project_key(path)
    assert key.isascii()
    assert len(key) < 80
    assert not set(key) & set("/.\n\0")


def test_project_keys_do_not_depend_on_the_interpreter():
    """A stored key must be found again after an upgrade: these are frozen."""
    assert paths.project_key("/home/ada/shop") == "shop-6b1f8b2214c11fd1"


def test_a_plain_session_id_is_its_own_file_name_and_a_hostile_one_is_not():
    assert paths.session_dir("/s", "0b1c-22") == "/s/sessions/0b1c-22"
    assert paths.session_dir("/s", "../../etc").startswith("/s/sessions/______etc-")
    assert paths.file_name("") != ""
