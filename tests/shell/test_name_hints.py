"""Names that people give to tasks and scripts."""

import pytest

from hookwright.shell.programs.name_hints import classify_script_name, classify_task_name, split_name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("test:e2e", ["test", "e2e"]),
        ("run_all-tests", ["run", "all", "tests"]),
        ("startDevServer", ["start", "dev", "server"]),
        ("HTTPServer", ["httpserver"]),
        ("db.migrate/up", ["db", "migrate", "up"]),
        ("", []),
        ("--", []),
    ],
)
def test_a_name_is_its_words(name, words):
    assert split_name(name) == words


@pytest.mark.parametrize(
    ("name", "npm", "make"),
    [
        ("build", "force", "suggest"),
        ("test", "force", "suggest"),
        ("test:e2e", "force", "force"),
        ("test:watch", "force", "force"),
        ("dev", "force", "force"),
        ("start:db", "suggest", "suggest"),
        ("dev:setup", "suggest", "suggest"),
        ("stop-server", None, None),
        ("server:status", None, None),
        ("lint:fix", "suggest", "suggest"),
        ("lint:css", None, None),
        ("typecheck", "suggest", "suggest"),
        ("type-check", "suggest", "suggest"),
        ("ios", "force", None),
        ("train", "force", "force"),
        ("deploy", "suggest", "suggest"),
        ("hello-world", None, None),
        ("", None, None),
    ],
)
def test_a_task_is_what_its_name_says(name, npm, make):
    verdicts = [row and row[0] for row in (classify_task_name(name, tier="force"), classify_task_name(name))]
    assert verdicts == [npm, make]


@pytest.mark.parametrize(
    ("path", "language", "verdict"),
    [
        ("train.py", "python", "force"),
        ("scripts/train_test_split.py", "python", "suggest"),
        ("eval.py", "python", "force"),
        ("eval.sh", "", "suggest"),
        ("dist/server/index.js", "node", "force"),
        ("benchmark/run.py", "python", "suggest"),
        ("test_cart.py", "python", "none"),
        ("run_tests.sh", "", "suggest"),
        ("scripts/print_server.py", "python", None),
        ("scripts/restart-server.sh", "", None),
        ("hello.py", "python", None),
        (".sh", "", None),
    ],
)
def test_a_script_is_what_its_name_says(path, language, verdict):
    row = classify_script_name(path, language=language)
    assert (row and row[0]) == verdict
