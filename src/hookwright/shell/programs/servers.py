"""Programs that serve, work a queue or watch files until somebody stops them.

force    uvicorn app.main:app --reload
force    python -m http.server 8000
force    python manage.py runserver
suggest  python manage.py migrate
none     python manage.py makemigrations
force    rails server
force    celery -A proj worker
none     celery -A proj inspect active
force    redis-server
none     redis-server --daemonize yes
none     nginx -t
force    nodemon src/index.ts
none     pm2 start app.js
force    pm2 logs
"""

from __future__ import annotations

from hookwright.shell.command import Word
from hookwright.shell.programs import asks, behind, each, is_fed, looked_up, number, row_of, table, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

SERVES: Row = ("force", "server", "starts a server that does not end")
WORKS: Row = ("force", "server", "works a queue without end")
WATCHES: Row = ("force", "watch", "watches for changes")
FOLLOWS: Row = ("force", "follow", "follows a log")
TUNNELS: Row = ("force", "server", "keeps a tunnel open")
ASKED: Row = ("none", "server", "only asks or prepares")
DETACHED: Row = ("none", "server", "goes to the background by itself")
REPL: Row = ("force", "terminal", "waits for a person")
TESTS: Row = ("suggest", "test", "runs a test suite")
ONE: Row = ("none", "test", "runs one test or file")
MIGRATES: Row = ("suggest", "database", "changes a database")
BUILDS: Row = ("suggest", "build", "builds")
INSTALLS: Row = ("suggest", "install", "may install or download packages")
CREATES: Row = ("force", "install", "makes a project and installs its packages")

# Flags that send a server to the background, or only check its configuration.
LEAVES = frozenset(
    "--daemon --daemonize --daemonized --detach --detached -detached -daemon --fork --background".split()
)
# Short flags of that meaning; elsewhere -d is a folder, a debug switch or a display.
LEAVES_SHORT = {
    **dict.fromkeys("memcached elasticsearch opensearch puma thin localstack rackup mosquitto".split(), "-d"),
    **dict.fromkeys("gunicorn unicorn haproxy celery overmind".split(), "-D"),
}
ASKS = frozenset(
    "-t -T --check --check-config --test --configtest -V -v -s --print-config --validate -configtest".split()
)


def daemon(call: Call) -> Row:
    """Stays in the foreground unless a flag sends it away."""
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


