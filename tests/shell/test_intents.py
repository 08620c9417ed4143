"""What a command is run for, by its programs and verbs."""

import pytest

from hookwright.shell.command_key import key_of
from hookwright.shell.intents import intent_of


@pytest.mark.parametrize(
    ("command", "intent"),
    [
        *[("npm run dev", "server"), ("uvicorn app:app", "server"), ("python manage.py runserver", "server")],
        *[("pytest -q", "test"), ("npm test", "test"), ("cargo test", "test"), ("npm run test:unit", "test")],
        *[("make", "build"), ("npm run build", "build"), ("docker build .", "build"), ("tsc --noEmit", "build")],
        *[
            ("npm install", "install"),
            ("pip install x", "install"),
            ("apt-get update", "install"),
            ("uv sync", "install"),
        ],
        *[("git push", "git"), ("git add .", "git"), ("gh pr list", "git")],
        *[("grep -rn x src", "search"), ("find . -name x", "search"), ("rg x | head", "search"), ("ls -la", "search")],
        *[("python train.py", "other"), ("echo hi", "other"), ("npm ci && npm test", "test"), ("", "other")],
    ],
)
def test_the_intent_is_the_weightiest_of_its_calls(command, intent):
    assert key_of(command).intent == intent


@pytest.mark.parametrize(
    ("head", "intent"),
    [("ssh: make", "build"), ("docker compose up", "server"), ("git install", "git"), ("cp install", "other")],
)
def test_a_verb_counts_for_the_programs_that_have_it(head, intent):
    assert intent_of(head) == intent
