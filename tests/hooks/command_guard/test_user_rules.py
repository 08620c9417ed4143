"""Patterns, and what a configuration may say about the guard."""

from pathlib import Path

import pytest

from hookwright.config import compiler
from hookwright.hooks.command_guard.user_rules import path_matches

FOLDERS = ("/home/ann/shop",)


@pytest.mark.parametrize(
    ("pattern", "path", "met"),
    [
        ("*.tfvars", "/home/ann/shop/infra/prod.tfvars", True),
        ("*.tfvars", "/home/ann/shop/infra/prod.tf", False),
        ("secrets", "/home/ann/shop/config/secrets/x.yml", True),
        ("infra/prod", "/home/ann/shop/infra/prod/main.tf", True),
        ("infra/prod", "/home/ann/shop/infra/production", False),
        ("./infra/prod/", "/home/ann/shop/infra/prod", True),
        ("infra/**/keys", "/home/ann/shop/infra/a/b/keys/x", True),
        ("infra/*/keys", "/home/ann/shop/infra/a/b/keys", False),
        ("infra/prod", "infra/prod/x", True),
        ("~/notes", "/home/ann/notes/a.md", True),
        ("~/notes", "~/notes/a.md", True),
        ("/srv/data", "/srv/data/x", True),
        ("/srv/data", "/srv/database", False),
        ("/**/x", "/a/b/x", True),
        ("a*b*c", "/x/aXbYc", True),
        ("a*b*c", "/x/aXc", False),
        ("ab*ba", "/x/aba", False),
    ],
)
def test_patterns_meet_folders_names_and_everything_below(pattern, path, met):
    assert path_matches(path, pattern, FOLDERS, "/home/ann") == met


@pytest.fixture
def files(tmp_path):
    class Files:
        user = tmp_path / "config.toml"
        project = tmp_path / ".hookwright.toml"

        def resolved(self, *, trusted=False):
            return compiler.resolve_options(str(self.user), str(self.project), trusted=trusted)

        def value(self, option, *, trusted=False):
            return self.resolved(trusted=trusted).values["command_guard"][option].value

    return Files()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            '[command_guard]\noff = ["git-force-pus"]\n',
            "command_guard.off names no rule 'git-force-pus'; did you mean git-force-push?",
        ),
        ('[command_guard]\nsecrets = "maybe"\n', "command_guard.secrets must be off, ask or deny, got 'maybe'"),
        ("[[command_guard.rules]]\nflags = ['-x']\n", "command_guard.rules number 1 needs program"),
        ("[[command_guard.rules]]\nprogram = '*'\n", "command_guard.rules number 1 would match every command"),
        (
            "[[command_guard.rules]]\nprogram = 'x'\nverdict = 'allow'\n",
            "command_guard.rules number 1: verdict must be ask or deny",
        ),
        ("[[command_guard.rules]]\nprogram = 'x'\nflag = '-x'\n", "command_guard.rules number 1 has no key flag"),
        ("[[command_guard.exceptions]]\nreason = 'x'\n", "command_guard.exceptions number 1 would except everything"),
        ("[[command_guard.exceptions]]\nrule = 'no-such'\n", "command_guard.exceptions names no rule 'no-such'"),
        (
            "[[command_guard.exceptions]]\ncommand = 'x'\nuntil = 'soon'\n",
            "command_guard.exceptions number 1: until must be a day such as 2030-12-31, got 'soon'",
        ),
    ],
)
def test_a_wrong_value_is_named_with_what_was_meant(files, text, what):
    files.user.write_text(text)
    [problem] = files.resolved().problems
    assert problem.what.startswith(what)
    assert problem.where.startswith(str(files.user))


def test_a_whole_section_is_read(files):
    files.user.write_text("""
[command_guard]
off = ["publish"]
deny_paths = ["infra/prod/**"]
outside = "off"

[[command_guard.rules]]
program = ["ship", "sail"]
flags = ["--live"]
verdict = "deny"
reason = "not on Fridays"

[[command_guard.exceptions]]
rule = "git-force-push"
command = "git push --force origin gh-pages"
until = 2030-12-31
""")
    assert files.resolved().problems == []
    assert files.value("rules")[0]["program"] == ("ship", "sail")
    assert files.value("exceptions")[0]["until"] == "2030-12-31"