def with_verb(call: Call) -> Row | None:
    """Servers that are one of several verbs: `consul agent`, `minio server`, `ollama serve`."""
    program = call.program
    row = looked_up(call, VERBS[program], *VALUED.get(program, "").split())
    if row is not None and row[0] == "force" and asks(call):
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
VERBS = {
    "flask": table({SERVES: "run", REPL: "shell", MIGRATES: "db upgrade, db downgrade, db migrate"}),
    "fastapi": table({SERVES: "dev, run"}),
    "quart": table({SERVES: "run", REPL: "shell"}),
    "meteor": table({SERVES: "run, debug, ", REPL: "shell, mongo", TESTS: "test", BUILDS: "build, deploy"}),
    "gin": table({SERVES: "run"}),
    "litestar": table({SERVES: "run", MIGRATES: "database upgrade"}),
    "consul": table({SERVES: "agent", FOLLOWS: "monitor", WATCHES: "watch"}),
    "vault": table({SERVES: "server, agent, proxy"}),
    "nomad": table({SERVES: "agent", FOLLOWS: "monitor"}),
    "minio": table({SERVES: "server, gateway"}),
    "cockroach": table({SERVES: "start, start-single-node, demo", REPL: "sql"}),
    "caddy": table({SERVES: "run, file-server, reverse-proxy, respond"}),
    "temporal": table({SERVES: "server start-dev, server"}),
    "prefect": table({SERVES: "server start, agent start, worker start, orion start"}),
    "airflow": table(
        {
            SERVES: "webserver, scheduler, standalone, api-server, triggerer, celery worker, dag-processor",
            ("force", "job", "runs a pipeline"): "dags backfill, dags test, backfill create",
            ("suggest", "job", "runs a task"): "tasks test, tasks run",
            MIGRATES: "db",
            ASKED: "db check, db shell",
        }
    ),
    "dagster": table(
        {SERVES: "dev", ("force", "job", "runs a pipeline"): "job execute, job launch, asset materialize"}
    ),
    "celery": table({WORKS: "worker, beat, events, flower"}),
    "rq": table({WORKS: "worker, worker-pool, scheduler"}),
    "taskiq": table({WORKS: "worker, scheduler"}),
    "faust": table({WORKS: "worker"}),
    "mlflow": table({SERVES: "ui, server, models serve", ("force", "job", "runs a project"): "run"}),
    "ollama": table(
        {
            SERVES: "serve, start",
            ("force", "download", "downloads a model"): "pull",
            ("suggest", "transfer", "uploads a model"): "push",
            ("suggest", "job", "asks a local model"): "run",
            ("suggest", "build", "makes a model"): "create",
        }
    ),
    "vllm": table({SERVES: "serve", ("force", "job", "runs a model over many prompts"): "run-batch, bench"}),
    "lms": table({SERVES: "log stream", ("force", "download", "downloads a model"): "get"}),
    "supabase": table(
        {
            SERVES: "functions serve, studio",
            ("force", "container", "starts many containers"): "start",
            ("suggest", "container", "stops many containers"): "stop",
            MIGRATES: "db push, db reset, db pull, migration up",
            BUILDS: "functions deploy, gen",
        }
    ),
    "hasura": table({SERVES: "console", MIGRATES: "migrate apply, deploy, metadata apply, seed apply"}),
    "convex": table({SERVES: "dev", BUILDS: "deploy", FOLLOWS: "logs", REPL: "dashboard"}),
    "rasa": table(
        {SERVES: "run, x, interactive", REPL: "shell", ("force", "job", "trains a model"): "train", TESTS: "test"}
    ),
    "prisma": table(
        {
            SERVES: "studio, dev",
            MIGRATES: "migrate, db push, db pull, db seed, db execute",
            BUILDS: "generate",
            ASKED: "migrate status, migrate diff",
        }
    ),
    "localstack": table({SERVES: "start", FOLLOWS: "logs"}),
    "ipfs": table({SERVES: "daemon", ("suggest", "download", "downloads"): "get, pin"}),
    "geth": table({SERVES: ", dev", REPL: "attach, console"}),
    "pm2": table({FOLLOWS: "logs, log", REPL: "monit, imonit", SERVES: "attach"}),
    "forever": table({SERVES: "", FOLLOWS: "logs -f"}),
    "supervisorctl": table({FOLLOWS: "tail -f, fg", REPL: ""}),
    "foreman": table({SERVES: "start, s"}),
    "overmind": table({SERVES: "start, s", REPL: "connect"}),
    "honcho": table({SERVES: "start"}),
    "goreman": table({SERVES: "start"}),
    "ngrok": table({TUNNELS: "http, tcp, tls, start, tunnel"}),
    "cloudflared": table(
        {
            TUNNELS: "tunnel, access, proxy-dns",
            ASKED: "tunnel list, tunnel info, tunnel create, tunnel delete, tunnel route, tunnel cleanup, tunnel token",
        }
    ),
    "symfony": table({SERVES: "serve, server:start, local:server:start", FOLLOWS: "server:log"}),
    "laravel": table({CREATES: "new"}),
    "jupyter": table(
        {
            SERVES: "lab, notebook, nbclassic, server, voila",
            REPL: "console, qtconsole",
            ("suggest", "job", "executes a notebook"): "execute",
        }
    ),
    "panel": table({SERVES: "serve"}),
    "bokeh": table({SERVES: "serve"}),
    "streamlit": table({SERVES: "run, hello"}),
    "chainlit": table({SERVES: "run"}),
    "marimo": table({SERVES: "edit, run, tutorial, new"}),
    "shiny": table({SERVES: "run"}),
    "watchmedo": table({WATCHES: "auto-restart, shell-command, log, tricks"}),
    "gitea": table({SERVES: "web, "}),
    "syncthing": table({SERVES: ", serve"}),
    "rr": table({SERVES: "serve"}),
    "frankenphp": table({SERVES: "run, php-server"}),
    "selenium-standalone": table({SERVES: "start", INSTALLS: "install"}),
    "browser-sync": table({SERVES: "start, "}),
    "pocketbase": table({SERVES: "serve"}),
    "hanami": table({SERVES: "server, dev", REPL: "console", MIGRATES: "db migrate, db prepare"}),
    "buffalo": table({SERVES: "dev", BUILDS: "build", TESTS: "test", MIGRATES: "pop migrate, db migrate"}),
    "nanoc": table({SERVES: "live, view", BUILDS: "compile, "}),
    "middleman": table({SERVES: "server, ", BUILDS: "build"}),
    "vapor": table({SERVES: "run, serve", BUILDS: "build"}),
    "clickhouse": table({SERVES: "server", REPL: "client"}),
    "milvus": table({SERVES: "run"}),
    "ns": table({SERVES: "run, debug, test", BUILDS: "build"}),
    "nativescript": table({SERVES: "run, debug, test", BUILDS: "build"}),
    "surreal": table({SERVES: "start", REPL: "sql"}),
    "neo4j": table({SERVES: "console"}),
    "datasette": table({SERVES: "serve", INSTALLS: "install", ASKED: "inspect, publish, package, plugins"}),
    "solara": table({SERVES: "run"}),
    "textual": table({SERVES: "run, console, serve"}),
    "grafana": table({SERVES: "server"}),
    "pulsar": table({SERVES: "standalone, broker"}),
    "rpk": table({SERVES: "redpanda start", FOLLOWS: "topic consume"}),
    "encore": table({SERVES: "run", TESTS: "test", BUILDS: "build, gen"}),
    "devenv": table({SERVES: "up", REPL: "shell, ", TESTS: "test", BUILDS: "build"}),
    "web-ext": table({SERVES: "run", BUILDS: "sign"}),
    "tailscale": table({TUNNELS: "funnel, nc, ssh, web", ASKED: "funnel status"}),
    "ray": table({SERVES: "dashboard, attach", ("force", "job", "runs a job"): "submit, job submit"}),
}


