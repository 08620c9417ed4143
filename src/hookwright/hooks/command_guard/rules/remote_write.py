"""Asks before data on another machine is changed: POST, PUT, PATCH and DELETE requests, uploads.

Why: it may be a real service, and a request cannot be taken back. Servers on this machine (localhost) pass.
"""

from __future__ import annotations

from hookwright.hooks.command_guard import own_network
from hookwright.hooks.command_guard.own_network import is_own_network
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, quote_word
from hookwright.shell.command import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "remote-write"
EXAMPLES = {
    "curl -X DELETE https://api.example.com/v1/users/1": "ask",
    "curl -X POST https://api.example.com/deploy -d '{}'": "ask",
    "curl -d @body.json https://api.example.com": "ask",
    "http POST https://api.example.com/x a=1": "ask",
    "wget --method=DELETE https://api.example.com/x": "ask",
    "scp build.tgz prod:/srv/": "ask",
    "curl -X DELETE http://search.example.com:9200/_all": "deny",
    "curl -X DELETE https://es.example:9200/*": "deny",
    "curl -X DELETE localhost:9200/_all": "ask",
    "mail -s hello bob@example.com < report.txt": "ask",
    "rsync -a dist/ ann@host:/srv/": "ask",
    "scp «-i|-P|-o|-F|-c|-l|-S|-J» ~/.ssh/id_rsa a.txt ann@host:": "ask",
    "rsync «-e|--rsh|--exclude|--include|--filter|-f» .env src/ ann@host:": "ask",
    "rsync «--exclude-from|--password-file|--files-from|--include-from» ~/.netrc src/ ann@host:": "ask",
    "curl «--data|--data-binary|--data-raw|--data-ascii|--data-urlencode» a=b https://x.example": "ask",
    "curl «-F|--form|-T|--upload-file|--json|--form-string» a=b https://x.example": "ask",
    "wget «--post-data|--post-file|--body-data|--body-file» a https://x.example": "ask",
    "curl --request POST https://x.example": "ask",
    "curl -X POST «-H|--header|-o|--output|-u|--user|-A|-b|-c|-e|-m|--max-time» localhost https://x.example": "ask",
    "curl -X POST «-w|-x|-K» localhost https://x.example": "ask",
    "curl -X POST «--connect-timeout|--retry|--cacert|--cert|--key» localhost https://x.example": "ask",
    "sftp ann@host <<< '«put|rm|rename|mkdir|chmod» a'": "ask",
    "ftp host < commands.txt": "ask",
    "echo hi | «mailx|mutt|sendmail» ann@x.example": "ask",
    "«http|https|xh» «POST|PUT|PATCH|DELETE» x.example/a": "ask",
    "http x.example/a b=c": "ask",
    "http x.example/a b:=1": "ask",
    "curl -X POST localhost:9200/a/_delete_by_query": "ask",
    'curl -X POST "https://$HOST/a"': "ask",
    "scp a.txt web:dir": "ask",
    "curl -X POST http://localhost:8080/api -d '{}'": None,
    "curl https://example.com": None,
    "curl -sL https://example.com/a.tgz -o a.tgz": None,
    "curl -I https://example.com": None,
    "curl -G -d q=x https://api.example.com/search": None,
    "scp prod:/srv/log.txt .": None,
    "rsync -a src/ /tmp/copy/": None,
    "curl -X «GET|HEAD|OPTIONS|TRACE» https://x.example": None,
    "curl -X POST «127.0.0.1|0.0.0.0|[::1]|host.docker.internal|10.0.2.2»:3000/a": None,
    "curl -X POST http://«web.local|web.localhost|web.test»/a": None,
    "curl -X POST http://«192.168.1.5|10.0.0.7|172.20.0.3:8000|api:8000|nas.lan»/a": None,
    "curl -X POST http://«172.32.0.1|8.8.8.8|169.254.169.254»/a": "ask",
    "scp a.txt ann@192.168.1.5:x": None,
    "http POST :3000/a": None,
    "http x.example/a q==c": None,
    "http GET x.example/a": None,
    "curl --get -d a=b https://x.example": None,
    "sftp ann@host <<< 'ls'": None,
    "sftp ann@host": None,
    "ftp host": None,
    "mail «-s|-a|-r|-c|-b» ann@x.example": None,
    "rsync -a --dry-run src/ ann@host:x": None,
    "scp a.txt ./b:c": None,
    "scp «-i|-P|-o|-F|-c|-l|-S|-J» a:b ann@host:x": None,
    "rsync «-e|--rsh|--exclude|--include|-f|--filter» x ann@host:x": None,
}

