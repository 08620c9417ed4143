"""Every tool call as a row of SQLite, for questions that you have not thought of yet.

    sqlite3 ~/.local/state/hookwright/tools.db "select what, count(*) n from calls where not ok group by 1 order by n"

Secrets in commands are masked. Any number of sessions may write at once.

    [log_to_database]
    file = "~/claude.db"
"""

from os.path import dirname, expanduser

from hookwright import Hook, PostToolUse, PostToolUseFailure, option
from hookwright.store import paths
from hookwright.store.redact import mask

TABLE = """create table if not exists calls (
    time real, session text, agent text, project text, tool text, what text, ok integer, ms real, error text)"""


class LogToDatabase(Hook):
    """Write every tool call to SQLite."""

    on = ((PostToolUse,), (PostToolUseFailure,))
    deadline_s = 20.0  # other sessions may be writing
    file = option("", help="The database; empty: tools.db in hookwright's state folder.")

    def decide(self, event: PostToolUse | PostToolUseFailure) -> None:
        import sqlite3  # here, since only this moment needs it

        file = expanduser(self.file) or f"{self.world.state}/tools.db"
        paths.make_private(dirname(file))
        error = getattr(event, "error", None)
        row = (
            *(self.world.now, event.session_id, event.agent_id, self.world.project or event.cwd, event.tool_name),
            *(what(event), error is None, event.duration_ms, mask(error[:500])[0] if error else None),
        )
        database = sqlite3.connect(file, timeout=15, isolation_level=None)
        try:
            database.execute("pragma journal_mode = wal")
            database.execute("pragma synchronous = normal")
            database.execute(TABLE)
            database.execute("insert into calls values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        finally:
            database.close()


def what(event: PostToolUse | PostToolUseFailure) -> str:
    """The one thing of a tool's input that a person would name."""
    for key in ("command", "file_path", "url", "pattern", "query", "prompt", "skill"):
        given = event.tool_input.get(key)
        if isinstance(given, str):
            return mask(given[:2000])[0]
    return ""
