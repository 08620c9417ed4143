"""Databases: dumps, restores, migrations, and clients that wait for a person.

The programs and their tables are in databases.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.call import Word
from hookwright.shell.programs import has_input, look_up_verb, parse_number, short_flags
from hookwright.shell.programs.databases_table import (
    DUMPS,
    HEAVY,
    LOADS,
    MEASURES,
    MIGRATES,
    MIGRATIONS,
    PERSON,
    WHOLE,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_client(call: Call) -> Row | None:
    """psql, mysql, sqlite3, mongosh, …: a statement is quick, a file may be long, neither waits for a person."""
    program = call.program
    if call.has_flag("-l", "--list", "-V") and program in {"psql", "pgcli"}:
        return None
    statement = call.option(
        *STATEMENTS.get(program, ("-c", "--command", "-e", "--execute", "--eval", "-Q", "-q", "--query"))
    )
    letter = "e" if program in {"mysql", "mariadb", "mycli", "cqlsh"} else "c"
    if statement is None and letter in short_flags(call, "hpUduPDSfvoFRT"):
        statement = Word("")  # `psql -tAc …`
    if statement is not None:
        return classify_statement(statement)
    file = call.option("-f", "--file", "-i") if program not in {"mysql", "mariadb"} else None
    if file is not None:
        return LOADS
    for redirect in call.redirects:
        if redirect.op in {"<<", "<<<"}:
            return classify_statement(redirect.text or "")
        if redirect.op == "<":
            return LOADS if program not in {"sqlite3", "duckdb"} or is_large_file(redirect.target or "") else None
    if has_input(call):
        return None if not call.producers or call.producers[-1].program in {"echo", "printf"} else LOADS
    operands = call.operands(
        "-h", "-p", "-U", "-d", "-P", "-u", "-D", "-S", "--host", "--port", "--username", "--user", "-cmd"
    )
    if program in {"sqlite3", "duckdb"}:
        return PERSON if len(operands) < 2 and not call.has_flag("-cmd") else classify_statement(operands[-1])
    if program in {"mongo", "mongosh"} and operands and operands[-1].endswith(".js"):
        return LOADS
    if call.has_flag("--version", "--help", "-?"):
        return None
    return PERSON


def is_large_file(path: str) -> bool:
    """Whether the name of a file of statements suggests much data."""
    from hookwright.shell.programs.name_hints import split_name

    return not {"dump", "backup", "seed", "seeds", "import", "data", "load", "full", "prod"}.isdisjoint(
        split_name(path)
    )


STATEMENTS = {
    "psql": ("-c", "--command"),
    "mysql": ("-e", "--execute"),
    "mariadb": ("-e", "--execute"),
    "sqlcmd": ("-Q", "-q"),
    "cqlsh": ("-e", "--execute"),
    "clickhouse-client": ("-q", "--query"),
    "mongosh": ("--eval",),
    "mongo": ("--eval",),
}


def classify_statement(statement: str) -> Row | None:
    upper = statement.upper()
    if "PG_SLEEP(" in upper:
        seconds = parse_number(upper.partition("PG_SLEEP(")[2].partition(")")[0])
        return (seconds, "sleep", f"sleeps {seconds:g} s") if seconds else None
    return HEAVY if upper.lstrip().startswith(WHOLE) else None


def classify_migration(call: Call) -> Row | None:
    """alembic, flyway, knex, and others: a verb that changes the database; status and new files are quick."""
    if call.has_flag("--sql", "--pretend", "--plan"):
        return None
    row = look_up_verb(
        call, MIGRATIONS, "-c", "--config", "-x", "-n", "-path", "--path", "-database", "--source", "--env", "-d"
    )
    if row is not None:
        return row
    operands = call.operands("-dir", "-path", "-database", "-source", "-d")
    return (
        MIGRATES
        if call.program in {"goose", "migrate", "tern", "dbmate"} and not {"up", "down"}.isdisjoint(operands)
        else None
    )


def classify_pgbench(call: Call) -> Row | None:
    seconds = parse_number(call.option("-T", "--time"))
    if call.has_flag("-i", "--initialize"):
        return DUMPS
    return (seconds, "job", f"measures for {seconds:g} s") if seconds else MEASURES
