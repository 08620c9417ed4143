"""No file of a repository changes the answer to `rm -rf /`, locks the user out, or takes more than its share."""

import pytest

from hookwright.testing.builders import bash
from tests.security.hostile_clones import CLONES, MARK
from tests.security.measured import run_measured

pytestmark = pytest.mark.slow

MOST_CPU_S = 2.0
MOST_MB = 200
USER_CONFIG = '[command_guard]\nscripts = true\n[[command_guard.rules]]\nprogram = "deploy"\nverdict = "deny"\n'


def test_there_are_enough_of_them():
    assert len(CLONES) >= 60


@pytest.mark.parametrize("name", CLONES)
def test_a_hostile_clone_changes_nothing(hook_process, tmp_path, name):
    repository = tmp_path / "clone"
    repository.mkdir()
    commands = list(CLONES[name](repository) or ())
    hook_process.config.write_text(USER_CONFIG)
    env = {**hook_process.env, "CLAUDE_PROJECT_DIR": str(repository)}

    def ask(command, *words):
        event = bash(command, cwd=str(repository)).raw
        found = run_measured([*hook_process.argv, *words], event, env=env, cwd=str(repository))
        used.append((found.cpu_s, found.peak_mb, command))
        assert found.exit_code == 0, found
        assert "stood aside" not in found.message, found
        return found

    used = []
    for words in ((), ("fail-closed",)):
        assert ask("rm -rf /", *words).permission == "deny"
        assert ask("deploy now", *words).permission == "deny"  # the user's own rule
        harmless = ask("git status", *words)
        assert harmless.permission in ((None, "ask") if name in ASKS else (None,)), harmless
    for command in commands:
        assert ask(f"{command} && rm -rf /").permission == "deny"
        assert ask(command).permission != "deny" or name in DENIES
    largest = max(used, key=lambda one: one[1])
    print(f"at most {max(used)[0]:.2f} s of CPU and {largest[1]:.0f} MB")
    assert max(used)[0] <= MOST_CPU_S, max(used)
    assert largest[1] <= MOST_MB, largest
    assert not list(repository.rglob(MARK)), "code of the repository was run"


# A project may add rules that ask.
ASKS = {"configuration: a rule for everything", "configuration: 1,500 rules", "configuration: 8,000 protected paths"}
DENIES = {"configuration: protected paths with sixty **/"}