def test_an_untrusted_project_adds_and_never_takes_away(files):
    files.user.write_text("""
[command_guard]
secrets = "ask"
deny_paths = ["a"]
branches = ["next"]

[[command_guard.rules]]
program = "x"
flags = ["-x"]
""")
    files.project.write_text("""
[command_guard]
secrets = "deny"
outside = "off"
off = ["publish"]
ask = ["git-force-push"]
deny = ["git-reset-hard"]
deny_paths = ["b"]
branches = ["v2"]
free_paths = ["/"]

[[command_guard.rules]]
program = "y"
flags = ["-y"]

[[command_guard.exceptions]]
rule = "git-force-push"
""")
    assert files.value("secrets") == "deny"
    assert files.value("outside") == "ask"
    assert (files.value("off"), files.value("ask"), files.value("free_paths"), files.value("exceptions")) == (
        (),
        (),
        (),
        (),
    )
    assert files.value("deny") == ("git-reset-hard",)
    assert (files.value("deny_paths"), files.value("branches")) == (("a", "b"), ("next", "v2"))
    assert [rule["program"] for rule in files.value("rules")] == ["x", "y"]
    passed_over = {problem.what.split(" ")[0] for problem in files.resolved().problems}
    assert passed_over == {
        "command_guard.outside",
        "command_guard.off",
        "command_guard.ask",
        "command_guard.free_paths",
        "command_guard.exceptions",
    }


def test_a_trusted_project_may_loosen(files):
    files.user.write_text('[command_guard]\noff = ["publish"]\n')
    files.project.write_text('[command_guard]\noff = ["deploy"]\noutside = "off"\n')
    assert files.value("off", trusted=True) == ("publish", "deploy")
    assert files.value("outside", trusted=True) == "off"


def test_the_page_shows_a_configuration_that_is_accepted(files):
    page = (Path(__file__).parents[3] / "docs/hooks/command_guard.md").read_text(encoding="utf-8")
    [block] = [part.partition("```")[0] for part in page.split("```toml\n")[1:]]
    files.user.write_text(block)
    assert files.resolved().problems == []
    assert files.value("exceptions")[0]["command"] == "git push --force origin gh-pages"


@pytest.mark.parametrize(
    ("option", "of_user", "of_project"),
    [
        ("off", "publish", "deploy"),
        ("ask", "publish", "deploy"),
        ("deny", "publish", "deploy"),
        ("branches", "next", "v2"),
        ("deny_paths", "a", "b"),
        ("ask_paths", "a", "b"),
        ("free_paths", "/a", "/b"),
    ],
)
def test_the_lists_of_the_user_and_of_a_trusted_project_are_added_up(files, option, of_user, of_project):
    files.user.write_text(f"[command_guard]\n{option} = ['{of_user}']\n")
    files.project.write_text(f"[command_guard]\n{option} = ['{of_project}']\n")
    assert files.value(option, trusted=True) == (of_user, of_project)


def test_the_exceptions_of_the_user_and_of_a_trusted_project_are_added_up(files):
    files.user.write_text("[[command_guard.exceptions]]\nrule = 'publish'\n")
    files.project.write_text("[[command_guard.exceptions]]\nrule = 'deploy'\n")
    assert [row["rule"] for row in files.value("exceptions", trusted=True)] == ["publish", "deploy"]


@pytest.mark.parametrize(
    ("of_user", "of_project", "expected"),
    [(None, None, True), ("false", None, False), ("false", "true", True), (None, "false", True)],
)
def test_an_untrusted_project_may_have_its_scripts_read_but_not_prevent_it(files, of_user, of_project, expected):
    for file, value in ((files.user, of_user), (files.project, of_project)):
        if value:
            file.write_text(f"[command_guard]\nscripts = {value}\n")
    assert files.value("scripts") is expected
