"""Programs that serve, work a queue or watch files until stopped.

The programs and their tables are in servers.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.call import Word
from hookwright.shell.programs import (
    args_after,
    has_input,
    has_quick_verb,
    look_up_verb,
    make_inner_call,
    parse_number,
    row_of,
)
from hookwright.shell.programs.servers_table import (
    ARTISAN,
    ASKED,
    ASKS,
    BUILDS,
    DETACHED,
    DJANGO,
    FOLLOWS,
    LEAVES,
    MIGRATES,
    ONE,
    QUIET_DJANGO,
    RAILS,
    REPL,
    SERVES,
    TESTS,
    TUNNELS,
    WATCHES,
    WORKS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row, Table


# Short flags that detach; for other programs -d is a folder, a debug switch or a display.
LEAVES_SHORT = {
    **dict.fromkeys("memcached elasticsearch opensearch puma thin localstack rackup mosquitto".split(), "-d"),
    **dict.fromkeys("gunicorn unicorn haproxy celery overmind".split(), "-D"),
}


def classify_daemon(call: Call) -> Row:
    """A server that stays in the foreground, unless a flag makes it a daemon or only checks its configuration."""
    program = call.program
    args = call.args
    if program == "redis-server" or program in {"valkey-server", "keydb-server"}:
        return DETACHED if call.option("--daemonize") == "yes" else SERVES
    if program == "dnsmasq":
        return SERVES if call.has_flag("-k", "-d", "--keep-in-foreground", "--no-daemon") else DETACHED
    if program == "sshd":
        return SERVES if call.has_flag("-D", "-d", "-e") else DETACHED
    if program == "haproxy" and "-c" in args:
        return "none", "server", "only checks"
    if program == "nginx":
        if not ASKS.isdisjoint(args):
            return "none", "server", "only checks or signals"
        return SERVES if "daemon off" in call.text else DETACHED
    if program in {"httpd", "apache2"}:
        return SERVES if "FOREGROUND" in call.text or not {"-X", "-f", "-fv"}.isdisjoint(args) else DETACHED
    if "--check-config" in args or call.verb in {"validate", "version", "help", "check", "healthcheck"}:
        return "none", "server", "only checks"
    if not LEAVES.isdisjoint(args) or LEAVES_SHORT.get(program) in args or "--shutdown" in args:
        return DETACHED
    if program in {"postgres", "mysqld", "mariadbd"} and call.has_flag(
        "--version", "-V", "--initialize", "--help", "-C"
    ):
        return "none", "server", "only asks or prepares"
    return SERVES


def classify_server_verb(call: Call, table: Table) -> Row | None:
    """Programs of which some verbs start a server: `consul agent`, `minio server`, `ollama serve`."""
    program = call.program
    row = look_up_verb(call, table, *VALUED.get(program, "").split())
    if row is not None and row[0] == "force" and has_quick_verb(call):
        return ASKED
    if row is SERVES and (not LEAVES.isdisjoint(call.args) or LEAVES_SHORT.get(program) in call.args):
        return DETACHED
    if row is FOLLOWS and call.has_flag("--nostream", "--no-follow", "-n", "--lines"):
        return (
            None if (not call.has_flag("-f", "--follow") and program != "pm2") or call.has_flag("--nostream") else row
        )
    return row


VALUED = {
    "flask": "--app -A -e --env-file",
    "celery": "-A --app -b --broker --workdir",
    "vault": "-address",
    "ollama": "",
    "airflow": "",
}


def classify_ollama(call: Call, table: Table) -> Row | None:
    """`ollama run model` waits for a person, with a prompt it answers once."""
    if call.verb == "run" and len(call.operands()) < 3 and not has_input(call):
        return REPL
    return classify_server_verb(call, table)


def classify_jupyter(call: Call, table: Table) -> Row | None:
    if call.verb == "nbconvert":
        return ("suggest", "job", "executes a notebook") if call.has_flag("--execute") else None
    if not {"list", "stop", "password", "extension", "--version", "--paths"}.isdisjoint(call.words):
        return None
    return classify_server_verb(call, table)


def classify_datasette(call: Call, table: Table) -> Row | None:
    """`datasette data.db` serves; `--get` asks once."""
    if call.has_flag("--get"):
        return None
    return SERVES if call.verb.endswith((".db", ".sqlite", ".sqlite3")) else classify_server_verb(call, table)


def classify_localstack(call: Call, table: Table) -> Row | None:
    return DETACHED if call.has_flag("-d", "--detached") else classify_server_verb(call, table)


def classify_ray(call: Call, table: Table) -> Row | None:
    """`ray start` detaches, unless `--block` is given."""
    return SERVES if call.verb == "start" and call.has_flag("--block") else classify_server_verb(call, table)


def classify_debugpy(call: Call) -> Row | None:
    """`--wait-for-client` waits for a debugger; otherwise the script is classified."""
    if call.has_flag("--wait-for-client"):
        return "force", "wait", "waits for a debugger"
    script = [word for word in call.operands("--listen", "--connect", "--pid") if word.endswith(".py")]
    return row_of(make_inner_call(call, [Word("python"), script[0], *args_after(call, script[0])])) if script else None


def classify_pm2(call: Call, table: Table) -> Row | None:
    if call.has_flag("--no-daemon", "--attach"):
        return SERVES
    return classify_server_verb(call, table)


def classify_celery(call: Call, table: Table) -> Row | None:
    """`-D` and `multi start` go to the background."""
    if call.has_flag("-D", "--detach", "--detached"):
        return DETACHED
    return classify_server_verb(call, table)


def classify_django(call: Call) -> Row | None:
    operands = call.operands("--settings", "--pythonpath")
    if not operands:
        return None
    verb = operands[0]
    if verb == "test":
        labels = operands[1:]
        return ONE if any("." in label for label in labels) or call.has_flag("-k", "--tag") else TESTS
    if verb in {"migrate", "collectstatic"} and call.has_flag("--plan", "--list", "--check", "-n", "--dry-run"):
        return None
    if verb in {"shell", "shell_plus", "dbshell"} and (call.has_flag("-c", "--command") or has_input(call)):
        return None
    if verb == "createsuperuser" and call.has_flag("--noinput", "--no-input"):
        return None
    row = DJANGO.get(verb)
    if row is None and verb not in QUIET_DJANGO:
        from hookwright.shell.programs.name_hints import classify_name_hints, split_name

        return classify_name_hints(set(split_name(verb)), "script")
    return row


def classify_emulator(call: Call) -> Row | None:
    return SERVES if call.option("-avd") else None


def classify_rails(call: Call) -> Row | None:
    operands = call.operands("-p", "-b", "-e", "-P", "--environment")
    if not operands:
        return None
    verb = operands[0]
    row = RAILS.get(verb)
    if row is TESTS:
        from hookwright.shell.programs.tests import names_few_tests

        if verb == "test:system" or verb == "test:all":
            return "force", "test", "runs end-to-end tests"
        return ONE if names_few_tests(call.args) else TESTS
    if verb in {"runner", "r"} and len(operands) > 1:
        from hookwright.shell.programs.name_hints import classify_script_name

        return classify_script_name(operands[1], language="ruby") if operands[1].endswith(".rb") else None
    if verb in {"server", "s"} and call.has_flag("-d", "--daemon"):
        return DETACHED
    if row is REPL and has_input(call):
        return None
    return row


def classify_php(call: Call) -> Row | None:
    """`php -S` serves; `php artisan x` and `php bin/console x` are their verbs; else a script."""
    if call.has_flag("-S"):
        return SERVES
    operands = call.operands("-d", "-c", "-t", "-z", "-f")
    own = call.args[: len(call.args) - len(args_after(call, operands[0])) - 1] if operands else call.args
    if not {"-r", "-v", "-i", "-m", "-l", "--ini", "-h", "-n", "--version"}.isdisjoint(own):
        return None
    if not operands:
        return REPL if "-a" in own else None
    name = operands[0].rpartition("/")[2]
    rest = make_inner_call(call, [operands[0], *args_after(call, operands[0])])
    if name == "artisan":
        return classify_artisan(rest)
    if name in {"phpunit", "pest", "composer", "paratest", "phpstan", "psalm"} or name.removesuffix(".phar") in {
        "composer",
        "phpunit",
        "phpstan",
    }:
        rest.program = name.removesuffix(".phar")
        return row_of(rest)
    if name == "console":
        return classify_symfony_console(rest)
    from hookwright.shell.programs.name_hints import classify_script_name

    return classify_script_name(name, language="php")


def classify_artisan(call: Call) -> Row | None:
    row = look_up_verb(call, ARTISAN)
    if call.has_flag("--pretend", "--once", "--stop-when-empty", "--execute"):
        return None
    if row is TESTS:
        from hookwright.shell.programs.tests import names_few_tests

        return ONE if names_few_tests(call.args) else TESTS
    return row


def classify_sail(call: Call) -> Row | None:
    """Laravel's docker compose with artisan, composer and the rest inside."""
    verb = call.verb
    if verb in {"artisan", "a", "art"}:
        return classify_artisan(make_inner_call(call, [call.words[0], *args_after(call, verb)]))
    if verb in {"tinker", "shell", "bash", "root-shell", "mysql", "psql", "redis"}:
        return REPL
    if verb in {"test", "t", "dusk", "pest", "phpunit", "share"}:
        return (
            classify_artisan(make_inner_call(call, [call.words[0], Word("test"), *args_after(call, verb)]))
            if verb != "share"
            else TUNNELS
        )
    if verb in {"npm", "yarn", "pnpm", "composer", "php", "node", "npx", "bun"}:
        return row_of(make_inner_call(call, [Word(verb), *args_after(call, verb)]))
    return row_of(make_inner_call(call, [Word("docker-compose"), *call.args]))