def ollama(call: Call) -> Row | None:
    """`ollama run model` waits for a person, with a prompt it answers once."""
    if call.verb == "run" and len(call.operands()) < 3 and not is_fed(call):
        return REPL
    return with_verb(call)


def jupyter(call: Call) -> Row | None:
    if call.verb == "nbconvert":
        return ("suggest", "job", "executes a notebook") if call.has_flag("--execute") else None
    if "list" in call.words or "stop" in call.words:
        return None
    return with_verb(call)


def datasette(call: Call) -> Row | None:
    """`datasette data.db` serves; `--get` asks once."""
    if call.has_flag("--get"):
        return None
    return SERVES if call.verb.endswith((".db", ".sqlite", ".sqlite3")) else with_verb(call)


def local_stack(call: Call) -> Row | None:
    return DETACHED if call.has_flag("-d", "--detached") else with_verb(call)


def ray(call: Call) -> Row | None:
    """`ray start` leaves, unless it is told to block."""
    return SERVES if call.verb == "start" and call.has_flag("--block") else with_verb(call)


def marp(call: Call) -> Row | None:
    return SERVES if call.has_flag("-s", "--server", "-w", "--watch", "-p", "--preview") else None


def debugpy(call: Call) -> Row | None:
    """Waits for a debugger; else it is the script that it runs."""
    if call.has_flag("--wait-for-client"):
        return "force", "wait", "waits for a debugger"
    script = [word for word in call.operands("--listen", "--connect", "--pid") if word.endswith(".py")]
    return row_of(within(call, [Word("python"), script[0], *behind(call, script[0])])) if script else None


