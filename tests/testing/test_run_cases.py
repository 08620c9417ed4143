"""A whole run: what is gathered, and what cannot be played."""

import os

from hookwright.testing.run_cases import CaseSuite


def test_a_hook_without_examples_that_cannot_be_loaded_is_a_problem(tmp_path, monkeypatch):
    folder = tmp_path / "hookwright" / "hooks"
    folder.mkdir(parents=True)
    (folder / "broken.py").write_text("import no_such_library\n")
    (folder / "quiet.py").write_text("from hookwright import Stop, hook\n@hook(Stop)\ndef quiet(event): return None\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    run = CaseSuite(())
    assert list(run.run_all()) == []
    assert [problem.where for problem in run.problems] == [f"{folder}/broken.py:1"]
    assert "no_such_library" in run.problems[0].what
    assert run.found.untested == [str(folder / "quiet.py")]


def test_a_pipe_is_passed_over(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    os.mkfifo(tmp_path / "pipe.case")
    run = CaseSuite((str(tmp_path),))
    assert (list(run.run_all()), run.problems) == ([], [])
