"""one_package_manager: the project's lock file decides, the whole input is kept, and a mention is not touched."""

import pytest

from hookwright.testing.builders import bash


@pytest.fixture
def web(asked):
    asked.write("web/pnpm-lock.yaml")
    asked.write("uv.lock")
    asked.write(".git/HEAD")
    asked.write("web/src/x.ts")
    return asked


def test_a_project_without_such_a_lock_file_is_left_alone(asked):
    assert asked(bash("npm install left-pad", cwd=str(asked.project))) is None


@pytest.mark.parametrize(
    ("command", "becomes"),
    [
        ("cd web && npm ci", "cd web && pnpm install --frozen-lockfile"),
        ("cd web && npm install", "cd web && pnpm install"),
        ("cd web/src && npm i -D left-pad", "cd web/src && pnpm add -D left-pad"),
        ("cd web && npm run build -- --watch", "cd web && pnpm run build -- --watch"),
        ("cd web && timeout 60 npm test", "cd web && timeout 60 pnpm test"),
        ("pip install -r requirements.txt", "uv pip install -r requirements.txt"),
        ("python -m pip install x", "uv pip install x"),
        ("npm install", None),
        ("cd web && npm install -g x", None),
        ("cd web && npm view left-pad", None),
        ("cd web && echo npm ci", None),
        ("echo 'pip install x'", None),
        ("pip --version", None),
    ],
)
def test_the_call_changes_and_the_rest_of_the_command_stays(web, command, becomes):
    decision = web(bash(command, cwd=str(web.project)))
    assert (decision.changes["command"] if decision else None) == becomes


@pytest.mark.parametrize(
    "command",
    ["echo 'pip install x' && pip install x", "pip install 'x>=2'", "git commit -m 'pip list'; pip list"],
)
def test_where_the_text_cannot_be_changed_alone_claude_is_told(web, command):
    decision = web(bash(command, cwd=str(web.project)))
    assert decision.permission == "deny"
    assert "uv pip" in decision.reason


def test_claude_is_told_what_ran(web):
    decision = web(bash("pip install x", cwd=str(web.project)))
    assert decision.permission is None  # permission stays with the user's own rules
    assert "`uv pip install x`" in decision.context