def pm2(call: Call) -> Row | None:
    if call.has_flag("--no-daemon", "--attach"):
        return SERVES
    return with_verb(call)


def celery(call: Call) -> Row | None:
    """`-D` and `multi start` go to the background."""
    if call.has_flag("-D", "--detach", "--detached"):
        return DETACHED
    return with_verb(call)


DJANGO = table(
    {
        SERVES: "runserver, runserver_plus, runworker, livereload, testserver, tailwind",
        WORKS: "qcluster, rqworker, celery, process_tasks, run_huey, db_worker, rqscheduler",
        REPL: "shell, shell_plus, dbshell, createsuperuser, changepassword",
        TESTS: "test",
        MIGRATES: "migrate, loaddata, dumpdata, flush, reset_db, sqlflush, migrate_schemas, createcachetable",
        BUILDS: "collectstatic, compress, compilemessages, rebuild_index, update_index",
    }
)


def django(call: Call) -> Row | None:
    operands = call.operands("--settings", "--pythonpath")
    if not operands:
        return None
    verb = operands[0]
    if verb == "test":
        labels = operands[1:]
        return ONE if any("." in label for label in labels) or call.has_flag("-k", "--tag") else TESTS
    if verb in {"migrate", "collectstatic"} and call.has_flag("--plan", "--list", "--check", "-n", "--dry-run"):
        return None
    if verb in {"shell", "shell_plus", "dbshell"} and (call.has_flag("-c", "--command") or is_fed(call)):
        return None
    if verb == "createsuperuser" and call.has_flag("--noinput", "--no-input"):
        return None
    row = DJANGO.get(verb)
    if row is None and verb not in QUIET_DJANGO:
        from hookwright.shell.programs.names import hinted, parts

        return hinted(set(parts(verb)), "script")
    return row


QUIET_DJANGO = frozenset(
    "check makemigrations showmigrations sqlmigrate inspectdb diffsettings startapp startproject help show_urls "
    "sendtestemail findstatic optimizemigration squashmigrations version".split()
)


def emulator(call: Call) -> Row | None:
    return SERVES if call.option("-avd") else None


RAILS = table(
    {
        SERVES: "server, s, dev",
        REPL: "console, c, dbconsole, db",
        WORKS: "solid_queue:start, jobs:work, resque:work",
        BUILDS: "assets:precompile, webpacker:compile, zeitwerk:check, tailwindcss:build, javascript:build",
        WATCHES: "tailwindcss:watch",
        MIGRATES: (
            "db:migrate, db:setup, db:reset, db:seed, db:prepare, db:create, db:schema:load, db:rollback, "
            "db:migrate:redo, db:drop, db:structure:load, db:seed:replant, db:test:prepare, db:migrate:reset, "
            "data:migrate"
        ),
        CREATES: "new",
        INSTALLS: "app:update, webpacker:install, importmap:install, active_storage:install",
        TESTS: "test, test:all, test:system, spec, t, test:models, test:integration",
    }
)


def rails(call: Call) -> Row | None:
    operands = call.operands("-p", "-b", "-e", "-P", "--environment")
    if not operands:
        return None
    verb = operands[0]
    row = RAILS.get(verb)
    if row is TESTS:
        from hookwright.shell.programs.tests import limited

        if verb == "test:system" or verb == "test:all":
            return "force", "test", "runs end-to-end tests"
        return ONE if limited(call.args) else TESTS
    if verb in {"runner", "r"} and len(operands) > 1:
        from hookwright.shell.programs.names import script

        return script(operands[1], language="ruby") if operands[1].endswith(".rb") else None
    if verb in {"server", "s"} and call.has_flag("-d", "--daemon"):
        return DETACHED
    if row is REPL and is_fed(call):
        return None
    return row


ARTISAN = table(
    {
        SERVES: "serve, octane:start, reverb:start, websockets:serve, pail",
        WORKS: "queue:work, queue:listen, horizon, schedule:work",
        REPL: "tinker, db",
        TESTS: "test, dusk",
        MIGRATES: "migrate, migrate:fresh, migrate:refresh, migrate:rollback, db:seed, migrate:reset, "
        "schema:dump, db:wipe",
        BUILDS: "scout:import",
    }
)


