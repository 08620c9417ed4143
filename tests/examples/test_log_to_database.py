"""log_to_database: one row a call, secrets masked, many writers at once."""

import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor

from hookwright.testing.builders import bash_done, bash_failed, event


def rows(file):
    with sqlite3.connect(file) as database:
        database.row_factory = sqlite3.Row
        found = [dict(row) for row in database.execute("select * from calls order by time")]
    database.close()
    return found


def test_each_call_is_a_row(asked):
    asked(bash_done("npm test", duration_ms=1200))
    asked(bash_failed("npm run build", "Exit code 2\nerror TS1005"))
    edit = {"file_path": "/p/app.py", "old_string": "a", "new_string": "b"}
    asked(event("PostToolUse", tool_name="Edit", tool_input=edit, tool_response={}, tool_use_id="t", agent_id="a1"))
    first, second, third = rows(asked.state / "tools.db")
    assert (first["tool"], first["what"], first["ok"], first["ms"]) == ("Bash", "npm test", 1, 1200)
    assert (second["what"], second["ok"], second["error"]) == ("npm run build", 0, "Exit code 2\nerror TS1005")
    assert (third["tool"], third["what"], third["agent"]) == ("Edit", "/p/app.py", "a1")
    assert {row["project"] for row in (first, second, third)} == {str(asked.project)}


def test_secrets_are_masked(asked):
    asked(bash_done("mysql -uroot -phunter2 shop"))
    assert rows(asked.state / "tools.db")[0]["what"] == "mysql -uroot -p*** shop"


def test_the_folder_is_private_and_the_file_is_where_you_say(asked):
    file = asked.project.parent / "logs/claude.db"
    asked(bash_done("ls"), file=str(file))
    assert len(rows(file)) == 1
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_many_sessions_write_at_once(asked):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: asked(bash_done(f"echo {number}")), range(40)))
    assert len(rows(asked.state / "tools.db")) == 40
