"""The GitHub Action: its steps are executed here as a runner would, on repositories with a base and a head."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
SCRIPT = 'sh "$CLAUDE_PROJECT_DIR"/stop.sh'
INSTALL, CHECK = ACTION["runs"]["steps"]


def settings(*commands):
    handlers = [{"type": "command", "command": command} for command in commands]
    return json.dumps({"hooks": {"Stop": [{"hooks": handlers}]}} if handlers else {})


class Repository:
    def __init__(self, folder):
        self.folder = folder / "checkout"
        self.folder.mkdir()
        self.runner = folder / "runner"
        (self.runner / "hookwright/bin").mkdir(parents=True)
        (self.runner / "hookwright/bin/python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        (self.runner / "hookwright/bin/python").chmod(0o755)
        self.git("init", "-q")

    def git(self, *words):
        identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
        done = subprocess.run(["git", *identity, *words], cwd=self.folder, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def commit(self, **files):
        for name, text in files.items():
            path = self.folder / {"settings": ".claude/settings.json", "script": "stop.sh"}.get(name, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-qm", "one", "--allow-empty")
        return self.git("rev-parse", "HEAD")

    def run(self, **inputs):
        """Execute the step that checks, with these inputs and the defaults of the others."""
        given = {name: "" if "${{" in row["default"] else row["default"] for name, row in ACTION["inputs"].items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        chosen = {
            name: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda found: given[found[1]], value)
            for name, value in CHECK["env"].items()
        }
        files = {name: str(self.runner / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        env = {"PATH": os.environ["PATH"], "HOME": str(self.runner), "RUNNER_TEMP": str(self.runner)}
        env |= {"GITHUB_ACTION_PATH": str(ROOT), **files, **chosen}
        return subprocess.run(
            ["bash", "-e", "-c", CHECK["run"]], env=env, cwd=self.folder, capture_output=True, text=True, check=False
        )

    @property
    def outputs(self):
        return dict(line.split("=", 1) for line in (self.runner / "GITHUB_OUTPUT").read_text().splitlines())

    @property
    def summary(self):
        return (self.runner / "GITHUB_STEP_SUMMARY").read_text()


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path)


def test_a_sound_repository_passes_and_nothing_is_compared_without_a_base(repository):
    repository.commit(settings=settings("true"))
    done = repository.run()
    assert (done.returncode, done.stdout.partition(",")[0]) == (0, "1 hook"), done
    assert repository.outputs["changed"] == "false"
    assert "no hook differs" not in repository.summary


def test_a_problem_is_an_error_at_its_line(repository):
    repository.commit(settings='{\n "hooks": {"Stop": [{"hooks": [\n  {"type": "command", "command": "./gone.sh"}]}]}}')
    done = repository.run()
    assert done.returncode == 1
    assert "::error file=.claude/settings.json,line=3::" in done.stdout
    assert "`.claude/settings.json:3`" in repository.summary


def test_a_wrong_option_of_ours_is_found_and_what_only_needs_trust_is_not(repository):
    repository.commit(**{".hookwright.toml": '[command_guard]\nmode = "off"\n'})
    assert repository.run().returncode == 0
    repository.commit(**{".hookwright.toml": "[command_guard]\nno_such_option = 1\n"})
    done = repository.run()
    assert done.returncode == 1
    assert "::error file=.hookwright.toml,line=2::" in done.stdout


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"settings": settings("true")}, {"settings": settings("true", "date")}, "new: Stop runs date"),
        ({"settings": settings("true", "date")}, {"settings": settings("true")}, "gone: Stop runs date"),
        ({"settings": settings(SCRIPT), "script": "a"}, {"script": "b"}, "script changed: Stop runs sh"),
        ({"settings": settings("true")}, {"README": "text"}, ""),
    ],
    ids=["added", "removed", "script", "nothing"],
)
def test_what_a_pull_request_does_to_the_hooks_is_named(repository, before, after, said):
    base = repository.commit(**before)
    former = repository.run() and repository.outputs["fingerprint"]
    repository.commit(**after)
    done = repository.run(base=base)
    assert (done.returncode, "::warning::" in done.stdout) == (0, bool(said)), done
    assert (said or "no hook differs from the base") in repository.summary
    assert repository.outputs["changed"] == str(bool(said)).lower()
    assert (repository.outputs["fingerprint"] != former) is bool(said)
    assert repository.run(base=base, fail_on_change="true").returncode == bool(said)
    assert repository.git("worktree", "list").count("\n") == 0  # nothing is left behind


def test_a_base_that_was_not_fetched_is_a_notice(repository):
    repository.commit(settings=settings("true"))
    done = repository.run(base="0" * 40)
    assert (done.returncode, "::notice::commit 000000000000 is not here" in done.stdout) == (0, True)


def test_no_hook_of_the_repository_is_started_and_its_words_stay_words(repository):
    evil = "touch ran; echo '![x](http://x)`|\n::error::no'"
    base = repository.commit(settings=settings(evil))
    repository.commit(settings=settings(evil, evil + " again"))
    done = repository.run(base=base)
    assert not (repository.folder / "ran").exists()
    assert [line for line in done.stdout.splitlines() if line.startswith("::error::")] == []
    assert all(
        line.startswith(("#", "- `", "Fingerprint", "|")) or not line for line in repository.summary.splitlines()
    )


def test_the_installing_step_installs_the_very_version_of_the_action():
    assert INSTALL["run"].count('"$GITHUB_ACTION_PATH"') == 1
    assert all(step["shell"] == "bash" for step in (INSTALL, CHECK))