def php(call: Call) -> Row | None:
    """`php -S` serves; `php artisan x` and `php bin/console x` are their verbs; else a script."""
    if call.has_flag("-S"):
        return SERVES
    operands = call.operands("-d", "-c", "-t", "-z", "-f")
    own = call.args[: len(call.args) - len(behind(call, operands[0])) - 1] if operands else call.args
    if not {"-r", "-v", "-i", "-m", "-l", "--ini", "-h", "-n", "--version"}.isdisjoint(own):
        return None
    if not operands:
        return REPL if "-a" in own else None
    name = operands[0].rpartition("/")[2]
    rest = within(call, [operands[0], *behind(call, operands[0])])
    if name == "artisan":
        return artisan(rest)
    if name in {"phpunit", "pest", "composer", "paratest", "phpstan", "psalm"} or name.removesuffix(".phar") in {
        "composer",
        "phpunit",
        "phpstan",
    }:
        rest.program = name.removesuffix(".phar")
        return row_of(rest)
    if name == "console":
        return symfony_console(rest)
    from hookwright.shell.programs.names import script

    return script(name, language="php")


def artisan(call: Call) -> Row | None:
    row = looked_up(call, ARTISAN)
    if call.has_flag("--pretend", "--once", "--stop-when-empty", "--execute"):
        return None
    if row is TESTS:
        from hookwright.shell.programs.tests import limited

        return ONE if limited(call.args) else TESTS
    return row


def sail(call: Call) -> Row | None:
    """Laravel's docker compose with artisan, composer and the rest inside."""
    verb = call.verb
    if verb in {"artisan", "a", "art"}:
        return artisan(within(call, [call.words[0], *behind(call, verb)]))
    if verb in {"tinker", "shell", "bash", "root-shell", "mysql", "psql", "redis"}:
        return REPL
    if verb in {"test", "t", "dusk", "pest", "phpunit", "share"}:
        return artisan(within(call, [call.words[0], Word("test"), *behind(call, verb)])) if verb != "share" else TUNNELS
    if verb in {"npm", "yarn", "pnpm", "composer", "php", "node", "npx", "bun"}:
        return row_of(within(call, [Word(verb), *behind(call, verb)]))
    return row_of(within(call, [Word("docker-compose"), *call.args]))


def symfony_console(call: Call) -> Row | None:
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


def listens(call: Call) -> Row | None:
    """Nc and socat serve only when they listen."""
    if call.program == "socat":
        return SERVES if any("LISTEN" in word.upper() for word in call.args) else None
    if call.has_flag("-l", "--listen"):
        return SERVES
    return None if call.has_flag("-z") or is_fed(call) or call.has_flag("-w", "-q", "-N") else REPL


def iperf(call: Call) -> Row | None:
    if call.has_flag("-s", "--server"):
        return DETACHED if call.has_flag("-D", "-1") else SERVES
    seconds = number(call.option("-t", "--time"))
    return None if seconds is None else (seconds, "follow", "measures for that long")


def watcher(call: Call) -> Row | None:
    """entr, watchexec, nodemon, inotifywait: run again with every change."""
    program = call.program
    if program == "inotifywait":
        return WATCHES if call.has_flag("-m", "--monitor") else ("force", "wait", "waits for a change")
    if program == "fswatch" and call.has_flag("-1", "--one-event"):
        return "force", "wait", "waits for a change"
    return WATCHES if program != "chokidar" or call.args else None


def console_consumer(call: Call) -> Row | None:
    if call.has_flag("--max-messages", "--timeout-ms", "-c", "-e"):
        return None
    if call.program in {"kcat", "kafkacat"} and not call.has_flag("-C"):
        return None
    return "force", "follow", "follows a topic"


