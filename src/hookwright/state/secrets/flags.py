"""Secrets that a program takes: in its flags, as a bare word, or through a pipe from echo.

Reads words as a shell would, with quotes, and the commands inside quoted words too.
"""

from __future__ import annotations

from hookwright.state.secrets.names import names_secret, stands_in, until

TYPE_CHECKING = False  # the door must not import typing
if TYPE_CHECKING:
    Spot = tuple[int, int, str]
    Span = tuple[int, int]

DEPTH = 3  # ssh host 'bash -c "…"'

# Flags that take a secret, by program: the flag, where its value is ("joined" to it, the "next" word, "both"),
# the sign after which the value is secret ("" for all of it), and a word that must stand before it ("" for none).
_LOGIN = (("-p", "both", "", "login"),)
_MONGO = (("-p", "both", "", ""),)
_LDAP = (("-w", "next", "", ""),)
_SMALL_P = (("-p", "next", "", ""),)
_LARGE_P = (("-P", "both", "", ""),)
_JOINED_P = (("-p", "joined", "", ""),)
_SAMBA = (("-U", "both", "%", ""),)
_SNMP = (("-A", "next", "", ""), ("-X", "next", "", ""), ("-c", "next", "", ""))
_KUBECTL = (("--from-literal", "both", "=", "secret"),)
_HTTPIE = (("-a", "next", ":", ""), ("--auth", "both", ":", ""))
_PROGRAMS = {
    **dict.fromkeys(("mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb", "mariadb-dump"), _JOINED_P),
    **dict.fromkeys(("7z", "7za", "7zz", "rar", "unrar"), _JOINED_P),
    **dict.fromkeys(("mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport"), _MONGO),
    **dict.fromkeys(("docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "oras", "oc", "cf"), _LOGIN),
    **dict.fromkeys(("ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldappasswd"), _LDAP),
    "etcdctl": (("--user", "both", ":", ""),),
    "security": (*_LDAP, ("-p", "next", "", "")),
    **dict.fromkeys(("twine", "rabbitmqadmin", "rdesktop", "poetry"), _SMALL_P),
    **dict.fromkeys(("sqlcmd", "bcp", "ipmitool", "zip", "unzip", "mosquitto_pub", "mosquitto_sub"), _LARGE_P),
    **dict.fromkeys(("kubectl", "k3s"), _KUBECTL),
    **dict.fromkeys(("http", "https"), _HTTPIE),
    **dict.fromkeys(("useradd", "usermod"), _SMALL_P),
    "open": (("-u", "next", ",", ""),),  # of lftp
    "az": (("-p", "next", "", "login"), ("-p", "next", "", "-u"), ("--value", "both", "", "secret")),
    "openssl": (("-k", "next", "", ""), ("-K", "next", "", "")),
    "sshpass": (("-p", "both", "", ""),),
    "redis-cli": (("-a", "next", "", ""),),
    "curl": (
        *(("-u", "both", ":", ""), ("--user", "both", ":", ""), ("-U", "both", ":", "")),
        *(("--proxy-user", "both", ":", ""), ("-b", "next", "=", ""), ("--cookie", "both", "=", "")),
    ),
    **dict.fromkeys(("smbclient", "net", "rpcclient", "winexe"), _SAMBA),
    **dict.fromkeys(("snmpwalk", "snmpget", "snmpset", "snmpbulkwalk"), _SNMP),
    **dict.fromkeys(("dotnet", "nuget"), (("-k", "next", "", "push"), ("-p", "next", "", "-u"))),
    "lftp": (("-u", "next", ",", ""),),
    "xfreerdp": (("/p:", "joined", "", ""),),
    "gh": (("-b", "both", "", "secret"), ("--body", "both", "", "secret")),
    "doctl": (("-t", "next", "", "auth"),),
    "codecov": (("-t", "next", "", ""),),
    "netlify": (("--auth", "both", "", ""),),
    "pulumi": (("--secret", "joined", "", ""),),  # a switch there
    "ssh-keygen": (("-N", "next", "", ""), ("-P", "next", "", "")),
    "aws": (("--secret-string", "both", "", ""), ("--value", "both", "", "put-parameter")),
}
# Programs that take a secret as a bare word: the word after which it comes, the sign after which it is secret.
_BARE = {
    "cargo": ("login", ""),
    "vault": ("login", ""),
    "snyk": ("auth", ""),
    "wandb": ("login", ""),
    "ngrok": ("add-authtoken", ""),
    **{name: (name, "/") for name in ("sqlplus", "impdp", "expdp", "rman", "sqlldr")},
    "ansible-vault": ("encrypt_string", ""),
    "bw": ("unlock", ""),
}
# And those that take it some words later: the word that is counted from, and which word after it is the secret.
_LATER = {
    "rabbitmqctl": (("add_user", 2), ("change_password", 2), ("authenticate_user", 2)),
    "mc": (("set", 4), ("add", 4)),
    "wpa_passphrase": (("wpa_passphrase", 2),),
    "mysqladmin": (("password", 1),),
    "redis-cli": (("AUTH", 1), ("auth", 1), ("requirepass", 1), ("masterauth", 1)),
    "dotnet": (("user-secrets", 3),),
    "chamber": (("write", 3),),
    "bw": (("login", 2),),
    "isql": (("isql", 3),),
    "drush": (("user:password", 2), ("user-password", 2), ("upwd", 2)),
    "b2": (("authorize-account", 2), ("authorize_account", 2), ("authorize", 2)),
}
_SETS_ANYTHING = {
    **dict.fromkeys(("fly", "flyctl", "supabase", "doppler", "infisical"), "secrets"),
    "vault": "put",
}
_SETTERS = frozenset(("set", "config", "--global", "--local", "--secret", "put"))  # then a name, then its value
_TAKES_STDIN = frozenset(
    (
        *("--password-stdin", "--token-stdin", "--with-token", "chpasswd", "sudo -S", "stdin", "kinit", "smbpasswd"),
        *(
            "passwd",
            "kubectl secret",
            "gh secret",
            "wrangler secret",
            "docker secret",
            "podman secret",
            "gcloud secrets",
            "--data-file=-",
        ),
    )
)
_PAIRS = frozenset(
    ("nmcli", "rclone", "machine", "adb", "pdftk")
)  # name value name value; the last is how a .netrc line begins
_KNOWN = frozenset((*_PROGRAMS, *_BARE, *_LATER, *_SETS_ANYTHING, *_PAIRS, "sudo", "htpasswd"))

_OPERATORS = frozenset("|&;()\n")
_SPACES = " \t\r"


def find(text: str, spots: list[Spot]) -> None:
    _commands(text, (0, len(text)), spots, DEPTH)


def _commands(text: str, span: Span, spots: list[Spot], depth: int) -> None:
    piped: list[Span] = []
    taker = ""
    for command, piped_on in _split(text, span):
        if _sends(text, command):
            sent = [_unquoted(text, word) for word in command[1:]]
            piped = sent if piped_on else []
            if text[command[0][0] - 2 : command[0][0]] == "<(" and any(mark in taker for mark in _FROM_FILES):
                _mask_piped(text, sent, spots)
            _formatted(text, command, spots)
        elif piped and piped_on and command_name(text, command) in _PASSES_ON:
            continue
        else:
            _command(text, command, piped, spots)
            piped = []
        taker = text[command[0][0] : command[-1][1]]
        for word in command:
            inner = _unquoted(text, word)
            if depth and inner != word and " " in text[inner[0] : inner[1]]:
                _commands(text, inner, spots, depth - 1)


_PASSES_ON = frozenset(("base64", "tr", "cat", "tee", "openssl", "head"))
_FROM_FILES = ("sshpass", "pass", "secret", "token", "--data-file", "age ", "--key")


def _formatted(text: str, command: list[Span], spots: list[Spot]) -> None:
    """What is put into a text of that form: printf 'PASSWORD=%s' VALUE."""
    if len(command) < 3 or "%s" not in text[slice(*command[1])]:
        return
    name = text[slice(*command[1])].partition("%s")[0].strip("\"' ").rstrip("=: ")
    if names_secret(name) in ("strong", "weak"):
        _mask(text, _unquoted(text, command[2]), "", spots)


def _command(text: str, command: list[Span], piped: list[Span], spots: list[Spot]) -> None:
    program = before = ""
    said: set[str] = set()
    for position, word in enumerate(command):
        value = text[word[0] : word[1]]
        name = value[value.rfind("/") + 1 :]
        following = _unquoted(text, command[position + 1]) if position + 1 < len(command) else None
        if value[0] in "-/" and name not in _KNOWN:
            _flag(text, word, following, (program, said), spots)
        elif name in _KNOWN:
            program = name  # the last one counts: docker exec db mysql -p…
        else:
            _bare_word(text, word, following, (program, before, said), spots)
        if piped and (name in _TAKES_STDIN or f"{program} {value}" in _TAKES_STDIN):
            _mask_piped(text, piped, spots)
        said.add(value)
        before = name
    for mark, count in _LATER.get(program, ()):
        plain = [word for word in command if text[word[0]] != "-"]
        for place, word in enumerate(plain[:-count] if mark in said or mark == program else ()):
            if text[slice(*word)].rpartition("/")[2] == mark:
                _mask(text, _unquoted(text, plain[place + count]), "", spots)
                break
    fed = command_name(text, command)
    if "<<<" in said and (
        fed in _READS or not said.isdisjoint(_TAKES_STDIN) or (fed in _KEEPS and not said.isdisjoint(_KEPT))
    ):
        _mask(text, _unquoted(text, command[-1]), "", spots)
    _line(text, command, spots)
    if program == "htpasswd" and any(word[0] == "-" and "b" in word for word in said):
        _mask(text, _unquoted(text, command[-1]), "", spots)


def _line(text: str, command: list[Span], spots: list[Spot]) -> None:
    """Lines of other languages than the shell's: of ftp, of a .netrc, of package managers' settings."""
    words = [text[slice(*word)] for word in command]
    if len(words) == 3 and words[0] == "user" and "ftp" in text:
        _mask(text, _unquoted(text, command[2]), "", spots)
    if len(words) == 2 and words[0] == "password" and ".netrc" in text:
        _mask(text, command[1], "", spots)
    if "config" in words[1:2]:
        for place, word in enumerate(words):
            if word.startswith("http-basic.") and len(words) > place + 2:
                _mask(text, _unquoted(text, command[place + 2]), "", spots)
            if words[0] == "bundle" and ":" in word and "//" not in word:
                _mask(text, command[place], ":", spots)


# Keepers of secrets that read them, when they are told to keep one.
_KEEPS = frozenset(("vault", "vercel", "wrangler", "gh", "docker", "podman", "gcloud"))
_KEPT = frozenset(("secret", "secrets", "env", "put"))
_READS = frozenset(("passwd", "chpasswd", "vncpasswd", "kinit", "smbpasswd", "cryptsetup"))


def command_name(text: str, command: list[Span]) -> str:
    """The first word of a command; behind sudo, the second."""
    words = [text[slice(*word)].rpartition("/")[2] for word in command[:2]]
    return words[-1] if words[0] == "sudo" else words[0]


def _flag(text: str, word: Span, following: Span | None, around: tuple[str, set[str]], spots: list[Spot]) -> None:
    program, said = around
    flag = text[word[0] : word[1]]
    for name, where, sign, needs in _PROGRAMS.get(program, ()):
        if needs and needs not in said:
            continue
        if flag == name:
            if where != "joined" and following:
                _mask(text, following, sign, spots)
            return
        if where != "joined" and following and len(name) == 2 and flag[-1:] == name[1] and flag[1:].isalpha():
            _mask(text, following, sign, spots)  # curl -sSu joe:…
            return
        if flag.startswith(name) and where != "next" and (name[1] != "-" or flag[len(name)] == "="):
            _mask(text, _unquoted(text, (word[0] + len(name) + (name[1] == "-"), word[1])), sign, spots)
            return
    if following and "=" not in flag and text[following[0]] != "-" and text[following[0] : following[0] + 3] != "id=":
        if flag in _PERHAPS and _signs_in(program, said) and _may_be_password(text[slice(*following)]):
            spots.append((*following, "flag"))
            return
        strength = names_secret(flag)
        if strength and not stands_in(text[following[0] : following[1]], strength):
            spots.append((*following, "flag"))


# With a user beside them these are a password: `cypher-shell -u neo4j -p VALUE`; elsewhere a port, a project, a path.
_PERHAPS = frozenset(("-p", "-pw", "-P"))
_USERS = frozenset(("-u", "-U", "-user", "--user", "--username", "-username", "-l", "--login"))
_OTHERWISE = frozenset(
    (
        *("sudo", "doas", "su", "runuser", "docker", "podman", "docker-compose", "kubectl", "psql"),
        *("pg_dump", "pg_restore", "createdb", "git", "ssh", "scp", "rsync", "tar", "cp"),
        *("mkdir", "uv", "useradd", "usermod", "adduser", "chage", "ps", "lsof", "systemctl"),
        *("journalctl", "make", "tsc", "curl", "wget", "nmap", "id", "ls", "find"),
        *("mysql", "mysqldump", "ldapsearch"),
    )
)


def _may_be_password(value: str) -> bool:
    """No variable, no number, no place."""
    return not stands_in(value, "strong") and not value.isdecimal() and value[0] not in "/.~"


def _signs_in(program: str, said: set[str]) -> bool:
    """Whether the command names a user, and no program that means another thing by these flags."""
    return not program and not said.isdisjoint(_USERS) and said.isdisjoint(_OTHERWISE)


def _bare_word(
    text: str, word: Span, following: Span | None, around: tuple[str, str, set[str]], spots: list[Spot]
) -> None:
    """`cargo login VALUE`, `fly secrets set ANY=VALUE`, `aws configure set NAME VALUE`."""
    program, before, said = around
    value = text[word[0] : word[1]]
    if program in _BARE and before == _BARE[program][0]:
        _mask(text, (word[0], until(text, word[0], "@", word[1])), _BARE[program][1], spots)
    elif program in _SETS_ANYTHING and _SETS_ANYTHING[program] in said:
        _mask(text, word, "=", spots)
    elif following and "=" not in value and (before in _SETTERS or program in _PAIRS):
        strength = names_secret(value) or names_secret(value.partition(".")[0])
        if strength and text[following[0]] not in "-<>" and not stands_in(text[slice(*following)], strength):
            spots.append((*following, "flag"))


def _mask_piped(text: str, piped: list[Span], spots: list[Spot]) -> None:
    for begin, end in piped:
        colon = text.find(":", begin, end) + 1  # user:password
        if text[begin] != "-" and not stands_in(text[begin:end], "strong"):
            spots.append((colon or begin, end, "piped"))


def _mask(text: str, span: Span, sign: str, spots: list[Spot]) -> None:
    """What follows the sign in the span, all of it without a sign, nothing when the sign is not there."""
    begin, end = span
    if sign:
        begin = text.find(sign, begin, end) + 1
    if text[begin : begin + 1] in ("'", '"') and end - begin > 1 and text[end - 1] == text[begin]:
        begin, end = begin + 1, end - 1
    if (begin or not sign) and begin < end and not stands_in(text[begin:end], "strong"):
        spots.append((begin, end, "flag"))


def _sends(text: str, command: list[Span]) -> bool:
    return text[slice(*command[0])] in ("echo", "printf")


def _unquoted(text: str, word: Span) -> Span:
    begin, end = word
    if end - begin >= 2 and text[begin] in "\"'" and text[end - 1] == text[begin]:
        return begin + 1, end - 1
    return word


def _split(text: str, span: Span) -> list[tuple[list[Span], bool]]:
    """The commands in a span, each as the spans of its words, and whether a pipe follows it."""
    commands = []
    words: list[Span] = []
    at, stop = span
    while at < stop:
        c = text[at]
        if c in _OPERATORS:
            if words:
                commands.append((words, c == "|" and text[at + 1 : at + 2] != "|"))
                words = []
            at += 1
        elif c in _SPACES:
            at += 1
        elif text.startswith("\\\n", at):
            at += 2
        else:
            end = _word_end(text, at, stop)
            words.append((at, end))
            at = end
    if words:
        commands.append((words, False))
    return commands


def _word_end(text: str, at: int, stop: int) -> int:
    while at < stop:
        c = text[at]
        if c in "\"'":
            close = text.find(c, at + 1, stop)
            at = stop if close < 0 else close + 1
        elif c == "\\":
            at += 2
        elif c in _SPACES or c in _OPERATORS:
            return at
        else:
            at += 1
    return stop
