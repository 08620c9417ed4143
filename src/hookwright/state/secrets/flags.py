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
_KUBECTL = (("--from-literal", "both", "=", "secret"),)
_HTTPIE = (("-a", "next", ":", ""), ("--auth", "both", ":", ""))
_PROGRAMS = {
    **dict.fromkeys(("mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb", "mariadb-dump"), _JOINED_P),
    **dict.fromkeys(("7z", "7za", "7zz", "rar", "unrar"), _JOINED_P),
    **dict.fromkeys(("mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport"), _MONGO),
    **dict.fromkeys(("docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "oras", "oc", "cf"), _LOGIN),
    **dict.fromkeys(("ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldappasswd", "security"), _LDAP),
    **dict.fromkeys(("twine", "rabbitmqadmin", "rdesktop", "poetry"), _SMALL_P),
    **dict.fromkeys(("sqlcmd", "bcp", "ipmitool", "zip", "unzip", "mosquitto_pub", "mosquitto_sub"), _LARGE_P),
    **dict.fromkeys(("kubectl", "k3s"), _KUBECTL),
    **dict.fromkeys(("http", "https"), _HTTPIE),
    "az": (("-p", "next", "", "login"), ("--value", "both", "", "secret")),
    "sshpass": (("-p", "both", "", ""),),
    "redis-cli": (("-a", "next", "", ""),),
    "curl": (
        *(("-u", "both", ":", ""), ("--user", "both", ":", ""), ("-U", "both", ":", "")),
        *(("--proxy-user", "both", ":", ""), ("-b", "next", "=", ""), ("--cookie", "both", "=", "")),
    ),
    "smbclient": (("-U", "both", "%", ""),),
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
    "sqlplus": ("sqlplus", "/"),
}
_SETS_ANYTHING = {"fly": "secrets", "flyctl": "secrets", "supabase": "secrets", "heroku": "config:set"}
_SETTERS = frozenset(("set", "config", "--global", "--local", "--secret", "put"))  # then a name, then its value
_TAKES_STDIN = frozenset(("--password-stdin", "--token-stdin", "--with-token", "chpasswd", "sudo -S", "stdin"))
_PAIRS = frozenset(("nmcli", "rclone", "machine"))  # name value name value; the last is how a .netrc line begins
_KNOWN = frozenset((*_PROGRAMS, *_BARE, *_SETS_ANYTHING, *_PAIRS, "sudo", "htpasswd"))

_OPERATORS = frozenset("|&;()\n")
_SPACES = " \t\r"


def find(text: str, spots: list[Spot]) -> None:
    _commands(text, (0, len(text)), spots, DEPTH)


def _commands(text: str, span: Span, spots: list[Spot], depth: int) -> None:
    piped: list[Span] = []
    for command, piped_on in _split(text, span):
        if _sends(text, command):
            piped = [_unquoted(text, word) for word in command[1:]] if piped_on else []
        else:
            _command(text, command, piped, spots)
            piped = []
        for word in command:
            inner = _unquoted(text, word)
            if depth and inner != word and " " in text[inner[0] : inner[1]]:
                _commands(text, inner, spots, depth - 1)


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
    if program == "htpasswd" and any(word.startswith("-b") for word in said):
        _mask(text, _unquoted(text, command[-1]), "", spots)


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
        if flag.startswith(name) and where != "next" and (name[1] != "-" or flag[len(name)] == "="):
            _mask(text, _unquoted(text, (word[0] + len(name) + (name[1] == "-"), word[1])), sign, spots)
            return
    if following and "=" not in flag and text[following[0]] != "-":
        strength = names_secret(flag)
        if strength and not stands_in(text[following[0] : following[1]], strength):
            spots.append((*following, "flag"))


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
        strength = names_secret(value)
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