PROGRAMS: dict[str, Handler] = {
    **each(
        "http.server SimpleHTTPServer aiohttp.web uvicorn gunicorn hypercorn daphne granian waitress-serve sanic "
        "twistd mod_wsgi-express puma unicorn thin rackup passenger serve http-server live-server json-server "
        "lite-server webpack-dev-server webpack-serve redis-server valkey-server keydb-server mongod mongos mysqld "
        "mysqld_safe mariadbd postgres memcached nginx httpd apache2 envoy haproxy varnishd squid lighttpd "
        "prometheus alertmanager grafana-server loki promtail otelcol jaeger-all-in-one node_exporter telegraf "
        "influxd elasticsearch opensearch kibana logstash filebeat clickhouse-server cassandra kafka-server-start "
        "kafka-server-start.sh zookeeper-server-start zookeeper-server-start.sh rabbitmq-server nats-server "
        "mosquitto dagster-webserver dagit luigid flower jupyter-lab jupyter-notebook jupyterhub voila gradio "
        "tensorboard aim label-studio llama-server text-generation-launcher ganache ganache-cli anvil reth bitcoind "
        "supervisord moto_server azurite verdaccio dockerd containerd buildkitd sshd Xvfb x11vnc chromedriver "
        "geckodriver selenium-server appium mitmproxy mitmweb mitmdump wiremock mailhog mailpit maildev smtp4dev "
        "code-server ttyd gotty websocketd pm2-runtime tailscaled frpc frps docker-registry mockoon-cli prism "
        "stripe-mock uwsgi pserve miniserve static-web-server simple-http-server darkhttpd devd n8n node-red hass "
        "meilisearch typesense-server qdrant weaviate arangod couchdb rethinkdb questdb coredns fluentd fluent-bit "
        "vector nsqd nsqlookupd beanstalkd zipkin victoria-metrics circusd kubefwd sshuttle jupyterlab notebook "
        "tensorboard.main tsc-watch wxt inspector shotgun hivemind litellm etcd traefik "
        "wmr web-dev-server budo reveal-md smee robyn waitress smtpd aiosmtpd pyftpdlib elm-live dynamodb-local "
        "dnsmasq",
        daemon,
    ),
    **each(
        "flask fastapi quart meteor gin litestar consul vault nomad minio cockroach caddy temporal prefect airflow "
        "dagster rq taskiq faust mlflow vllm lms supabase hasura convex rasa prisma ipfs geth "
        "forever supervisorctl foreman overmind honcho goreman ngrok cloudflared symfony laravel panel "
        "bokeh streamlit chainlit marimo shiny watchmedo gitea syncthing rr frankenphp selenium-standalone "
        "browser-sync pocketbase surreal neo4j solara textual grafana pulsar rpk encore devenv web-ext tailscale "
        "hanami buffalo nanoc middleman vapor clickhouse milvus ns nativescript",
        with_verb,
    ),
    **each("sidekiq resque dramatiq arq rqworker huey_consumer huey_consumer.py clockwork good_job", WORKS),
    **each(
        "nodemon ts-node-dev tsnd node-dev entr watchexec watchman-make onchange fswatch inotifywait reflex air "
        "modd guard rerun wgo gow chokidar chokidar-cli watchfiles hupper CompileDaemon",
        watcher,
    ),
    **each("lt localtunnel bore zrok chisel", TUNNELS),
    "jupyter": jupyter,
    "ollama": ollama,
    "stripe": table({FOLLOWS: "listen, logs"}),
    "emulator": emulator,
    "localstack": local_stack,
    "ray": ray,
    "marp": marp,
    "debugpy": debugpy,
    "datasette": datasette,
    "pm2": pm2,
    "celery": celery,
    **each("manage.py django-admin", django),
    "rails": rails,
    "php": php,
    "artisan": artisan,
    "sail": sail,
    "console": symfony_console,
    **each("nc ncat netcat socat", listens),
    **each("iperf iperf3", iperf),
    **each("kafka-console-consumer kafka-console-consumer.sh kcat kafkacat", console_consumer),
}
