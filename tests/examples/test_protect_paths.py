"""protect_paths: what exists there stays, whichever tool comes for it."""

import pytest

from hookwright.testing.builders import bash, tool_use


@pytest.fixture
def shop(asked):
    asked.write("migrations/1.sql")
    asked.write("vendor/lib/a.c")
    asked.write("app.py")
    return asked


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("cat migrations/1.sql", ""),
        ("grep -r TABLE migrations", ""),
        ("cp migrations/1.sql /tmp/x.sql", ""),
        ("echo 'rm migrations/1.sql'", ""),
        ("rm migrations/1.sql", "deny"),
        ("rm -rf migrations", "deny"),
        ("rm migrations/*.sql", "deny"),
        ("cd migrations && sed -i s/a/b/ 1.sql", "deny"),
        ("sed s/a/b/ migrations/1.sql", ""),
        ("echo x > migrations/1.sql", "deny"),
        ("echo x | tee -a migrations/1.sql", "deny"),
        ("mv migrations/1.sql elsewhere", "deny"),
        ("cp app.py migrations/1.sql", "deny"),
        ("git rm migrations/1.sql", "deny"),
        ("bash -c 'rm migrations/1.sql'", "deny"),
        ("echo x > migrations/2.sql", ""),
        ("rm app.py", ""),
        ("rm ../other/migrations/1.sql", ""),
    ],
)
def test_commands_that_change_a_protected_file_are_denied(shop, command, says):
    assert shop.says(bash(command, cwd=str(shop.project))) == says


@pytest.mark.parametrize(
    ("tool", "file", "says"),
    [
        ("Edit", "vendor/lib/a.c", "deny"),
        ("Write", "migrations/1.sql", "deny"),
        ("Write", "migrations/2.sql", ""),
        ("Edit", "app.py", ""),
    ],
)
def test_file_tools_are_held_to_the_same(shop, tool, file, says):
    assert shop.says(tool_use(tool, {"file_path": str(shop.project / file)})) == says


def test_a_link_does_not_lead_around_it(shop):
    (shop.project / "innocent.sql").symlink_to("migrations/1.sql")
    assert shop.says(tool_use("Edit", {"file_path": str(shop.project / "innocent.sql")})) == "deny"


def test_the_list_is_yours_and_new_files_may_be_refused_too(shop):
    new = tool_use("Write", {"file_path": str(shop.project / "api/generated/x.ts")})
    assert shop.says(new, paths=("*/generated",), new_files=False) == "deny"
    assert shop.says(new, paths=("*/generated",)) == ""


def test_the_reason_names_the_file_and_the_rule(shop):
    decision = shop(bash("rm vendor/lib/a.c", cwd=str(shop.project)))
    assert "vendor/lib/a.c is protected (vendor)" in decision.reason