def classify_symfony_console(call: Call) -> Row | None:
    verb = call.verb
    if verb.startswith(
        ("doctrine:migrations:migrate", "doctrine:fixtures", "doctrine:database", "doctrine:schema:update")
    ):
        return MIGRATES
    if verb == "messenger:consume":
        return WORKS
    return (
        SERVES if verb.startswith("server:") and verb != "server:stop" else BUILDS if verb == "cache:warmup" else None
    )


def classify_netcat(call: Call) -> Row | None:
    """Nc and socat serve only when they listen."""
    if call.program == "socat":
        return SERVES if any("LISTEN" in word.upper() for word in call.args) else None
    if call.has_flag("-l", "--listen"):
        return SERVES
    return None if call.has_flag("-z") or has_input(call) or call.has_flag("-w", "-q", "-N") else REPL


def classify_iperf(call: Call) -> Row | None:
    if call.has_flag("-s", "--server"):
        return DETACHED if call.has_flag("-D", "-1") else SERVES
    seconds = parse_number(call.option("-t", "--time"))
    return None if seconds is None else (seconds, "follow", "measures for that long")


def classify_watcher(call: Call) -> Row | None:
    """entr, watchexec, nodemon, inotifywait: run again with every change."""
    program = call.program
    if program == "inotifywait":
        return WATCHES if call.has_flag("-m", "--monitor") else ("force", "wait", "waits for a change")
    if program == "fswatch" and call.has_flag("-1", "--one-event"):
        return "force", "wait", "waits for a change"
    return WATCHES if program != "chokidar" or call.args else None


def classify_console_consumer(call: Call) -> Row | None:
    if call.has_flag("--max-messages", "--timeout-ms", "-c", "-e"):
        return None
    if call.program in {"kcat", "kafkacat"} and not call.has_flag("-C"):
        return None
    return "force", "follow", "follows a topic"
