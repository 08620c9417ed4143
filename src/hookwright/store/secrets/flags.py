"""Secrets that a program takes: as the value of a flag, as an argument, or through a pipe from echo.

Splits words as a shell does, with quotes, and scans the commands inside quoted words too.
"""

from __future__ import annotations

from hookwright.store.secrets.names import find_first_of, is_placeholder, secret_strength

TYPE_CHECKING = False  # the hook process must not import typing
if TYPE_CHECKING:
    Spot = tuple[int, int, str]
    Span = tuple[int, int]

MAX_DEPTH = 3  # ssh host 'bash -c "…"'

# Flags that take a secret, by program: the flag, where its value is ("joined" to it, the "next" word, or "both"),
# the sign after which the value is secret ("" for all of it), a word that must come before it ("" for none).
_LOGIN = (("-p", "both", "", "login"),)
_MONGO = (("-p", "both", "", ""),)
_LDAP = (("-w", "both", "", ""),)
_LDAP_PASSWORD = (*_LDAP, ("-s", "next", "", ""), ("-a", "next", "", ""))
_SMALL_P = (("-p", "next", "", ""),)
_LARGE_P = (("-P", "both", "", ""),)
_JOINED_P = (("-p", "joined", "", ""),)
_SAMBA = (("-U", "both", "%", ""),)
_SNMP = (("-A", "next", "", ""), ("-X", "next", "", ""), ("-c", "next", "", ""))
_KUBECTL = (("--from-literal", "both", "=", "secret"),)
_HTTPIE = (("-a", "next", ":", ""), ("--auth", "both", ":", ""))
_SECRET_FLAGS = {
    **dict.fromkeys(("mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb", "mariadb-dump"), _JOINED_P),
    **dict.fromkeys(("7z", "7za", "7zz"), _JOINED_P),
    **dict.fromkeys(("rar", "unrar"), (("-hp", "joined", "", ""), *_JOINED_P)),
    **dict.fromkeys(("mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport"), _MONGO),
    **dict.fromkeys(("docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "oras", "oc", "cf"), _LOGIN),
    **dict.fromkeys(("ldapsearch", "ldapadd", "ldapmodify", "ldapdelete"), _LDAP),
    "ldappasswd": _LDAP_PASSWORD,
    "etcdctl": (("--user", "both", ":", ""),),
    "security": (*_LDAP, ("-p", "next", "", ""), ("-P", "next", "", "")),
    **dict.fromkeys(("knife", "gpg-preset-passphrase"), (("-P", "next", "", ""),)),
    **dict.fromkeys(("certutil", "elasticsearch-users"), _SMALL_P),
    "signtool": (("/p", "next", "", ""),),
    "caddy": (("--plaintext", "both", "", ""),),
    "reg": (("/d", "next", "", "Password"), ("/d", "next", "", "password")),
    **dict.fromkeys(("twine", "rabbitmqadmin", "rdesktop", "poetry"), _SMALL_P),
    **dict.fromkeys(("sqlcmd", "bcp", "ipmitool", "zip", "unzip", "mosquitto_pub", "mosquitto_sub"), _LARGE_P),
    **dict.fromkeys(("kubectl", "k3s"), _KUBECTL),
    **dict.fromkeys(("http", "https"), _HTTPIE),
    **dict.fromkeys(("useradd", "usermod"), _SMALL_P),
    "open": (("-u", "next", ",", ""),),  # of lftp
    "az": (("-p", "next", "", "login"), ("-p", "next", "", "-u"), ("--value", "both", "", "secret")),
    "openssl": (("-k", "next", "", ""), ("-K", "next", "", "")),
    "honeycomb-marker": (("-k", "next", "", ""),),
    "sshpass": (("-p", "both", "", ""),),
    "redis-cli": (("-a", "next", "", ""),),
    "curl": (
        *(("-u", "both", ":", ""), ("--user", "both", ":", ""), ("-U", "both", ":", "")),
        *(
            ("--cert", "both", ":", ""),
            ("-E", "next", ":", ""),
            ("--oauth2-bearer", "both", "", ""),
            ("--proxy-user", "both", ":", ""),
            ("-b", "next", "=", ""),
            ("--cookie", "both", "=", ""),
        ),
    ),
    **dict.fromkeys(("smbclient", "net", "rpcclient", "winexe"), _SAMBA),
    **dict.fromkeys(("snmpwalk", "snmpget", "snmpset", "snmpbulkwalk"), _SNMP),
    **dict.fromkeys(("dotnet", "nuget"), (("-k", "next", "", "push"), ("-p", "next", "", "-u"))),
    "lftp": (("-u", "next", ",", ""),),
    "xfreerdp": (("/p:", "joined", "", ""),),
    "gh": (("-b", "both", "", "secret"), ("--body", "both", "", "secret")),
    **dict.fromkeys(("fly", "flyctl"), (("-t", "next", "", "auth"),)),
    "influx": (("-t", "both", "", ""),),
    "schtasks": (("/rp", "next", "", ""), ("/p", "next", "", "")),
    "sendemail": (("-xp", "next", "", ""),),
    "swaks": (("-ap", "next", "", ""),),
    "supabase": (("-p", "next", "", ""),),
    "kaggle": (("-v", "next", "", "config"),),
    "doctl": (("-t", "next", "", "auth"),),
    "codecov": (("-t", "next", "", ""),),
    "netlify": (("--auth", "both", "", ""),),
    "pulumi": (("--secret", "joined", "", ""),),  # a switch there
    "ssh-keygen": (("-N", "next", "", ""), ("-P", "next", "", "")),
    "aws": (("--secret-string", "both", "", ""), ("--value", "both", "", "put-parameter")),
}
# Programs that take a secret as an argument: the word before it, the sign after which it is secret.
_SECRET_ARGUMENTS = {
    "cargo": ("login", ""),
    "vault": ("login", ""),
    "snyk": ("auth", ""),
    "wandb": ("login", ""),
    "ngrok": ("add-authtoken", ""),
    **{name: (name, "/") for name in ("sqlplus", "impdp", "expdp", "rman", "sqlldr")},
    "ansible-vault": ("encrypt_string", ""),
    "password=": ("password=", ""),  # sc.exe config service password= VALUE
    "bw": ("unlock", ""),
}
# Programs that take it some words later: a word, and how many words after it the secret is.
_LATER_ARGUMENTS = {
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
    "cloudflared": (("install", 1),),
    "ngrok": (("authtoken", 1),),
    "circleci": (("store-secret", 4),),
    "glab": (("variable", 3),),
    "bcrypt-tool": (("hash", 1),),
    "b2": (("authorize-account", 2), ("authorize_account", 2), ("authorize", 2)),
}
# Programs with NAME=VALUE arguments that are all secret, and the word that must come before.
_SECRET_PAIRS = {
    **dict.fromkeys(("fly", "flyctl", "supabase", "doppler", "infisical"), "secrets"),
    "vault": "put",
}
_SETTERS = frozenset(
    ("--arg", "set", "config", "--global", "--local", "--secret", "put")
)  # followed by a name and its value
_TAKES_STDIN = frozenset(
    (
        *("--password-stdin", "--token-stdin", "--with-token", "chpasswd", "sudo -S", "stdin", "kinit", "smbpasswd"),
        *("cryptsetup", "--passphrase-fd", "--key-file=-"),
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
)  # arguments are name value name value; `machine` begins a line of .netrc
# Flags that take the secret of `… secret create`, `secretsmanager …`, `eas secret:create`, whatever the program.
_STORED_VALUE_FLAGS = frozenset(("--value", "--data", "--body", "--secret-value", "--secret-string", "--literal"))
_KNOWN = frozenset(
    (*_SECRET_FLAGS, *_SECRET_ARGUMENTS, *_LATER_ARGUMENTS, *_SECRET_PAIRS, *_PAIRS, "sudo", "htpasswd", "mkpasswd")
)

_OPERATORS = frozenset("|&;()\n`")
_SPACES = " \t\r"


def find_flag_secrets(text: str, spots: list[Spot]) -> None:
    _scan_commands(text, (0, len(text)), spots, MAX_DEPTH)


def _scan_commands(text: str, span: Span, spots: list[Spot], depth: int) -> None:
    piped: list[Span] = []
    taker = ""
    for command, piped_on in _split_commands(text, span):
        if _is_echo(text, command):
            sent = [_strip_quotes(text, word) for word in command[1:]]
            piped = sent if piped_on else []
            if text[command[0][0] - 2 : command[0][0]] == "<(" and any(mark in taker for mark in _FROM_FILES):
                _mask_piped(text, sent, spots)
            _mask_printf(text, command, spots)
        elif piped and piped_on and command_name(text, command) in _PASSES_ON:
            continue
        else:
            _scan_command(text, command, piped, spots)
            piped = []
        taker = text[command[0][0] : command[-1][1]]
        for word in command:
            inner = _strip_quotes(text, word)
            if depth and inner != word and " " in text[inner[0] : inner[1]]:
                _scan_commands(text, inner, spots, depth - 1)


_PASSES_ON = frozenset(("base64", "tr", "cat", "tee", "openssl", "head"))
_FROM_FILES = ("pass", "secret", "token", "--data-file", "age ", "-key")


def _mask_printf(text: str, command: list[Span], spots: list[Spot]) -> None:
    """Printf 'PASSWORD=%s' VALUE."""
    if len(command) < 3 or "%s" not in text[slice(*command[1])]:
        return
    name = text[slice(*command[1])].partition("%s")[0].strip("\"' ").rstrip("=: ")
    if secret_strength(name) in ("strong", "weak"):
        _mask_span(text, _strip_quotes(text, command[2]), "", spots)


def _scan_command(text: str, command: list[Span], piped: list[Span], spots: list[Spot]) -> None:
    program = before = ""
    seen: set[str] = set()
    for position, word in enumerate(command):
        value = text[word[0] : word[1]]
        name = value[value.rfind("/") + 1 :].removeprefix("ProxyCommand=")
        following = _strip_quotes(text, command[position + 1]) if position + 1 < len(command) else None
        if value[0] in "-/" and name not in _KNOWN:
            _scan_flag(text, word, following, (program, seen), spots)
        elif name in _KNOWN and program != "rclone":  # its services have names of programs
            program = name  # the last program counts: docker exec db mysql -p…
        else:
            _scan_bare_word(text, word, following, (program, before, seen), spots)
        if piped and (name in _TAKES_STDIN or f"{program} {value}" in _TAKES_STDIN or _reads_secret(value)):
            _mask_piped(text, piped, spots)
        seen.add(value)
        before = name
    fed = command_name(text, command)
    if piped and fed in _SECRET_STORES and not seen.isdisjoint(_STORE_WORDS):
        _mask_piped(text, piped, spots)
    _scan_arguments(text, command, program, seen, spots)
    _scan_here_string(text, command, fed, seen, spots)
    _scan_config_line(text, command, spots)
    if len(command) > 2 and "secret" in text:
        _scan_stored_secret(text, command, spots)
    if fed == "net":
        _scan_windows_net(text, command, spots)


def _scan_arguments(text: str, command: list[Span], program: str, seen: set[str], spots: list[Spot]) -> None:
    """Secrets some words after another one, and those at the end of the command."""
    for mark, count in _LATER_ARGUMENTS.get(program, ()):
        plain = [word for word in command if text[word[0]] != "-"]
        for place, word in enumerate(plain[:-count] if mark in seen or mark == program else ()):
            if text[slice(*word)].rpartition("/")[2] == mark:
                _mask_span(text, _strip_quotes(text, plain[place + count]), "", spots)
                break
    ends_with_secret = (
        (program == "htpasswd" and any(word[0] == "-" and "b" in word for word in seen))
        or (program == "openssl" and "passwd" in seen)
        or program == "mkpasswd"
    )
    if ends_with_secret and len(command) > 1 and text[command[-1][0]] != "-":
        _mask_span(text, _strip_quotes(text, command[-1]), "", spots)


def _scan_here_string(text: str, command: list[Span], fed: str, seen: set[str], spots: list[Spot]) -> None:
    """`read TOKEN <<< VALUE`, `vncpasswd -f <<< VALUE > file`: what a command gets that takes or names a secret."""
    for place, word in enumerate(command):
        start = text.find("<<<", word[0], word[1])
        if start < 0 or (not text[word[0] : start].isdecimal() and start > word[0]):
            continue
        if (
            fed in _PASSWORD_READERS
            or not seen.isdisjoint(_TAKES_STDIN)
            or (fed in _SECRET_STORES and not seen.isdisjoint(_STORE_WORDS))
            or (fed not in _TEXT_TOOLS and any(_names_secret(text[slice(*each)]) for each in command[:place]))
        ):
            value = (start + 3, word[1]) if word[1] - start > 3 else command[min(place + 1, len(command) - 1)]
            _mask_span(text, _strip_quotes(text, value), "", spots)


def _names_secret(word: str) -> bool:
    """A word of a command that is fed a secret: `login`, `--passwd-on-stdin`, `saslpasswd2`, `secret-tool`, `kms`."""
    low = word.lower()
    return low in _LOGIN_WORDS or any(part in low for part in _SECRET_PARTS) or bool(secret_strength(word))


def _reads_secret(flag: str) -> bool:
    """`--passwd-on-stdin`, `password_stdin`."""
    return "stdin" in flag and any(part in flag for part in _SECRET_PARTS)


def _scan_stored_secret(text: str, command: list[Span], spots: list[Spot]) -> None:
    """`now secrets add NAME VALUE`, `bws secret create NAME VALUE`; docker names a file there."""
    words = [text[slice(*word)] for word in command]
    for place in range(1, len(words) - 3):
        if words[place] in ("secret", "secrets") and words[place + 1] in ("add", "create", "set", "put"):
            value = _strip_quotes(text, command[place + 3])
            named = words[0] in ("docker", "podman") or words[place + 2][0] == "-" or "=" in words[place + 2]
            if not named and text[value[0]] not in "-<>@./|":
                _mask_span(text, value, "", spots)


def _scan_windows_net(text: str, command: list[Span], spots: list[Spot]) -> None:
    """`net user NAME PASSWORD`, `net use Z: PASSWORD /user:NAME` and with the password at the end."""
    words = [text[slice(*word)] for word in command]
    plain = [place for place in range(2, len(words)) if words[place][0] not in "/*<>"]
    if words[1:2] == ["user"] and len(plain) > 1:
        _mask_span(text, _strip_quotes(text, command[plain[1]]), "", spots)
    elif words[1:2] == ["use"] and any(word.lower().startswith("/user:") for word in words):
        for place in plain:
            if "\\" not in words[place] and words[place][-1] != ":":
                _mask_span(text, _strip_quotes(text, command[place]), "", spots)


def _scan_config_line(text: str, command: list[Span], spots: list[Spot]) -> None:
    """Lines that are not shell: ftp scripts, .netrc, settings of package managers."""
    words = [text[slice(*word)] for word in command]
    if len(words) == 3 and words[0] == "user" and "ftp" in text:
        _mask_span(text, _strip_quotes(text, command[2]), "", spots)
    if len(words) == 2 and words[0] == "password" and ".netrc" in text:
        _mask_span(text, command[1], "", spots)
    if "config" in words[1:2]:
        for place, word in enumerate(words):
            if word.startswith("http-basic.") and len(words) > place + 2:
                _mask_span(text, _strip_quotes(text, command[place + 2]), "", spots)
            if words[0] == "bundle" and ":" in word and "//" not in word:
                _mask_span(text, command[place], ":", spots)


# Programs that read a secret from stdin to store it.
_SECRET_STORES = frozenset(("vault", "vercel", "wrangler", "gh", "docker", "podman", "gcloud"))
_STORE_WORDS = frozenset(("secret", "secrets", "env", "put"))
_LOGIN_WORDS = frozenset(("login", "signin", "authenticate", "kms", "realm", "hcloud"))
_SECRET_PARTS = ("passw", "passphrase", "secret", "token", "keyring", "keystore")
# They read any text; that their arguments name a secret says nothing about it.
_TEXT_TOOLS = frozenset(
    (
        *("grep", "rg", "egrep", "jq", "yq", "sed", "awk", "cut", "tr", "wc", "cat", "sort", "head", "tail", "tee"),
        *("diff", "python", "python3", "node", "ruby", "perl", "bc", "base64", "xxd", "sha256sum", "md5sum"),
    )
)
_PASSWORD_READERS = frozenset(("pass", "passwd", "chpasswd", "vncpasswd", "kinit", "smbpasswd", "cryptsetup"))


def command_name(text: str, command: list[Span]) -> str:
    """The program of a command; after sudo, the second word."""
    words = [text[slice(*word)].rpartition("/")[2] for word in command[:2]]
    return words[-1] if words[0] == "sudo" else words[0]


def _scan_flag(text: str, word: Span, following: Span | None, context: tuple[str, set[str]], spots: list[Spot]) -> None:
    program, seen = context
    flag = text[word[0] : word[1]]
    for name, where, sign, needs in _SECRET_FLAGS.get(program, ()):
        if needs and needs not in seen:
            continue
        if flag == name:
            if where != "joined" and following:
                _mask_span(text, following, sign, spots)
            return
        if where != "joined" and following and len(name) == 2 and flag[-1:] == name[1] and flag[1:].isalpha():
            _mask_span(text, following, sign, spots)  # curl -sSu joe:…
            return
        if flag.startswith(name) and where != "next" and (name[1] != "-" or flag[len(name)] == "="):
            _mask_span(text, _strip_quotes(text, (word[0] + len(name) + (name[1] == "-"), word[1])), sign, spots)
            return
    if following and flag in _STORED_VALUE_FLAGS and any(word.startswith("secret") for word in seen):
        _mask_span(text, following, "", spots)
        return
    if following and flag.endswith(("auth", "creds")) and ":" in text[slice(*following)]:
        _mask_span(text, following, ":", spots)  # --web-auth joe:…
        return
    if flag == "-pass" and following and text[slice(*following)].isdecimal() and following[1] - following[0] < 4:
        return  # the first or the second pass of an encoder
    if following and "=" not in flag and text[following[0]] != "-" and text[following[0] : following[0] + 3] != "id=":
        if flag in _PASSWORD_FLAGS and _names_user(program, seen) and _may_be_password(text[slice(*following)]):
            spots.append((*following, "flag"))
            return
        strength = secret_strength(flag)
        if strength and not is_placeholder(text[following[0] : following[1]], strength):
            spots.append((*following, "flag"))


# A password if the command names a user too: `cypher-shell -u neo4j -p VALUE`; else a port, a project, a path.
_PASSWORD_FLAGS = frozenset(("-p", "-pw", "-P"))
_USER_FLAGS = frozenset(("-u", "-U", "-user", "--user", "--username", "-username", "-l", "--login"))
_OTHER_MEANING = frozenset(
    (
        *("sudo", "doas", "su", "runuser", "docker", "podman", "docker-compose", "kubectl", "psql"),
        *("pg_dump", "pg_restore", "createdb", "git", "ssh", "scp", "rsync", "tar", "cp"),
        *("mkdir", "uv", "useradd", "usermod", "adduser", "chage", "ps", "lsof", "systemctl"),
        *("journalctl", "make", "tsc", "curl", "wget", "nmap", "id", "ls", "find"),
        *("mysql", "mysqldump", "ldapsearch"),
    )
)


def _may_be_password(value: str) -> bool:
    """Not a variable, a number or a path."""
    return not is_placeholder(value, "strong") and not value.isdecimal() and value[0] not in "/.~"


def _names_user(program: str, seen: set[str]) -> bool:
    """Whether the command names a user and has no program for which these flags mean something else."""
    return not program and not seen.isdisjoint(_USER_FLAGS) and seen.isdisjoint(_OTHER_MEANING)


def _scan_bare_word(
    text: str, word: Span, following: Span | None, context: tuple[str, str, set[str]], spots: list[Spot]
) -> None:
    """`cargo login VALUE`, `fly secrets set ANY=VALUE`, `aws configure set NAME VALUE`."""
    program, before, seen = context
    value = text[slice(*_strip_quotes(text, word))]
    if program in _SECRET_ARGUMENTS and before == _SECRET_ARGUMENTS[program][0] and "=" not in value:
        _mask_span(text, (word[0], find_first_of(text, word[0], "@", word[1])), _SECRET_ARGUMENTS[program][1], spots)
    elif program in _SECRET_PAIRS and _SECRET_PAIRS[program] in seen:
        _mask_span(text, word, "=", spots)
    elif following and value.lower().endswith(_PASSWORD_VERBS):
        rest = find_first_of(text, following[1], "\n;|&")
        second = _split_commands(text, (following[1] + (text[following[1] : following[1] + 1] in "\"'"), rest))
        if second:
            _mask_span(text, _strip_quotes(text, second[0][0][0]), "", spots)
    elif (
        following
        and "=" not in value
        and value != "user.signingkey"
        and (before in _SETTERS or program in _PAIRS or _sets_variable(before, value, seen))
    ):
        strength = (
            "strong"
            if value in _PASSWORD_NOUNS
            else "faint"
            if value == "key"
            else secret_strength(value) or secret_strength(value.partition(".")[0])
        )
        if strength and text[following[0]] not in "-<>=" and not is_placeholder(text[slice(*following)], strength):
            spots.append((*following, "flag"))


_PASSWORD_VERBS = ("set_password", "setpassword", "change_password", "reset_password")
_PASSWORD_NOUNS = frozenset(("password", "psk", "passphrase", "wifi-sec.psk"))


def _sets_variable(before: str, value: str, seen: set[str]) -> bool:
    """`setx NAME VALUE` of Windows, `set -gx NAME VALUE` of fish, `cf set-env app NAME VALUE`, `password VALUE`."""
    if before == "setx" or ("set" in seen and before[:1] == "-" and "x" in before):
        return True
    if value in _PASSWORD_NOUNS:
        return "user" in seen or any(map(_is_setter, seen))
    return value.rpartition(":")[2].isupper() and any(map(_is_setter, seen))


def _is_setter(word: str) -> bool:
    """set, set-env, env:set, Set-Item; not unset or dataset."""
    return word[:3] in ("set", "Set") or word.endswith(":set")


def _mask_piped(text: str, piped: list[Span], spots: list[Spot]) -> None:
    for begin, end in piped:
        colon = text.find(":", begin, end) + 1  # user:password
        if text[begin] != "-" and not is_placeholder(text[begin:end], "strong"):
            spots.append((colon or begin, end, "piped"))


def _mask_span(text: str, span: Span, sign: str, spots: list[Spot]) -> None:
    """Mask the part after the sign; all of it if `sign` is empty, nothing if the sign is missing."""
    begin, end = span
    if sign:
        begin = text.find(sign, begin, end) + 1
    if text[begin : begin + 1] in ("'", '"') and end - begin > 1 and text[end - 1] == text[begin]:
        begin, end = begin + 1, end - 1
    if (begin or not sign) and begin < end and not is_placeholder(text[begin:end], "strong"):
        spots.append((begin, end, "flag"))


def _is_echo(text: str, command: list[Span]) -> bool:
    return text[slice(*command[0])] in ("echo", "printf", "yes")


def _strip_quotes(text: str, word: Span) -> Span:
    begin, end = word
    if end - begin >= 2 and text[begin] in "\"'" and text[end - 1] == text[begin]:
        return begin + 1, end - 1
    return word


def _split_commands(text: str, span: Span) -> list[tuple[list[Span], bool]]:
    """The commands in a span, each as the spans of its words, and whether a pipe follows."""
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
            while c == '"' and close > 0 and text[close - 1] == "\\":
                close = text.find(c, close + 1, stop)
            at = stop if close < 0 else close + 1
        elif c == "\\":
            at += 2
        elif c in _SPACES or c in _OPERATORS:
            return at
        else:
            at += 1
    return stop
