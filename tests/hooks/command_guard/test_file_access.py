"""File tools: protected paths, in any spelling and behind any link."""

import pytest

from hookwright.hooks.base import World
from hookwright.hooks.command_guard.file_access import resolve_path
from hookwright.hooks.command_guard.hook import CommandGuard
from hookwright.testing.builders import tool_use


@pytest.fixture
def ground(tmp_path, monkeypatch):
    """A home with a project in it, far from the temp folders that are free."""
    monkeypatch.setattr("hookwright.hooks.command_guard.file_access.TEMP_DIRS", ("/nowhere/",))
    home = tmp_path / "home"
    for folder in ("shop/src", "shop/.git/hooks", ".ssh", ".claude/plans", ".config/hookwright", "other"):
        (home / folder).mkdir(parents=True)
    return home


def verdict(ground, tool, path, **options):
    world = World(
        {"HOME": str(ground), "CLAUDE_CONFIG_DIR": options.pop("claude", None)}.get,
        home=str(ground),
        project=str(ground / "shop"),
        state=str(ground / ".local/state/hookwright"),
    )
    key = "notebook_path" if tool == "NotebookEdit" else "file_path"
    event = tool_use(
        tool,
        {key: path if path.startswith(("/", "~", "./", "../")) else str(ground / path)},
        cwd=str(ground / "shop/src"),
    )
    decision = CommandGuard(world, **options).decide(event)
    return decision.permission if decision else None


@pytest.mark.parametrize(
    ("tool", "key"), [("Read", "file_path"), ("Write", "file_path"), ("NotebookEdit", "notebook_path")]
)
@pytest.mark.parametrize("path", ["", None, 5])
def test_a_call_without_a_path_is_left_to_the_tool(ground, tool, key, path):
    world = World(home=str(ground), project=str(ground / "shop"))
    assert CommandGuard(world).decide(tool_use(tool, {key: path}, cwd=str(ground / "shop"))) is None


ORDINARY = [
    "shop/src/app.py",
    "shop/.github/workflows/ci.yml",
    "shop/.env.example",
    "shop/.claude/CLAUDE.md",
    "shop/new/x.txt",
]


@pytest.mark.parametrize("path", ORDINARY)
@pytest.mark.parametrize("tool", ["Read", "Write", "Edit", "NotebookEdit"])
def test_ordinary_files_are_free(ground, tool, path):
    assert verdict(ground, tool, path) is None


@pytest.mark.parametrize(
    ("path", "read", "write"),
    [
        ("shop/.env", "ask", "ask"),
        ("shop/config/.env.production", "ask", "ask"),
        ("shop/certs/server.key", "ask", "ask"),
        (".ssh/id_ed25519", "ask", "ask"),
        (".ssh/config", None, "ask"),
        (".aws/credentials", "ask", "ask"),
        ("shop/.git/config", None, "ask"),
        ("shop/.git/hooks/pre-commit", None, "ask"),
        (".bashrc", None, "ask"),
        (".config/fish/config.fish", None, "ask"),
        ("shop/.claude/settings.json", None, "ask"),
        (".claude/settings.local.json", None, "ask"),
        (".config/hookwright/config.toml", None, "ask"),
        (".local/state/hookwright/trust/shop.json", None, "ask"),
        (".local/share/hookwright/hook", None, "ask"),
        (".cache/hookwright/bundle-x.cpython-311/core", None, "ask"),
        (".cache/hookwright/plan-x", None, "ask"),
        ("/etc/hookwright/policy.toml", None, "ask"),
        ("/etc/claude-code/managed-settings.d/a.json", None, "ask"),
        ("shop/.hookwright.toml", None, "ask"),
        ("other/notes.txt", None, "ask"),
        (".claude/plans/plan.md", None, None),
        ("/etc/hosts", None, "ask"),
        ("/etc/shadow", "ask", "ask"),
    ],
)
def test_protected_files_are_asked_about(ground, path, read, write):
    assert verdict(ground, "Read", path) == read
    assert {verdict(ground, tool, path) for tool in ("Write", "Edit", "NotebookEdit")} == {write}


@pytest.mark.parametrize(
    "path", ["../.env", "./../src/../.env", "~/shop/.env", "shop/src/../.env", "shop//./.env", "shop/.ENV"]
)
def test_spellings_do_not_matter(ground, path):
    assert verdict(ground, "Read", path) == "ask"


