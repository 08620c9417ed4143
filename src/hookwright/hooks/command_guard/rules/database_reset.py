"""Stops databases from being dropped or flushed by their own tools: dropdb, redis-cli, mongosh, migration resets.

Why: these commands empty a database at once, and `--force` skips the only confirmation.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.production_names import names_production, names_trial
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "database-reset"
EXAMPLES = {
    "dropdb production": "deny",
    "redis-cli -h prod FLUSHALL": "deny",
    "mongosh prod --eval 'db.dropDatabase()'": "deny",
    "mysqladmin -f drop app": "deny",
    "npx prisma migrate reset --force": "deny",
    "redis-cli FLUSHDB": "ask",
    "dropdb app_test": "ask",
    "npx prisma migrate reset": "ask",
    "bin/rails db:drop db:create": "ask",
    "python manage.py flush --no-input": "ask",
    "alembic downgrade base": "ask",
    "php artisan migrate:fresh": "ask",
    "RAILS_ENV=production rails db:drop": "deny",
    "php artisan db:wipe --force": "deny",
    "php bin/console doctrine:schema:drop --force": "deny",
    "migrate -path db drop -f": "deny",
    "sqlx database drop -y": "deny",
    "supabase db reset --linked": "deny",
    "wp db reset --yes": "deny",
    "drush sql:drop --yes": "deny",
    "DISABLE_DATABASE_ENVIRONMENT_CHECK=1 rails db:drop": "deny",
    "dropdb shop": "deny",
    "«valkey-cli|keydb-cli» FLUSHALL": "deny",
    "mongo shop --eval 'db.dropDatabase()'": "deny",
    "mongosh shop --eval 'db.orders«.drop()|.deleteMany({})|.remove({})|.deleteMany( {} )»'": "deny",
    "npx prisma db push --force-reset": "deny",
    "redis-cli --scan | xargs redis-cli del": "ask",
    'redis-cli CONFIG SET save ""': "ask",
    "python manage.py sqlflush | python manage.py dbshell": "ask",
    "python manage.py sqlflush | psql app": "ask",
    "rails «db:drop|db:reset|db:purge|db:rollback|db:drop:all|db:schema:load|db:migrate:reset»": "ask",
    "rails db:truncate_all": "ask",
    "rake «db:drop|db:reset|db:purge|db:rollback|db:drop:all|db:schema:load|db:migrate:reset»": "ask",
    "rake db:truncate_all": "ask",
    "python manage.py «reset_db|reset_schema|clean_pyc_all»": "ask",
    "python3 manage.py flush": "ask",
    "python manage.py migrate shop zero": "ask",
    "django-admin «flush|reset_db»": "ask",
    "php artisan «migrate:reset|migrate:refresh|migrate:rollback|db:wipe»": "ask",
    "php bin/console «doctrine:schema:drop|doctrine:database:drop»": "ask",
    "flask db downgrade": "ask",
    "«sequelize|sequelize-cli» «db:drop|db:migrate:undo:all|db:migrate:undo»": "ask",
    "«knex migrate:rollback|typeorm schema:drop|typeorm migration:revert|drizzle-kit drop|flyway clean»": "ask",
    "liquibase «drop-all|dropAll|rollback»": "ask",
    "goose «down|reset|down-to»": "ask",
    "migrate -path db «down|drop|force»": "ask",
    "dbmate «drop|down|rollback»": "ask",
    "mix «ecto.drop|ecto.reset|ecto.rollback»": "ask",
    "diesel database reset": "ask",
    "diesel migration revert": "ask",
    "sqlx database «drop|reset»": "ask",
    "sqlx migrate revert": "ask",
    "supabase db reset": "ask",
    "mysqladmin shutdown": "ask",
    "wp db «reset|drop|clean»": "ask",
    "hasura metadata «reset|clear»": "ask",
    "drush «sql-drop|sql:drop|site:install»": "ask",
    "dropuser ann": "ask",
    "pg_restore «-c|--clean» -d shop dump": "ask",
    "mongorestore --drop dump/": "ask",
    "redis-cli SHUTDOWN": "ask",
    "redis-cli CONFIG RESETSTAT": "ask",
    "redis-cli UNLINK $(redis-cli KEYS 'a*')": "ask",
    "npx prisma db push --accept-data-loss": "ask",
    "python manage.py sqlflush | «mysql|mariadb|sqlite3» shop": "ask",
    "python manage.py sqlflush": None,
    "redis-cli CONFIG GET save": None,
    "npx prisma generate": None,
    "npx prisma migrate dev": None,
    "python manage.py migrate": None,
    "rails db:migrate": None,
    "redis-cli GET key": None,
    "mongosh --eval 'db.users.find()'": None,
    "alembic upgrade head": None,
    "«RAILS_ENV|NODE_ENV|APP_ENV|MIX_ENV»=test rails db:drop": None,
    "rails db:drop «--version|--dry-run|--pretend|--sql»": None,
    "dropuser": None,
    "pg_restore -d shop dump": None,
    "rails «-e|--env|--schema» db:drop db:migrate": None,
    "npx prisma db push": None,
    "redis-cli DEL key": None,
    "python manage.py migrate shop": None,
}

# Program → subcommands that empty or drop.
RESETS = {
    "prisma": "reset",
    "rails": "db:drop db:reset db:purge db:rollback db:drop:all db:schema:load db:migrate:reset db:truncate_all",
    "rake": "db:drop db:reset db:purge db:rollback db:drop:all db:schema:load db:migrate:reset db:truncate_all",
    "manage.py": "flush reset_db reset_schema clean_pyc_all",
    "django-admin": "flush reset_db",
    "artisan": "migrate:fresh migrate:reset migrate:refresh migrate:rollback db:wipe",
    "console": "doctrine:schema:drop doctrine:database:drop",
    "alembic": "downgrade",
    "flask": "downgrade",
    "sequelize": "db:drop db:migrate:undo:all db:migrate:undo",
    "sequelize-cli": "db:drop db:migrate:undo:all db:migrate:undo",
    "knex": "migrate:rollback",
    "typeorm": "schema:drop migration:revert",
    "drizzle-kit": "drop",
    "flyway": "clean",
    "liquibase": "drop-all dropAll rollback",
    "goose": "down reset down-to",
    "migrate": "down drop force",
    "dbmate": "drop down rollback",
    "mix": "ecto.drop ecto.reset ecto.rollback",
    "diesel": "reset revert",
    "sqlx": "drop reset revert",
    "supabase": "reset",
    "mysqladmin": "drop shutdown",
    "wp": "reset drop clean",
    "hasura": "reset clear",
    "drush": "sql-drop sql:drop site:install",
}
FORCES = ("--force", "-f", "--force-reset", "-y", "--yes")
FORCED = frozenset(
    "prisma mysqladmin migrate sqlx artisan console wp drush".split()
)  # with such a flag they ask for no confirmation
CLIENTS = frozenset("psql mysql mariadb sqlite3".split())
DROPS = ("dropDatabase(", ".drop(", "deleteMany({})", "remove({})", "deleteMany( {} )")


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    if call.has_flag("--version", "--dry-run", "--pretend", "--sql"):
        return None
    if any(call.env.get(name) == "test" for name in ("RAILS_ENV", "NODE_ENV", "APP_ENV", "MIX_ENV")):
        return None  # a test database is made to be emptied
    if program == "dropuser":
        return ask(f"`{format_call(call)}` removes a user of the database", "psql -l") if call.args else None
    if program == "dropdb":
        return deny_or_ask(call, "drops the whole database", "psql -l", forced=True)
    if program in ("redis-cli", "valkey-cli", "keydb-cli"):
        return check_redis(call)
    if program in ("mongosh", "mongo"):
        return check_mongo(call)
    if program in ("pg_restore", "mongorestore"):
        hit = call.has_flag("-c", "--clean", "--drop")
        return (
            ask(f"`{format_call(call)}` drops what is there before it restores", "pg_dumpall -f /tmp/backup.sql")
            if hit
            else None
        )
    words = call.operands("-e", "--env", "--schema")
    name = program
    if program in ("python", "python3", "php", "php8", "ruby", "node") and words:
        name = words[0].rpartition("/")[2]
    resets = RESETS.get(name, "").split()
    empties = any(word in resets for word in words)
    if name == "manage.py" and "sqlflush" in words:
        empties = any(taker.program in CLIENTS or "dbshell" in taker.words for taker in call.consumers)
    if name == "manage.py" and words[-1:] == ["zero"] and "migrate" in words:
        empties = True
    if not empties and not (name in ("prisma", "drizzle-kit") and call.has_flag("--force-reset", "--accept-data-loss")):
        return None
    if name == "supabase" and call.has_flag("--linked"):
        return deny_or_ask(call, "empties the database of the linked project", status_command(name), forced=True)
    forced = "DISABLE_DATABASE_ENVIRONMENT_CHECK" in call.env or (call.has_flag(*FORCES) and name in FORCED)
    return deny_or_ask(call, "empties the database or takes tables away", status_command(name), forced=forced)


def deny_or_ask(call: Call, what: str, look: str, *, forced: bool) -> Finding:
    if (forced and not names_trial(call)) or names_production(call):
        return deny(f"`{format_call(call)}` {what}, and nothing asks back", look)
    return ask(f"`{format_call(call)}` {what}", look)


def check_redis(call: Call) -> Finding | None:
    words = [word.upper() for word in (*call.args, *(call.stdin_text or "").split())]
    look = "redis-cli DBSIZE"
    if "FLUSHALL" in words:
        return deny_or_ask(call, "empties every database of the server", look, forced=True)
    if "FLUSHDB" in words or "SHUTDOWN" in words:
        return deny_or_ask(call, "empties the database", look, forced=False)
    if words[-4:-2] == ["CONFIG", "SET"] or words[-2:] == ["CONFIG", "RESETSTAT"]:
        return ask(f"`{format_call(call)}` changes the server for all its clients", "redis-cli CONFIG GET '*'")
    if ("DEL" in words or "UNLINK" in words) and not call.literal:
        return ask(f"`{format_call(call)}` deletes whatever keys it is given", look)
    return None


def check_mongo(call: Call) -> Finding | None:
    text = call.option("--eval", "-eval") or call.stdin_text or ""
    for needle in DROPS:
        if needle in text:
            return deny_or_ask(
                call,
                "drops a database or collection",
                "mongosh --eval 'db.stats()'",
                forced=getattr(text, "literal", True),
            )
    return None


def status_command(name: str) -> str:
    return {
        "prisma": "npx prisma migrate status",
        "rails": "rails db:migrate:status",
        "alembic": "alembic current",
        "manage.py": "python manage.py showmigrations",
        "artisan": "php artisan migrate:status",
    }.get(name, "pg_dumpall -f /tmp/backup.sql")
