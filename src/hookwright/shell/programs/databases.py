"""Databases: dumps, restores, migrations, and clients that wait for a person.

force    pg_dump -Fc app > app.dump
suggest  alembic upgrade head
none     alembic current
suggest  npx knex migrate:latest
none     psql -c 'select 1'
suggest  psql -f schema.sql app
force    psql -h localhost -U app appdb
none     sqlite3 app.db 'select count(*) from users'
force    pgbench -T 60 app
"""

from __future__ import annotations

from hookwright.shell.command import Word
from hookwright.shell.programs import each, is_fed, letters, looked_up, number, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

DUMPS: Row = ("force", "database", "copies a whole database")
MIGRATES: Row = ("suggest", "database", "changes a database")
LOADS: Row = ("suggest", "database", "runs a file of statements")
PERSON: Row = ("force", "terminal", "waits for a person")
HEAVY: Row = ("suggest", "database", "works over a whole table")
MEASURES: Row = ("force", "job", "measures under load")

# Statements that work over whole tables.
WHOLE = (
    "VACUUM",
    "REINDEX",
    "CREATE INDEX",
    "CLUSTER",
    "OPTIMIZE TABLE",
    "ALTER TABLE",
    "COPY ",
    "LOAD DATA",
    "PG_SLEEP",
)


def client(call: Call) -> Row | None:
    """psql, mysql, sqlite3, mongosh, …: a statement is quick, a file may be long, neither waits for a person."""
    program = call.program
    if call.has_flag("-l", "--list", "-V") and program in {"psql", "pgcli"}:
        return None
    statement = call.option(
        *STATEMENTS.get(program, ("-c", "--command", "-e", "--execute", "--eval", "-Q", "-q", "--query"))
    )
    letter = "e" if program in {"mysql", "mariadb", "mycli", "cqlsh"} else "c"
    if statement is None and letter in letters(call, "hpUduPDSfvoFRT"):
        statement = Word("")  # `psql -tAc …`
    if statement is not None:
        return whole(statement)
    file = call.option("-f", "--file", "-i") if program not in {"mysql", "mariadb"} else None
    if file is not None:
        return LOADS
    for redirect in call.redirects:
        if redirect.op in {"<<", "<<<"}:
            return whole(redirect.text or "")
        if redirect.op == "<":
            return LOADS if program not in {"sqlite3", "duckdb"} or is_large(redirect.target or "") else None
    if is_fed(call):
        return None if not call.producers or call.producers[-1].program in {"echo", "printf"} else LOADS
    operands = call.operands(
        "-h", "-p", "-U", "-d", "-P", "-u", "-D", "-S", "--host", "--port", "--username", "--user", "-cmd"
    )
    if program in {"sqlite3", "duckdb"}:
        return PERSON if len(operands) < 2 and not call.has_flag("-cmd") else whole(operands[-1])
    if program in {"mongo", "mongosh"} and operands and operands[-1].endswith(".js"):
        return LOADS
    if call.has_flag("--version", "--help", "-?"):
        return None
    return PERSON


def is_large(path: str) -> bool:
    """A local file of statements that speaks of much data."""
    from hookwright.shell.programs.names import parts

    return not {"dump", "backup", "seed", "seeds", "import", "data", "load", "full", "prod"}.isdisjoint(parts(path))


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


def whole(statement: str) -> Row | None:
    upper = statement.upper()
    if "PG_SLEEP(" in upper:
        seconds = number(upper.partition("PG_SLEEP(")[2].partition(")")[0])
        return (seconds, "sleep", f"sleeps {seconds:g} s") if seconds else None
    return HEAVY if upper.lstrip().startswith(WHOLE) else None


MIGRATIONS = table(
    {
        MIGRATES: (
            "upgrade, downgrade, migrate, up, down, run, update, update-sql, rollback, apply, deploy, redo, "
            "migrate:latest, migrate:up, migrate:down, migrate:rollback, db:migrate, db:migrate:undo, db:seed, "
            "db:seed:all, db:create, db:drop, db:reset, migration:run, migration:revert, migration run, migration "
            "redo, migrate run, migrate apply, database create, database setup, database reset, database drop, db "
            "setup, seed:run, push, schema:sync, migration:up, orm:schema-tool:update, migrations:migrate, schema "
            "apply, create-db, setup, seed, seed:all, migrate up"
        ),
        ("force", "server", "starts a server that does not end"): "studio",
    }
)


def migration(call: Call) -> Row | None:
    """alembic, flyway, knex, prisma's kin: a verb that changes the database; status and new files are quick."""
    if call.has_flag("--sql", "--pretend", "--plan"):
        return None
    row = looked_up(
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


def pgbench(call: Call) -> Row | None:
    seconds = number(call.option("-T", "--time"))
    if call.has_flag("-i", "--initialize"):
        return DUMPS
    return (seconds, "job", f"measures for {seconds:g} s") if seconds else MEASURES


def dump(call: Call) -> Row | None:
    """A schema alone is quick."""
    without_rows = ("-d", "--no-data") if call.program.startswith(("mysql", "maria")) else ("-s", "-l", "--list")
    return None if call.has_flag("--schema-only", *without_rows) else DUMPS


def wordpress(call: Call) -> Row | None:
    return looked_up(
        call,
        table(
            {
                DUMPS: "db export, db import, export, import, search-replace",
                MIGRATES: "core update, plugin update, core update-db, updb, updatedb, cim, cache-rebuild",
                ("force", "server", "starts a server that does not end"): "server, rs, runserver",
            }
        ),
    )


PROGRAMS: dict[str, Handler] = {
    **each(
        "psql pgcli mysql mariadb mycli sqlite3 litecli mongo mongosh cqlsh sqlcmd clickhouse-client duckdb usql "
        "sqlplus",
        client,
    ),
    **each(
        "pg_restore pg_basebackup pg_upgrade mongodump mongorestore mongoexport mongoimport mysqlimport mysqlcheck "
        "mydumper xtrabackup impdp expdp bcp pgloader vacuumdb reindexdb clusterdb neo4j-admin",
        dump,
    ),
    **each("pg_dump pg_dumpall mysqldump mariadb-dump", dump),
    "pgbench": pgbench,
    **each("mysqlslap redis-benchmark memtier_benchmark", MEASURES),
    **each(
        "alembic flyway liquibase goose migrate dbmate sqlx diesel sea-orm-cli knex sequelize sequelize-cli typeorm "
        "mikro-orm drizzle-kit node-pg-migrate db-migrate sqitch atlas yoyo aerich piccolo phinx doctrine tern "
        "refinery sqlmesh",
        migration,
    ),
    **each("wp drush", wordpress),
}