@pytest.mark.parametrize(
    ("link", "target", "path"),
    [
        ("shop/src/notes.txt", "../../.ssh/id_rsa", "shop/src/notes.txt"),
        ("shop/keys", "../.ssh", "shop/keys/id_rsa"),
        ("shop/here", "{ground}/.ssh", "shop/here/../.ssh/id_rsa"),
        ("shop/a", "b", "shop/a/id_rsa"),
        ("shop/deep", "src/../..", "shop/deep/.ssh/id_rsa"),
    ],
)
def test_links_are_followed(ground, link, target, path):
    (ground / link).symlink_to(target.format(ground=ground))
    (ground / "shop/b").symlink_to("../.ssh")
    assert verdict(ground, "Read", path) == "ask"


def test_a_link_out_of_the_project_is_outside(ground):
    (ground / "shop/out").symlink_to(ground / "other")
    assert verdict(ground, "Write", "shop/out/new.txt") == "ask"
    assert verdict(ground, "Read", "shop/out/new.txt") is None


def test_a_project_that_is_reached_through_a_link_is_still_the_project(ground):
    (ground / "link").symlink_to(ground / "shop")
    world = World(home=str(ground), project=str(ground / "link"))
    event = tool_use("Write", {"file_path": str(ground / "shop/src/a.py")}, cwd=str(ground / "link"))
    assert CommandGuard(world).decide(event) is None


def test_the_whole_repository_counts_as_the_project(ground):
    world = World(home=str(ground), project=str(ground / "shop/src"))
    event = tool_use("Write", {"file_path": str(ground / "shop/README.md")}, cwd=str(ground / "shop/src"))
    assert CommandGuard(world).decide(event) is None


def test_links_that_go_in_circles_end(ground):
    (ground / "shop/one").symlink_to("two")
    (ground / "shop/two").symlink_to("one")
    assert verdict(ground, "Read", "shop/one/x.txt") is None


@pytest.mark.parametrize(
    ("options", "path", "expected"),
    [
        ({"secrets": "deny"}, "shop/.env", "deny"),
        ({"secrets": "off"}, "shop/.env", None),
        ({"git": "deny"}, "shop/.git/config", "deny"),
        ({"profiles": "off"}, ".bashrc", None),
        ({"settings": "deny"}, "shop/.claude/settings.json", "deny"),
        ({"outside": "off"}, "other/notes.txt", None),
        ({"outside": "deny"}, "/srv/x", "deny"),
        ({"free_paths": ("~/other",)}, "other/notes.txt", None),
        ({"free_paths": ("*.key",)}, "shop/certs/server.key", None),
        ({"off": ("protected-outside",)}, "other/notes.txt", None),
        ({"deny": ("protected-outside",)}, "other/notes.txt", "deny"),
    ],
)
def test_each_class_is_asked_about_refused_or_left_alone_as_configured(ground, options, path, expected):
    assert verdict(ground, "Write", path, **options) == expected


def test_the_reason_names_what_a_path_really_is(ground):
    (ground / "shop/notes.txt").symlink_to("../.ssh/id_rsa")
    world = World(home=str(ground), project=str(ground / "shop"))
    event = tool_use("Read", {"file_path": str(ground / "shop/notes.txt")}, cwd=str(ground / "shop"))
    decision = CommandGuard(world).decide(event)
    reason = decision.reason
    assert f"notes.txt, which is {ground}/.ssh/id_rsa: it holds secrets" in reason
    assert decision.label == "protected-secrets"


def test_settings_are_known_where_claude_is_told_to_keep_them(ground):
    elsewhere = str(ground / "claude-home")
    assert verdict(ground, "Write", f"{elsewhere}/settings.json", claude=elsewhere, outside="off") == "ask"


@pytest.mark.parametrize("path", ["\0", "a\0b", "/" * 5000, "x" * 5000, "../" * 300, "~", "/", "."])
def test_no_path_is_too_strange(ground, path):
    verdict(ground, "Write", "/" + path)


def test_resolved_agrees_with_the_system(ground):
    (ground / "shop/here").symlink_to("src/../../other")
    for path in ("shop/here/x", "shop/here/../x", "shop/./src//a", "missing/../other", "shop/here/../../home"):
        assert resolve_path(str(ground / path)) == str((ground / path).resolve())
