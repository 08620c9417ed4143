"""Trust is for exactly these bytes in exactly these files."""

import json

import pytest

from hookwright.config import trust as projects


@pytest.fixture
def project(tmp_path):
    class Here:
        file = tmp_path / ".hookwright.toml"
        folder = tmp_path / ".hookwright/hooks"
        record = tmp_path / "trust.json"

        def look(self):
            return projects.read_project(str(self.file), str(self.folder))

        def trust(self):
            self.record.write_text(json.dumps({"files": self.look().hashes}))

        @property
        def trusted(self):
            return projects.is_trusted(self.look(), str(self.record))

    Here.folder.mkdir(parents=True)
    return Here()


def test_a_project_without_hook_files_is_not_trusted(project):
    project.trust()
    assert not project.trusted


def test_a_file_is_trusted_as_it_is(project):
    project.file.write_text("[auto_background]\npatience = 1\n")
    assert not project.trusted
    project.trust()
    assert project.trusted
    project.file.write_text("[auto_background]\npatience = 2\n")
    assert not project.trusted


def test_python_belongs_to_it_and_other_files_do_not(project):
    (project.folder / "a.py").write_text("x = 1")
    project.trust()
    (project.folder / "notes.txt").write_text("hello")
    (project.folder / "__pycache__").mkdir()
    assert project.trusted
    (project.folder / "_b.py").write_text("")
    assert not project.trusted


@pytest.mark.parametrize("record", ["", "nonsense", "[]", '{"files": 5}', '{"files": {}}'])
def test_a_record_that_is_not_sound_trusts_nothing(project, record):
    project.file.write_text("")
    project.record.write_text(record)
    assert not project.trusted


def test_a_link_is_named_and_never_trusted(project, tmp_path):
    (tmp_path / "x.py").write_text("x = 1")
    (project.folder / "x.py").symlink_to(tmp_path / "x.py")
    project.trust()
    assert (project.look().links, project.trusted) == ([str(project.folder / "x.py")], False)
