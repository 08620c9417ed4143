"""A repository is one place: its subfolders and worktrees belong to it, and nothing else does."""

import os
import subprocess

import pytest

from hookwright.git.directory import find_repository, find_worktree_root, git_dir, read_stamp
from hookwright.proc.resolve_path import resolve_path


def git(*words, cwd):
    env = {"PATH": os.environ["PATH"], "HOME": str(cwd), "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *identity, *words], cwd=cwd, env=env, check=True, capture_output=True)


@pytest.fixture
def shop(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    git("init", "-q", cwd=folder)
    git("commit", "-q", "--allow-empty", "-m", "first", cwd=folder)
    (folder / "src" / "deep").mkdir(parents=True)
    return folder


def test_subfolders_and_worktrees_belong_to_the_repository(shop, tmp_path):
    git("worktree", "add", "-q", str(tmp_path / "elsewhere" / "tree"), cwd=shop)
    tree = tmp_path / "elsewhere" / "tree"
    (tree / "sub").mkdir()
    assert {find_repository(str(f)) for f in (shop, shop / "src" / "deep", tree, tree / "sub")} == {f"{shop}/.git"}


def test_a_relative_worktree_belongs_to_it_too(shop, tmp_path):
    git("worktree", "add", "-q", str(tmp_path / "tree"), cwd=shop)
    (tmp_path / "tree" / ".git").write_text("gitdir: ../shop/.git/worktrees/tree\n")
    (shop / ".git" / "worktrees" / "tree" / "gitdir").write_text("../../../../tree/.git\n")
    assert find_repository(str(tmp_path / "tree")) == f"{shop}/.git"


def test_worktrees_of_a_bare_repository_belong_together(shop, tmp_path):
    git("clone", "-q", "--bare", str(shop), str(tmp_path / "bare.git"), cwd=tmp_path)
    for name in ("one", "two"):
        git("worktree", "add", "-q", "-b", name, str(tmp_path / name), cwd=tmp_path / "bare.git")
    assert {find_repository(str(tmp_path / name)) for name in ("one", "two")} == {str(tmp_path / "bare.git")}


def test_a_clone_and_a_submodule_are_places_of_their_own(shop, tmp_path):
    git("clone", "-q", str(shop), str(tmp_path / "clone"), cwd=tmp_path)
    git("submodule", "add", "-q", str(shop), "inner", cwd=tmp_path / "clone")
    places = {find_repository(str(f)) for f in (shop, tmp_path / "clone", tmp_path / "clone" / "inner")}
    assert len(places) == 3
    assert "" not in places


def test_a_file_that_points_at_a_repository_does_not_belong_to_it(shop, tmp_path):
    git("worktree", "add", "-q", str(tmp_path / "tree"), cwd=shop)
    forged = tmp_path / "forged"
    forged.mkdir()
    (forged / ".git").write_text((tmp_path / "tree" / ".git").read_text())
    assert find_repository(str(forged)) != find_repository(str(shop))


def test_outside_of_a_repository_there_is_none(tmp_path):
    assert find_repository(str(tmp_path)) == ""
    assert find_repository("relative") == ""
    assert find_repository("") == ""


@pytest.mark.parametrize("content", ["", "nonsense", "gitdir:", "gitdir: nowhere", "gitdir: \udcff"])
def test_a_strange_git_file_is_no_repository_of_others(tmp_path, content):
    (tmp_path / ".git").write_text(content, encoding="utf-8", errors="surrogateescape")
    assert find_repository(str(tmp_path)) in ("", str(tmp_path), f"{tmp_path}/nowhere", f"{tmp_path}/\udcff")


def test_links_lead_to_one_place(shop, tmp_path):
    (tmp_path / "link").symlink_to("shop/src")
    (tmp_path / "again").symlink_to(tmp_path / "link")
    assert find_repository(str(tmp_path / "again" / "deep")) == f"{shop}/.git"


@pytest.mark.parametrize("path", ["/", "/usr/../usr/./lib", "/nowhere/at/all", "/..", "//usr//lib/"])
def test_a_real_path_is_what_the_library_says(path):
    assert resolve_path(path) == os.path.realpath(path)


def test_a_circle_of_links_ends(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert resolve_path(str(tmp_path / "a")).startswith(str(tmp_path))


@pytest.mark.parametrize("name", [".git", "HEAD", "commondir"])
def test_a_fifo_among_gits_files_holds_nobody_up(tmp_path, name):
    if name == ".git":
        os.mkfifo(tmp_path / ".git")
    else:
        (tmp_path / ".git").mkdir()
        os.mkfifo(tmp_path / ".git" / name)
    assert find_worktree_root(f"{tmp_path}/deep/er") == str(tmp_path)
    assert find_repository(str(tmp_path)) == ("" if name == ".git" else f"{tmp_path}/.git")
    assert git_dir(str(tmp_path)) == f"{tmp_path}/.git"
    assert len(read_stamp(str(tmp_path))) == 10


def test_the_stamp_moves_with_every_change_of_gits_state(shop):
    stamps = [read_stamp(str(shop))]
    (shop / "new").write_text("x")
    assert read_stamp(str(shop)) == stamps[0]  # nothing that git knows of
    for words in (["add", "new"], ["commit", "-q", "-m", "second"], ["checkout", "-q", "-b", "other"], ["stash"]):
        (shop / "new").write_text(" ".join(words))
        git(*words, cwd=shop)
        stamps.append(read_stamp(str(shop)))
    assert len(set(stamps)) == len(stamps)


def test_a_worktree_has_a_directory_of_its_own_and_moves_alone(shop, tmp_path):
    tree = tmp_path / "tree"
    git("worktree", "add", "-q", str(tree), cwd=shop)
    assert git_dir(str(tree)) == f"{shop}/.git/worktrees/tree"
    before = read_stamp(str(shop)), read_stamp(str(tree))
    (tree / "new").write_text("x")
    git("add", "new", cwd=tree)
    assert (read_stamp(str(shop)) == before[0], read_stamp(str(tree)) == before[1]) == (True, False)
