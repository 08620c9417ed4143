"""Stops SQL that drops databases and tables or empties them, through any of the common clients.

Why: DROP, TRUNCATE and a DELETE without WHERE delete everything at once, and no client asks for confirmation. For a
local file, or a database whose name says that it is for development or tests, the rule asks.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.path_kinds import FREE, classify_word
from hookwright.hooks.command_guard.production_names import names_production, names_trial
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, quote_word
from hookwright.shell.command import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "sql-destroy"
EXAMPLES = {
    "psql -c 'DROP DATABASE app'": "deny",
    'mysql -e "drop table orders" shop': "deny",
    "echo 'DROP SCHEMA public CASCADE;' | psql $DATABASE_URL": "deny",
    "psql shop <<EOF\nTRUNCATE orders;\nEOF": "deny",
    "mysql shop -e 'DELETE FROM orders'": "deny",
    "psql -Atc 'DELETE FROM orders WHERE true'": "deny",
    "docker exec db psql -U postgres -c 'DROP DATABASE app'": "deny",
    "psql «--command|--query|--execute» 'DROP TABLE a'": "deny",
    "sqlcmd «-q|-Q» 'DROP TABLE a'": "deny",
    "psql «-c|-Atc|-Xqc» 'DROP «DATABASE|SCHEMA|OWNED» a'": "deny",
    "cqlsh -e 'DROP KEYSPACE a'": "deny",
    "mysql -Nse 'DROP TABLE a'": "deny",
    "mysql -se 'DROP TABLE a'": "deny",
    "bq query 'DROP TABLE a'": "deny",
    "cockroach sql 'DROP TABLE a'": "deny",
    "wrangler d1 execute db --command 'DROP TABLE a'": "deny",
    "turso db shell x 'DROP TABLE a'": "deny",
    "psql -c 'DELETE FROM a WHERE «1=1|1|true»'": "deny",
    "psql -c \"SELECT 'x'; DROP TABLE a\"": "deny",
    "psql -c 'SELECT 1 -- x\n; DROP TABLE a'": "deny",
    "psql -c 'SELECT /* x */ 1; DROP TABLE a'": "deny",
    "psql -c 'SELECT 1;\nDROP TABLE a'": "deny",
    "psql -c 'UPDATE a SET b = 1; DROP TABLE a'": "deny",
    "psql -c 'CREATE TABLE a (x int); DROP TABLE b'": "deny",
    "psql app_dev -c 'DROP TABLE users'": "ask",
    "sqlite3 app.db 'DROP TABLE t'": "ask",
    "psql -c 'UPDATE users SET admin = true'": "ask",
    'psql -c "DROP TABLE $T"': "ask",
    "psql app < migrations/down.sql": "ask",
    "mysql app < backup.sql": "ask",
    "gunzip -c dump.sql.gz | psql app": "ask",
    "psql prod -c 'DELETE FROM users WHERE id = 3'": "ask",
    "duckdb app.db 'DROP TABLE a'": "ask",
    "sqlite app.db 'DROP TABLE a'": "ask",
    "sqlite3 -cmd '.mode csv' app.db 'DROP TABLE a'": "ask",
    "sqlite3 «-init|-separator» x app.db 'DROP TABLE a'": "ask",
    "psql -c 'DROP «VIEW|INDEX|FUNCTION|TRIGGER|SEQUENCE|TYPE|ROLE|USER|EXTENSION|COLUMN|COLLECTION» a'": "ask",
    "psql -c 'DROP MATERIALIZED VIEW a'": "ask",
    "psql -c 'ALTER TABLE a DROP COLUMN b'": "ask",
    "psql -h prod-db -c '«INSERT INTO a VALUES (1)|UPDATE a SET b = 1 WHERE c = 2|ALTER TABLE a ADD b int»'": "ask",
    "psql -h prod-db -c '«CREATE TABLE a (b int)|GRANT ALL ON a TO b|REVOKE ALL ON a FROM b|MERGE INTO a»'": "ask",
    "psql -f «drop|reset|rollback|wipe|truncate|delete|teardown|destroy|purge|restore».sql": "ask",
    "psql --file=drop.sql": "ask",
    "sqlcmd -i drop.sql": "ask",
    "psql -f migrations/down/1.sql": "ask",
    "cat «drop.sql|dump» | psql": "ask",
    "gunzip < dump.gz | psql": "ask",
    "psql -c 'DELETE FROM users WHERE id = 3'": None,
    "psql -c \"SELECT 'DROP TABLE users'\"": None,
    "psql -f migrations/001_create.sql": None,
    "sqlite3 app.db .schema": None,
    "psql -c 'CREATE TABLE t (a int); DROP TABLE t'": None,
    "sqlite3 :memory: 'create table t(x); drop table t'": None,
    "sqlite3 /tmp/t.db 'drop table t'": None,
    "grep -rn 'DROP TABLE' migrations": None,
    "echo 'DROP TABLE users' > migration.sql": None,
    "sqlite3 :memory: 'DROP TABLE a'": None,
    "«sqlite3|duckdb» -readonly app.db 'DROP TABLE a'": None,
    "psql -c \"SELECT 'DROP TABLE a; DROP TABLE b'\"": None,
    "psql -c '-- ; DROP TABLE a'": None,
    "psql -c '/* ; DROP TABLE a */ SELECT 1'": None,
    "psql -c 'DELETE FROM a LIMIT 5'": None,
    "psql -c 'UPDATE a SET b = 1 WHERE c = 2'": None,
    "psql -c 'CREATE TABLE IF NOT EXISTS a (x int); DROP TABLE IF EXISTS a'": None,
    "psql -c 'CREATE TABLE a (x int)'": None,
    "psql -c 'ALTER TABLE a ADD b int'": None,
    "cat a.txt | psql": None,
    "psql -c 'SELECT 1 - 2; SELECT 1 / 2'": None,
}

TEXTS = ("-c", "-e", "-q", "-Q", "--command", "--execute", "--query", "-cmd", "-execute")
FILES = ("-f", "--file", "-i")
LOCAL = frozenset(("sqlite3", "sqlite", "duckdb"))
RISKY_NAMES = ("down", "drop", "reset", "rollback", "wipe", "truncate", "delete", "teardown", "destroy", "purge",
               "dump", "backup", "restore")  # fmt: skip
MAX_SCRIPT = 1 << 16  # characters of a file with SQL that is read
WRITES = frozenset("INSERT UPDATE DELETE ALTER CREATE GRANT REVOKE MERGE".split())
OTHER_DROPS = frozenset(
    "VIEW INDEX FUNCTION TRIGGER SEQUENCE TYPE ROLE USER EXTENSION MATERIALIZED COLUMN COLLECTION".split()
)


def check(call: Call, scene: Scene) -> Finding | None:
    if call.program in LOCAL and (is_temporary(call, scene) or call.has_flag("-readonly", "--readonly")):
        return None
    first = None
    scripts = list_scripts(call)
    read = {str(word): text for word in scripts if (text := read_script(call, word)) is not None}
    for text in [*find_sql_texts(call), *read.values()]:
        made: set[str] = set()
        for statement in split_statements(text):
            if statement[0] == "CREATE":
                made.add(table_name(statement))
            elif statement[:2] == ["DROP", "TABLE"] and table_name(statement) in made:
                continue  # created by the same text
            finding = check_statement(call, statement, literal=text.literal)
            if finding is not None:
                if finding.verdict == "deny":
                    return finding
                first = first or finding
    return first or check_script_name(call, [word for word in scripts if word not in read])


def is_temporary(call: Call, scene: Scene) -> bool:
    """A database in memory, or in a temp folder."""
    files = call.operands("-cmd", "-init", "-separator")[:1]
    return not files or files[0] == ":memory:" or classify_word(call, files[0], scene) in FREE


def find_sql_texts(call: Call) -> list[Word]:
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


def split_statements(text: str) -> list[list[str]]:
    """The words of each statement in upper case, without strings and comments."""
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


def table_name(words: list[str]) -> str:
    """What is created or dropped: the word after TABLE, IF NOT EXISTS."""
    rest = words[words.index("TABLE") + 1 :] if "TABLE" in words else []
    return next((word for word in rest if word not in ("IF", "NOT", "EXISTS")), "")


def check_statement(call: Call, words: list[str], *, literal: bool) -> Finding | None:
    head = words[0]
    what = words[1] if len(words) > 1 else ""
    text = " ".join(words[:4]).lower()
    if head == "DROP":
        if what in ("DATABASE", "SCHEMA", "KEYSPACE", "OWNED"):
            return deny_or_ask(
                call, f"`{text}` deletes the whole {what.lower()} with all its data", literal=literal, local=False
            )
        if what == "TABLE":
            return deny_or_ask(call, f"`{text}` deletes the table with all its rows", literal=literal)
        return ask(f"`{text}` removes part of the schema", backup_command(call)) if what in OTHER_DROPS else None
    if head == "TRUNCATE":
        return deny_or_ask(call, f"`{text}` deletes every row", literal=literal)
    if "WHERE" in words and "".join(words[words.index("WHERE") + 1 :]) in ("TRUE", "1=1", "1"):
        words = words[: words.index("WHERE")]
    if head == "DELETE" and "WHERE" not in words and "LIMIT" not in words:
        return deny_or_ask(call, f"`{text}` has no WHERE: it deletes every row", literal=literal)
    if head == "UPDATE" and "SET" in words and "WHERE" not in words:
        return ask(f"`{text}` has no WHERE: it changes every row", backup_command(call))
    if head == "ALTER" and "DROP" in words:
        return ask(f"`{text}` removes a column with its data", backup_command(call))
    if head in WRITES and names_production(call):
        return ask(f"`{text}` changes data in production", backup_command(call))
    return None


def deny_or_ask(call: Call, reason: str, *, literal: bool, local: bool = True) -> Finding:
    trial = (call.program in LOCAL or names_trial(call)) and not names_production(call)
    if not literal or (trial and local):
        return ask(reason, backup_command(call))
    return deny(reason, backup_command(call))


def list_scripts(call: Call) -> list[Word]:
    """The files with SQL that the call runs."""
    files = call.options(*FILES) + [redirect.target for redirect in call.redirects if redirect.op == "<"]
    for value in call.options(*TEXTS):
        for text in value.ran:  # psql -c "$(cat drop.sql)"
            files += [Word(word) for word in text.strip("$()`").split() if word.endswith(".sql")]
    for source in call.producers:
        named = (*source.args, *(redirect.target for redirect in source.redirects if redirect.op == "<"))
        files += [word for word in named if ".sql" in word or "dump" in word]
    return files


def read_script(call: Call, word: Word) -> Word | None:
    """The text of a file with SQL; None if it is not on this machine, packed or too long to be read."""
    path = call.path(word)
    if path is None or path[:1] != "/" or call.remote is not None or not path.endswith((".sql", ".psql", ".ddl")):
        return None
    from hookwright.proc.safe_read import read_head

    try:
        data = read_head(path, MAX_SCRIPT + 1)
    except OSError:
        return None
    return Word(data.decode("utf-8", "replace")) if len(data) <= MAX_SCRIPT else None


def check_script_name(call: Call, files: list[Word]) -> Finding | None:
    """A script that cannot be read, and whose name says that it deletes or is a dump, which begins with DROP."""
    for word in files:
        name = word.lower()
        if any(risky in name for risky in RISKY_NAMES) or "/down/" in name:
            dump = any(part in name for part in ("dump", "backup", "restore"))
            why = "a dump, which drops what is there first" if dump else "which by its name takes data away"
            return ask(f"`{format_call(call)}` runs {word}, {why}", f"less {quote_word(word)}")
    return None


def backup_command(call: Call) -> str:
    if call.program in LOCAL:
        database = next(iter(call.operands("-cmd", "-init", "-separator")), None)
        return f"cp -p {quote_word(database)} {quote_word(database)}.bak" if database else "ls -la"
    return (
        "mysqldump --all-databases --result-file=/tmp/backup.sql"
        if "m" in call.program[:2]
        else "pg_dumpall -f /tmp/backup.sql"
    )
