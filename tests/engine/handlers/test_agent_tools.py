"""The tools of an agent: what they read of the project, and that they read nothing else."""

import os

import pytest

from hookwright.engine.handlers import agent_tools
from hookwright.engine.handlers.agent_tools import answer_job


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    (root / "src" / "deep").mkdir(parents=True)
    (root / "a.txt").write_text("one\ntwo\nthree\n")
    (root / "src" / "m.py").write_text("import os\nSECRET = 1\n")
    (root / "src" / "deep" / "n.ts").write_text("secret()\n")
    (root / "binary").write_bytes(b"SECRET\0")
    (root / "node_modules").mkdir()
    (root / "node_modules" / "x.py").write_text("SECRET\n")
    (tmp_path / "outside.txt").write_text("SECRET outside\n")
    (tmp_path / "project-two").mkdir()
    (tmp_path / "project-two" / "b.txt").write_text("SECRET\n")
    (root / "link.txt").symlink_to(tmp_path / "outside.txt")
    (root / "folder").symlink_to(tmp_path / "project-two")
    (root / "good.txt").symlink_to(root / "a.txt")
    os.mkfifo(root / "pipe")
    return root


def look(project, tool, also=(), **wanted):
    return answer_job({"tool": tool, "input": wanted, "root": str(project), "also": list(also)})


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"file_path": "a.txt"}, "1\tone\n2\ttwo\n3\tthree"),
        ({"file_path": "./src/../a.txt", "offset": 3}, "3\tthree"),
        ({"file_path": "a.txt", "offset": 1, "limit": 1}, "1\tone\n… more follows; continue with offset 2"),
        ({"file_path": "good.txt"}, "1\tone\n2\ttwo\n3\tthree"),
        ({"file_path": "a.txt", "offset": 99}, "(empty)"),
    ],
)
def test_files_of_the_project_are_read(project, wanted, told):
    assert look(project, "Read", **wanted) == (told, False)


@pytest.mark.parametrize(
    "path",
    [
        "../outside.txt",
        "/etc/passwd",
        "link.txt",
        "folder/b.txt",
        "../project-two/b.txt",
        "src/../../outside.txt",
        "\0",
    ],
)
@pytest.mark.parametrize("tool", ["Read", "Grep", "Glob"])
def test_paths_outside_of_the_project_are_refused(project, tool, path):
    wanted = {"Read": {"file_path": path}, "Grep": {"pattern": "SECRET|root", "path": path}}
    told, failed = look(project, tool, **wanted.get(tool, {"pattern": "*", "path": path}))
    assert failed
    assert "SECRET" not in told.replace(path, "")
    assert "outside of the project" in told or "not a valid path" in told


@pytest.mark.parametrize("path", ["pipe", "src", "binary", "absent", ""])
def test_what_is_no_text_file_is_refused_at_once(project, path):
    assert look(project, "Read", file_path=path)[1]


def test_a_named_file_beside_the_project_may_be_read(project):
    outside = str(project.parent / "outside.txt")
    assert look(project, "Read", also=[outside], file_path=outside) == ("1\tSECRET outside", False)


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"pattern": "SECRET"}, "src/m.py:2:SECRET = 1"),
        ({"pattern": "secret", "ignore_case": True, "glob": "*.ts"}, "src/deep/n.ts:1:secret()"),
        ({"pattern": r"^t\w+e", "path": "a.txt"}, "a.txt:3:three"),
        ({"pattern": "nowhere to be found"}, "no matches"),
    ],
)
def test_grep_finds_lines_of_the_project_alone(project, wanted, told):
    assert look(project, "Grep", **wanted) == (told, False)


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("**/*.py", "src/m.py"),
        ("src/**/*.{py,ts}", "src/m.py\nsrc/deep/n.ts"),
        ("*.txt", "a.txt\ngood.txt"),
        ("?.txt", "a.txt"),
        ("[!a]*.txt", "good.txt"),
        ("../*", "no files"),
        ("**/nothing", "no files"),
    ],
)
def test_glob_lists_files_of_the_project_alone(project, pattern, told):
    assert look(project, "Glob", pattern=pattern) == (told, False)


@pytest.mark.parametrize(
    ("tool", "wanted"),
    [
        ("Bash", {"command": "ls"}),
        ("Read", {}),
        ("Read", {"file_path": 5}),
        ("Read", {"file_path": "a.txt", "offset": "x"}),
        ("Grep", {"pattern": "("}),
        ("Glob", {"pattern": "*", "more": 1}),
    ],
)
def test_a_wrong_call_is_told_so(project, tool, wanted):
    told, failed = look(project, tool, **wanted)
    assert failed
    assert told


def test_sizes_are_bounded(project, monkeypatch):
    (project / "long.txt").write_text("x" * 5000 + "\n" + "y\n" * 5000)
    told, _ = look(project, "Read", file_path="long.txt")
    assert len(told.splitlines()) == agent_tools.MAX_LINES + 1
    assert len(told.splitlines()[0]) < agent_tools.MAX_LINE_LENGTH + 10
    found, _ = look(project, "Grep", pattern="y", path="long.txt")
    assert len(found.splitlines()) == agent_tools.MAX_MATCHES + 1
    monkeypatch.setattr(agent_tools, "MAX_FILE_BYTES", 1000)
    assert look(project, "Grep", pattern="y", path="long.txt") == ("no matches", False)
