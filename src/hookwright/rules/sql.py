"""Stops SQL that drops databases and tables or empties them, through any of the common clients.

Why: DROP, TRUNCATE and a DELETE without WHERE take everything at once; no client asks back. A local file or a database
that is named as a development or test copy is asked about.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, deny, quoted, shown
from hookwright.rules.paths import FREE, kind
from hookwright.rules.production import names_production, names_trial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call, Word

ID = "sql-destroy"
EXAMPLES = {
    "psql -c 'DROP DATABASE app'": "deny",
    'mysql -e "drop table orders" shop': "deny",
    "echo 'DROP SCHEMA public CASCADE;' | psql $DATABASE_URL": "deny",
    "psql shop <<EOF\nTRUNCATE orders;\nEOF": "deny",
    "mysql shop -e 'DELETE FROM orders'": "deny",
    "psql -Atc 'DELETE FROM orders WHERE true'": "deny",
    "docker exec db psql -U postgres -c 'DROP DATABASE app'": "deny",
    "psql app_dev -c 'DROP TABLE users'": "ask",
    "sqlite3 app.db 'DROP TABLE t'": "ask",
    "psql -c 'UPDATE users SET admin = true'": "ask",
    'psql -c "DROP TABLE $T"': "ask",
    "psql app < migrations/down.sql": "ask",
    "mysql app < backup.sql": "ask",
    "gunzip -c dump.sql.gz | psql app": "ask",
    "psql prod -c 'DELETE FROM users WHERE id = 3'": "ask",
    "psql -c 'DELETE FROM users WHERE id = 3'": None,
    "psql -c \"SELECT 'DROP TABLE users'\"": None,
    "psql -f migrations/001_create.sql": None,
    "sqlite3 app.db .schema": None,
    "psql -c 'CREATE TABLE t (a int); DROP TABLE t'": None,
    "sqlite3 :memory: 'create table t(x); drop table t'": None,
    "sqlite3 /tmp/t.db 'drop table t'": None,
    "grep -rn 'DROP TABLE' migrations": None,
    "echo 'DROP TABLE users' > migration.sql": None,
}

TEXTS = ("-c", "-e", "-q", "-Q", "--command", "--execute", "--query", "-cmd", "-execute")
FILES = ("-f", "--file", "-i")
LOCAL = frozenset(("sqlite3", "sqlite", "duckdb"))
RISKY_NAMES = ("down", "drop", "reset", "rollback", "wipe", "truncate", "delete", "teardown", "destroy", "purge",
               "dump", "backup", "restore")  # fmt: skip
WRITES = frozenset("INSERT UPDATE DELETE ALTER CREATE GRANT REVOKE MERGE".split())
OTHER_DROPS = frozenset(
    "VIEW INDEX FUNCTION TRIGGER SEQUENCE TYPE ROLE USER EXTENSION MATERIALIZED COLUMN COLLECTION".split()
)


def check(call: Call, scene: Scene) -> Finding | None:
    if call.program in LOCAL and passing(call, scene):
        return None
    first = None
    for text in texts(call):
        made: set[str] = set()
        for statement in statements(text):
            if statement[0] == "CREATE":
                made.add(named(statement))
            elif statement[:2] == ["DROP", "TABLE"] and named(statement) in made:
                continue  # made by this very text
            finding = judged(call, statement, literal=text.literal)
            if finding is not None:
                if finding.verdict == "deny":
                    return finding
                first = first or finding
    return first or from_file(call)


def passing(call: Call, scene: Scene) -> bool:
    """A database in memory, or in a temp folder."""
    files = call.operands("-cmd", "-init", "-separator")[:1]
    return not files or files[0] == ":memory:" or kind(call, files[0], scene) in FREE


def texts(call: Call) -> list[Word]:
    found = call.options(*TEXTS)
    words = call.words
    for index in range(1, len(words) - 1):
        word = words[index]
        if word[:1] == "-" and word[-1:] in ("c", "e", "q") and len(word) > 2 and word[1:].isalpha() and word[1] != "-":
            found.append(words[index + 1])  # psql -Atc, mysql -Nse
    if call.program in LOCAL:
        found += call.operands("-cmd", "-init", "-separator")[1:]
    if call.program in ("bq", "cockroach", "wrangler", "turso"):
        found += call.operands()[1:]
    read = call.stdin_text
    return [*found, read] if read is not None else found


def statements(text: str) -> list[list[str]]:
    """The words of each statement in capitals, without strings and comments."""
    kept = []
    index = 0
    while index < len(text):
        c = text[index]
        if c == "'":
            end = text.find("'", index + 1)
            index = len(text) if end < 0 else end + 1
            kept.append(" ? ")
        elif c == "-" and text[index : index + 2] == "--":
            end = text.find("\n", index)
            index = len(text) if end < 0 else end
        elif c == "/" and text[index : index + 2] == "/*":
            end = text.find("*/", index)
            index = len(text) if end < 0 else end + 2
        else:
            kept.append(" " if c in "()\n\t\r" else c)
            index += 1
    return [part.upper().split() for part in "".join(kept).split(";") if part.strip()]


def named(words: list[str]) -> str:
    """What is created or dropped: the word after TABLE, IF NOT EXISTS."""
    rest = words[words.index("TABLE") + 1 :] if "TABLE" in words else []
    return next((word for word in rest if word not in ("IF", "NOT", "EXISTS")), "")


def judged(call: Call, words: list[str], *, literal: bool) -> Finding | None:
    head = words[0]
    what = words[1] if len(words) > 1 else ""
    text = " ".join(words[:4]).lower()
    if head == "DROP":
        if what in ("DATABASE", "SCHEMA", "KEYSPACE", "OWNED"):
            return severe(
                call, f"`{text}` deletes the whole {what.lower()} with all its data", literal=literal, local=False
            )
        if what == "TABLE":
            return severe(call, f"`{text}` deletes the table with all its rows", literal=literal)
        return ask(f"`{text}` removes part of the schema", backup(call)) if what in OTHER_DROPS else None
    if head == "TRUNCATE":
        return severe(call, f"`{text}` deletes every row", literal=literal)
    if "WHERE" in words and "".join(words[words.index("WHERE") + 1 :]) in ("TRUE", "1=1", "1"):
        words = words[: words.index("WHERE")]
    if head == "DELETE" and "WHERE" not in words and "LIMIT" not in words:
        return severe(call, f"`{text}` has no WHERE: it deletes every row", literal=literal)
    if head == "UPDATE" and "SET" in words and "WHERE" not in words:
        return ask(f"`{text}` has no WHERE: it changes every row", backup(call))
    if head == "ALTER" and "DROP" in words:
        return ask(f"`{text}` removes a column with its data", backup(call))
    if head in WRITES and names_production(call):
        return ask(f"`{text}` changes data in production", backup(call))
    return None


def severe(call: Call, reason: str, *, literal: bool, local: bool = True) -> Finding:
    trial = (call.program in LOCAL or names_trial(call)) and not names_production(call)
    if not literal or (trial and local):
        return ask(reason, backup(call))
    return deny(reason, backup(call))


def from_file(call: Call) -> Finding | None:
    """A script whose very name says that it takes away, or that it is a dump, which begins with dropping."""
    files = call.options(*FILES) + [redirect.target for redirect in call.redirects if redirect.op == "<"]
    for source in call.producers:
        named = (*source.args, *(redirect.target for redirect in source.redirects if redirect.op == "<"))
        files += [word for word in named if ".sql" in word or "dump" in word]
    for word in files:
        name = word.lower()
        if any(risky in name for risky in RISKY_NAMES) or "/down/" in name:
            return ask(f"`{shown(call)}` runs {word}, which by its name takes data away", f"less {quoted(word)}")
    return None


def backup(call: Call) -> str:
    if call.program in LOCAL:
        return "cp app.db /tmp/app.db.bak"
    return (
        "mysqldump --all-databases --result-file=/tmp/backup.sql"
        if "m" in call.program[:2]
        else "pg_dumpall -f /tmp/backup.sql"
    )