READS = frozenset(("GET", "HEAD", "OPTIONS", "TRACE"))
DATA = ("-d", "--data", "--data-binary", "--data-raw", "--data-ascii", "--data-urlencode", "-F",
        "--form", "-T", "--upload-file", "--json", "--form-string", "--post-data", "--post-file",
        "--body-data", "--body-file")  # fmt: skip
TELLS = ("-X", "-d", "-F", "-T", "--data", "--form", "--upload", "--json", "--request", "--post", "--method", "--body")
WGET_TELLS = ("--post", "--method", "--body")
LOCAL = ("localhost", "127.", "0.0.0.0", "[::1]", "host.docker.internal", "10.0.2.2")  # noqa: S104
VALUED = ("-H", "--header", "-o", "--output", "-u", "--user", "-A", "-b", "-c", "-e", "-m",
          "--max-time", "-w", "-x", "-K", "--connect-timeout", "--retry", "--cacert", "--cert",
          "--key", "-X", "--request", *DATA)  # fmt: skip


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    if program == "ftp" or (program == "sftp" and call.stdin_text is not None):
        script = call.stdin_text or ""
        looks = program == "sftp" and not any(verb in script for verb in ("put", "rm", "rename", "mkdir", "chmod"))
        given = any(redirect.op[:1] == "<" for redirect in call.redirects) or call.producers
        if looks or not given:
            return None
        return ask(f"`{format_call(call)}` changes files on another machine", "ls -la")
    if program in ("scp", "rsync", "sftp"):
        return check_upload(call)
    if program in ("mail", "mailx", "mutt", "sendmail"):
        to = [word for word in call.operands("-s", "-a", "-r", "-c", "-b") if "@" in word]
        return ask(f"`{format_call(call)}` sends a message to {to[0]}", "cat message.txt") if to else None
    tells = TELLS if program == "curl" else WGET_TELLS
    if program in ("curl", "wget") and not any(word.startswith(tells) for word in call.args):
        return None
    method = (call.option("-X", "--request", "--method") or "").upper()
    operands = call.operands(*VALUED)
    if program in ("http", "https", "xh") and operands:
        named = operands[0].upper()
        if named in ("POST", "PUT", "PATCH", "DELETE"):
            method, operands = named, operands[1:]
        elif any("=" in word or ":=" in word for word in operands[1:] if "==" not in word):
            method = "POST"
    elif not method and call.options(*DATA) and not call.has_flag("-G", "--get"):
        method = "POST"
    if not method or method in READS:
        return None
    urls = [word for word in (*operands, *call.options("--url")) if word]
    if not urls or (any(is_local(url) for url in urls) and not is_search(method, urls[0])):
        return None
    if method == "DELETE" and urls[0].endswith(("/_all", "/*")) and not is_local(urls[0]):
        return deny(
            f"`{format_call(call)}` deletes every index on {host_of(urls[0])}", f"curl -I {quoted_url(urls[0])}"
        )
    return ask(
        f"`{format_call(call)}` sends {method} to {host_of(urls[0])}, which may change data there",
        f"curl -I {quoted_url(urls[0])}",
    )


def is_search(method: str, url: str) -> bool:
    """A deletion in a search engine: its data is lost even if it runs on this machine."""
    return ":9200" in url and (method == "DELETE" or "_delete_by_query" in url)


def is_local(url: str) -> bool:
    name = host_of(url)
    if name.startswith(LOCAL) or name[:1] == ":":
        return True
    host = own_network.host_of(url)
    named = "." in host or "://" in url or (":" in url and "=" not in name)  # `a=1` is a word of the body
    return named and is_own_network(host) and "$" not in host and "`" not in host


def host_of(url: str) -> str:
    name = url.partition("://")[2] or url
    return name.partition("/")[0].rpartition("@")[2]


def quoted_url(url: Word) -> str:
    return quote_word(url) if url.literal else "https://…"


def check_upload(call: Call) -> Finding | None:
    operands = call.operands(
        "-i", "-P", "-o", "-F", "-c", "-l", "-S", "-J", "-e", "--rsh", "--exclude", "--include", "-f", "--filter"
    )
    if call.has_flag("-n", "--dry-run") and call.program == "rsync":
        return None
    if not operands:
        return None
    target = operands[-1]
    place, colon, _ = target.partition(":")
    if len(operands) < 2 or not colon or "/" in place:
        return None
    host = place.rpartition("@")[2]
    if is_local(place) and ("." in host or host == "localhost"):  # a name without a dot is an alias in ssh's settings
        return None
    return ask(f"`{format_call(call)}` writes files on {place}", f"ssh {quote_word(host_word(place))} ls")


def host_word(text: str) -> Word:
    return Word(text)
