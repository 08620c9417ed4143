"""Judges a call of an MCP tool by its name and by what is in its arguments.

name → mcp_verbs; every text in the arguments → SQL rule, shell reader, protected paths, web addresses, live keys
What an argument is, its key and its own words say. A text that people read (a title, a comment) is no command.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.live_keys import find_live_key
from hookwright.hooks.command_guard.rule_api import Finding, quote_word
from hookwright.hooks.command_guard.tools import mcp_verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.command_guard.guard_settings import ToolSettings

DESTROY_ID = "mcp-destroy"
SEND_ID = "mcp-send"
CHANGE_ID = "mcp-change"
SECRET_ID = "mcp-secret"  # noqa: S105  the id of a rule
KEY_ID = "mcp-key-sent"
DEEP_ID = "mcp-unreadable"

MAX_DEPTH = 12
MAX_TEXTS = 3000
MAX_TEXT = 64 << 10  # characters of one argument that are read as SQL or as a command
# The last word of a key says what its value is.
SQL_KEYS = frozenset("sql query queries statement statements migration mutation ddl dml q cypher".split())
COMMAND_KEYS = frozenset("command cmd commands commandline shell bash cli".split())
CODE_KEYS = frozenset("code script source function expression snippet program".split())
PATH_KEYS = frozenset(
    "path paths file files filepath filename filenames source destination src dest target folder directory dir uri "
    "notebook root output input location".split()
)
URL_KEYS = frozenset("url urls uri href endpoint link address website".split())
# Texts for people: no SQL, no commands.
PROSE_KEYS = frozenset(
    "title body description message text content comment summary name prompt subject thought note notes value label "
    "instructions question answer reason html markdown header caption intent task goal old new search pattern".split()
)
SQL_OBJECTS = frozenset("TABLE DATABASE SCHEMA INDEX VIEW USER ROLE OWNED KEYSPACE MATERIALIZED".split())
SQL_NEXT = frozenset("WHERE CASCADE RESTRICT USING RETURNING LIMIT RESTART AS SET".split())  # after a table's name
DATABASES = ("sql", "postgres", "supabase", "neon", "planetscale", "snowflake", "bigquery", "clickhouse", "duckdb",
             "database", "db", "maria", "oracle", "redshift", "cockroach", "d1", "turso", "prisma",
             "databricks")  # fmt: skip
PROGRAMS = ("kubectl", "terraform", "tofu", "helm", "docker", "git", "gh", "aws", "gcloud", "az", "npm", "pulumi",
            "vercel", "wrangler", "heroku", "flyctl", "ansible", "redis-cli", "istioctl")  # fmt: skip
PLACES = ("database", "db", "database_name", "connection", "host", "environment", "env", "project", "branch", "schema")
WRITE_WORDS = frozenset(
    "write edit create move copy rename delete remove append save update insert replace put add mkdir upload make "
    "modify set patch touch rm mv cp".split()
)
FILE_SERVERS = ("file", "fs", "desktop", "commander", "editor", "serena", "shell", "terminal", "ide")
METHODS = ("POST", "PUT", "PATCH", "DELETE")
BROWSER_SECRETS = ("document.cookie", "localStorage", "sessionStorage", "indexedDB")
BROWSER_SENDS = ("fetch(", "XMLHttpRequest", "sendBeacon", "WebSocket(", ".src=", ".src =")
VERDICTS = {
    mcp_verbs.ERASE: ("deny", DESTROY_ID, "would delete a whole store with everything in it"),
    mcp_verbs.DESTROY: ("ask", DESTROY_ID, "deletes something, perhaps for good"),
    mcp_verbs.SEND: ("ask", SEND_ID, "sends something to people, in your name"),
    mcp_verbs.CHANGE: ("ask", CHANGE_ID, "changes what others use, or costs money"),
    mcp_verbs.SECRET: ("ask", SECRET_ID, "prints a secret into the conversation"),
}


def check(settings: ToolSettings, tool: str, given: Mapping[str, Any], cwd: str, mode: str) -> list[Finding]:
    server, _, name = tool[5:].partition("__")
    if name == "AskUserQuestion":
        return []
    call = McpCall(settings, server, name, given, cwd)
    findings = call.check_name()
    texts: list[tuple[str, str]] = []
    if not collect_texts(given, "", texts, 0):
        found = Finding("ask", f"the arguments of {call.shown} are nested too deeply, or too many, to be read", "")
        found.rule = DEEP_ID
        findings.append(found)
    for key, text in call.join_arguments(texts):
        findings += call.check_text(key, text)
    findings += call.check_request() + call.check_key(texts) + call.check_program()
    return findings


def collect_texts(value: Any, key: str, found: list[tuple[str, str]], depth: int) -> bool:
    """Every text in the arguments with the key it stands under; False if not all of it was read."""
    if depth > MAX_DEPTH or len(found) > MAX_TEXTS:
        return False
    if isinstance(value, str):
        if value:
            found.append((key, value))
        return True
    if isinstance(value, dict):
        return all(collect_texts(item, str(name), found, depth + 1) for name, item in value.items())
    if isinstance(value, list | tuple):
        if value and all(isinstance(item, str) for item in value) and last_word(key) in COMMAND_KEYS | {"args", "argv"}:
            found.append((key, " ".join(map(quote_word, value))))
            return True
        return all(collect_texts(item, key, found, depth + 1) for item in value)
    return True


def last_word(key: str) -> str:
    words = mcp_verbs.split_words(key)
    return words[-1] if words else ""


def has_sql_shape(text: str) -> bool:
    """`DROP TABLE a`, `DELETE FROM a WHERE …`, `UPDATE a SET …`: a statement, and no sentence that begins alike."""
    for part in text[:MAX_TEXT].split(";")[:50]:
        words = part.upper().split()
        if len(words) < 2:
            continue
        head, rest = words[0], words[1:]
        if head == "DROP" and rest[0] in SQL_OBJECTS:
            rest = [word for word in rest[1:] if word not in ("IF", "EXISTS", "VIEW")]
        elif head == "TRUNCATE":
            rest = [word for word in rest if word != "TABLE"]
        elif head == "DELETE" and rest[0] == "FROM":
            rest = rest[1:]
        elif head == "UPDATE" and "SET" in rest[1:3]:
            return True
        elif not (head == "ALTER" and rest[0] in SQL_OBJECTS and len(rest) > 2):
            continue
        if rest and (len(rest) == 1 or rest[1] in SQL_NEXT or rest[0][-1] == "," or head == "ALTER"):
            return True
    return False


class McpCall:
    """One call: who is called, with what, and what the words of its name say."""

    def __init__(self, settings: ToolSettings, server: str, name: str, given: Mapping[str, Any], cwd: str) -> None:
        self.settings = settings
        self.server = server.lower()
        self.name = name
        self.given = given
        self.cwd = cwd
        self.words = mcp_verbs.split_words(name)
        self.shown = f"{server}'s {name}"
        self.browser = any(part in self.server for part in mcp_verbs.BROWSERS)
        self.kind, self.why = mcp_verbs.classify_call(server, name, given)
        self.writes = not WRITE_WORDS.isdisjoint(self.words)
        self.files = any(part in self.server for part in FILE_SERVERS) or "file" in self.words

    def check_name(self) -> list[Finding]:
        row = VERDICTS.get(self.kind)
        if row is None or (self.kind == mcp_verbs.DESTROY and self.is_own_scratch()):
            return []
        verdict, rule, what = row
        if self.kind == mcp_verbs.DESTROY and self.deletes_everything():
            verdict, what = "deny", "has no filter: it would delete everything"
        about = self.subject()
        found = Finding(verdict, f"{self.shown}{about} {what}", "")
        found.rule = rule
        return [found]

    def subject(self) -> str:
        """What the call is about, for the reason: the first short text among its arguments."""
        for value in self.given.values():
            if isinstance(value, str) and 0 < len(value) <= 80 and "\n" not in value:
                return f" ({value})"
        return ""

    def deletes_everything(self) -> bool:
        """`delete-many` with an empty filter."""
        return "many" in self.words and any(self.given.get(name) == {} for name in ("filter", "query"))

    def is_own_scratch(self) -> bool:
        """Deletes a file that this session made."""
        path = self.given.get("path")
        scratch = getattr(self.settings, "session", None)
        return scratch is not None and self.files and isinstance(path, str) and scratch.is_scratch(path, self.cwd)

    # -- arguments

    def join_arguments(self, texts: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """`command: rm, args: [-rf, /]` as one command."""
        command, args = self.given.get("command"), self.given.get("args")
        if not isinstance(command, str) or not isinstance(args, list | tuple):
            return texts
        words = [quote_word(word) for word in args if isinstance(word, str)]
        return [("command", " ".join((command, *words))), *(row for row in texts if row[0] not in ("command", "args"))]

    def check_text(self, key: str, text: str) -> list[Finding]:
        last = last_word(key)
        findings: list[Finding] = []
        if last in URL_KEYS or "://" in text[:12]:
            findings += self.check_url(text)
        if last in PATH_KEYS or text[:7] == "file://":
            findings += self.check_path(text.removeprefix("file://"))
        if last in COMMAND_KEYS or (last in ("args", "argv") and self.runs_programs()):
            findings += self.check_command(text[:MAX_TEXT])
        elif (last in CODE_KEYS and last not in PATH_KEYS | {"source"}) or (last == "function" and self.browser):
            findings += self.check_code(text[:MAX_TEXT])
        if last in ("query", "cypher") and "cypher" in (*self.words, last):
            findings += self.check_cypher(text)
        elif not self.browser and self.is_sql(last, text):
            findings += self.check_sql(text[:MAX_TEXT])
        return findings

    def runs_programs(self) -> bool:
        return not {"run", "exec", "execute", "start", "spawn", "call", "kubectl", "cli"}.isdisjoint(self.words)

    def is_sql(self, last: str, text: str) -> bool:
        """Whether a database gets this text: its key says so there, its own shape elsewhere."""
        database = any(name in self.server for name in DATABASES) or "sql" in self.words
        if last in SQL_KEYS and (database or ("query" in self.words and "search" not in self.words)):
            return True
        if last in PROSE_KEYS or (self.kind == mcp_verbs.READ and not database):
            return False
        return has_sql_shape(text)

    def check_sql(self, text: str) -> list[Finding]:
        """Through the rule for SQL clients, as if a client had been started with this text."""
        place = " ".join(quote_word(str(self.given[name])) for name in PLACES if isinstance(self.given.get(name), str))
        if "sqlite" in self.server or "duckdb" in self.server:
            command = f"sqlite3 app.db {quote_word(text)}"
        elif "mysql" in self.server or "maria" in self.server:
            command = f"mysql {place} -e {quote_word(text)}"
        elif "cassandra" in self.server:
            command = f"cqlsh -e {quote_word(text)}"
        else:
            command = f"psql {place} -c {quote_word(text)}"
        return [self.reword(finding) for finding in self.judge(command) if finding.rule == "sql-destroy"]

    def check_cypher(self, text: str) -> list[Finding]:
        """`MATCH (n) DETACH DELETE n` empties a graph."""
        words = text.upper().replace("(", " ").replace(")", " ").split()
        if "DELETE" not in words and "DROP" not in words:
            return []
        whole = "DROP" in words or ("WHERE" not in words and "{" not in text)
        why = "deletes a whole graph" if whole else "deletes part of a graph"
        found = Finding("deny" if whole else "ask", f"{self.shown}: `{' '.join(text.split())[:80]}` {why}", "")
        found.rule = "sql-destroy"
        return [found]

    def check_command(self, text: str) -> list[Finding]:
        findings = self.judge(text)
        program = next((name for name in PROGRAMS if name in self.words or name in self.server), "")
        if program and text.split(None, 1)[:1] != [program]:
            rest = [self.given.get(name) for name in ("resourceType", "resource", "name", "subcommand")]
            more = " ".join(quote_word(word) for word in rest if isinstance(word, str))
            findings += self.judge(f"{program} {text} {more}")
        return [self.reword(finding) for finding in findings]

    def check_code(self, text: str) -> list[Finding]:
        if self.browser:
            return self.check_browser_code(text)
        language = str(self.given.get("language") or self.given.get("lang") or "").lower() or " ".join(self.words)
        lines = [line.lstrip()[1:] for line in text.split("\n") if line.lstrip()[:1] == "!"]  # of a notebook's cell
        if text.lstrip()[:6] in ("%%bash", "%%sh\n"):
            lines = [text.partition("\n")[2]]
        if lines:
            return [self.reword(finding) for finding in self.judge("\n".join(lines))]
        if "python" in language or "jupyter" in self.server or "cell" in self.words or "import " in text:
            return [self.reword(finding) for finding in self.judge(f"python3 -c {quote_word(text)}")]
        if any(name in language for name in ("bash", "shell", "sh")):
            return [self.reword(finding) for finding in self.judge(text)]
        return [self.reword(finding) for finding in self.judge(f"node -e {quote_word(text)}")]

    def check_browser_code(self, text: str) -> list[Finding]:
        reads = next((name for name in BROWSER_SECRETS if name in text), "")
        if not reads:
            return []
        sends = any(name in text for name in BROWSER_SENDS)
        what = f"reads {reads}, where a page keeps its logins" + (", and sends something" if sends else "")
        found = Finding("ask", f"the script of {self.shown} {what}", "")
        found.rule = SECRET_ID
        return [found]

    def check_path(self, path: str) -> list[Finding]:
        if not path or len(path) > 4096 or "\n" in path or "://" in path:
            return []
        from hookwright.hooks.command_guard.file_access import OUTSIDE, evaluate_file_access

        found = evaluate_file_access(self.settings, path, self.cwd, self.shown, writes=self.writes)
        if self.files and path.startswith(("/", "~/", "../")):
            return found
        return [finding for finding in found if finding.rule != "protected-" + OUTSIDE]  # a path on the server

    def check_url(self, url: str) -> list[Finding]:
        from hookwright.hooks.command_guard.tools.web import check_url

        return check_url(url.strip(), self.shown) if "://" in url else []

    def check_request(self) -> list[Finding]:
        """A tool that makes HTTP requests with a method of the caller's choice."""
        method, url = self.given.get("method"), self.given.get("url") or self.given.get("endpoint")
        if method not in METHODS or not isinstance(url, str) or "://" not in url:
            return []
        return [self.reword(finding) for finding in self.judge(f"curl -X {method} {quote_word(url)}")]

    def check_program(self) -> list[Finding]:
        """The server of a command-line program, whose tools are its subcommands: `pulumi`'s `up`."""
        if self.server not in PROGRAMS or self.kind or self.server in self.words:
            return []
        return [self.reword(finding) for finding in self.judge(f"{self.server} {' '.join(self.words)}")]

    def check_key(self, texts: list[tuple[str, str]]) -> list[Finding]:
        """A live-looking key that goes to a server, or into a file."""
        for key, text in texts:
            kind = find_live_key(text) if last_word(key) not in ("token", "key", "secret", "password") else ""
            if kind:
                found = Finding("ask", f"{self.shown} would be given {kind}, which looks live, as {key}", "")
                found.rule = KEY_ID
                return [found]
        return []

    def judge(self, command: str) -> list[Finding]:
        from hookwright.hooks.command_guard.policy import evaluate_command

        cwd = next((self.given[name] for name in ("cwd", "workdir", "working_directory") if self.given.get(name)), None)
        return evaluate_command(self.settings, command, cwd if isinstance(cwd, str) and cwd[:1] == "/" else self.cwd)

    def reword(self, finding: Finding) -> Finding:
        """Names the tool: its reason quotes a command that nobody typed."""
        found = Finding(finding.verdict, f"{self.shown}: {finding.reason}", "")
        found.rule = finding.rule
        return found
