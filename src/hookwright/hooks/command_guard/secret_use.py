"""What a call does with a secret file that it names: reads it, copies it, commits it, or only looks at its name.

rules/secret_read → [find_secret_use] → (the word, what is done with it) or None
Whatever is not known to be harmless counts as reading: there is no list of readers. Harmless is to ask for a name, size
or mode, to write or delete the file, to hand it to the program that needs it (`ssh -i`, `--env-file`), and to print
only the names of variables (`cut -d= -f1 .env`).
"""

from __future__ import annotations

from hookwright.hooks.command_guard.secret_paths import is_secret_folder, is_secret_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.command import Call, Word

# They ask for a file's name, size, mode or place, change these, write it, delete it, or run it.
HARMLESS = frozenset(
    (
        "ls ll la eza exa lsd dir stat file wc du tree find gfind fd fdfind test [ [[ chmod chown chgrp chattr lsattr "
        "getfacl setfacl touch mkdir rm grm unlink rmdir shred srm wipe truncate trash basename dirname realpath "
        "readlink tee "
        "cd pushd which type command echo printf print exit return true false : "
        "md5sum sha1sum sha256sum sha512sum shasum b2sum md5 cksum sum lsof fuser "
        "source . export declare local typeset readonly unset alias trap set read mapfile readarray "
        "ssh ssh-add ssh-copy-id ssh-keygen mosh certbot mkcert age-keygen direnv code subl idea open xdg-open "
        "dotenv-linter gitleaks trufflehog detect-secrets ggshield git-secrets restorecon icacls attrib "
        "sleep man kubectl oc helm kustomize terraform tofu terragrunt pulumi ansible ansible-playbook "
        "docker-compose podman-compose systemctl jest vitest pytest eslint prettier ruff shellcheck"
    ).split()
)
# Programs of which only these words make a reader: `sops -d`, `ansible-vault view`.
READS_WITH = {
    "sops": ("-d", "--decrypt", "decrypt", "exec-file", "edit"),
    "ansible-vault": ("view", "decrypt", "edit"),
    "age": ("-d", "--decrypt"),
    "gpg": ("-d", "--decrypt", "-c", "--symmetric", "-e", "--encrypt"),
    "gpg2": ("-d", "--decrypt", "-c", "--symmetric", "-e", "--encrypt"),
    "docker": ("cp",),
    "podman": ("cp",),
    "keytool": ("-exportcert", "-importkeystore"),
    "dotenvx": ("get", "decrypt"),
    "dotenv": ("list", "get"),
    "openssl": ("rsa", "pkey", "ec", "dsa", "pkcs8", "pkcs12", "enc", "base64", "asn1parse"),
    "xxhsum": (),
    "tar": ("c", "r", "u", "--create", "--append", "--update"),
    "gtar": ("c", "r", "u", "--create", "--append", "--update"),
    "bsdtar": ("c", "r", "u", "--create", "--append", "--update"),
}
PUBLIC_OUTPUT = ("-pubout", "-noout", "-check", "-pubcheck", "-modulus", "-text_pub")  # of openssl
FINDERS = frozenset(("find", "gfind", "fd", "fdfind"))
QUIET_DIFFS = ("-q", "--brief", "-s", "--silent", "--quiet")
RENAMES = ("mv", "ln")  # under another name a secret is no longer known as one
COPIERS = frozenset("cp gcp install rsync scp ditto robocopy xcopy".split())
SEARCHERS = frozenset("grep egrep fgrep zgrep rg ag ack ugrep".split())
SCRIPTED = frozenset("sed gsed awk gawk mawk nawk jq yq gojq dasel mlr".split())  # their first operand is a program
COUNTS = ("-c", "-q", "-l", "-L", "--count", "--quiet", "--silent", "--files-with-matches", "--files-without-match")
# Options whose value is handed over, written or left out, not read aloud; short ones only of these programs.
USING = frozenset(
    (
        "--env-file --from-env-file --from-file --netrc-file --identity --identity-file --cacert --capath "
        "--ignore-file --volume --mount --var-file -var-file --out --output -out -o -keyout --outfile --message "
        "-CA -CAkey -key -cert -signkey -inkey --title --body --subject --pem --glob --include --profile --region"
    ).split()
)
SHORT_USING = {
    **dict.fromkeys(("scp", "sftp", "rsync"), ("-i", "-F", "-o", "-e", "-J", "-f")),
    **dict.fromkeys(("psql", "mysql", "mongosh", "nmap", "restic"), ("-p", "-d")),
    "op": ("-i",),
    "zip": ("-x",),
}
# In the name of a long option: its value is a file that the program needs for its work.
USING_PARTS = ("env", "key", "cert", "cred", "secret", "token", "identity", "kube", "pass", "ssl", "tls", "auth",
               "config", "exclude", "ignore", "output", "defaults")  # fmt: skip
READS_VALUES = frozenset("xargs gxargs base64 openssl dd curl wget http https xh".split())  # their options name input
GIT_READS = {
    "show": (),
    "diff": ("--stat", "--name-only", "--name-status", "--quiet", "--shortstat", "--numstat", "--exit-code", "--check"),
    "difftool": (),
    "blame": (),
    "annotate": (),
    "grep": COUNTS,
    "archive": (),
    "cat-file": ("-e", "-t", "-s"),
    "hash-object": (),
    "add": ("-n", "--dry-run"),
    "stage": ("-n", "--dry-run"),
    "commit": (),
    "format-patch": (),
    "bundle": (),
}
GIT_COMMITS = ("add", "stage", "commit")
PATCHES = ("-p", "-u", "--patch", "-L", "-S", "-G", "--full-diff", "-c", "--cc")  # of git log
# Variables of an .env that are no secrets, by the last part of their name.
PLAIN_VARIABLES = frozenset(
    (
        "PORT PORTS HOST HOSTNAME ENV DEBUG LEVEL MODE REGION ZONE VERSION NAME TZ LANG LOCALE TIMEOUT ENABLED WORKERS "
        "THREADS DOMAIN BUCKET ENVIRONMENT STAGE DIR PATH VERBOSE FLAGS FLAG COUNT SIZE INTERVAL"
    ).split()
)
# The last stage of a pipe that lets nothing of its input out.
SWALLOWS = frozenset(
    "wc md5sum sha1sum sha256sum shasum ssh-add true : export source . read mapfile readarray age ssh-keygen".split()
)
CODE_OPTIONS = ("-c", "-e", "-r", "-E", "--eval", "-p", "--print", "-pe", "-ne", "eval")  # followed by a program's text
INTERPRETERS = frozenset("python python3 python2 node nodejs deno bun ruby perl php lua tsx ts-node osascript".split())
TAKES_STDIN = ("--password-stdin", "--with-token", "--token-stdin", "--from-env-file", "secret", "secrets", "login",
               "env", "--env-file", "config:set", "import")  # fmt: skip
CONSUMING = frozenset(("docker podman gh glab heroku vercel netlify fly flyctl wrangler kubectl oc aws gcloud az vault "
                       "doppler railway supabase op nerdctl helm npm").split())  # fmt: skip
ASSIGNING = frozenset("export declare local typeset readonly set env eval".split())
PRINTING = frozenset("echo printf print cat tee logger wall say notify-send printenv".split())
GLOBBED = (".env", ".envrc", ".netrc", ".pgpass", "id_rsa", "id_ed25519", "credentials")
WILD = "*?["
GAPS = frozenset(" \t\n;|&<>(){}'\"")
MAX_PATH = 300  # characters of a word that is looked at as a path
LOCAL = ("localhost", "127.0.0.1", "0.0.0.0", "[::1]", "host.docker.internal")  # noqa: S104


def find_secret_use(call: Call) -> tuple[str, str] | None:
    """The first secret that the call reads, copies or commits, and the verb for it; None if it does none of these."""
    program = call.program
    for wrapper in call.wrappers:
        listed = wrapper.option("-a", "--arg-file") if wrapper.program in ("xargs", "gxargs") else None
        if listed is not None and names_secret(call, listed):
            return str(listed), "reads"
    for redirect in call.redirects:
        if redirect.op == "<" and not is_silent_input(call) and names_secret(call, redirect.target):
            return str(redirect.target), "reads"
    if program in HARMLESS or not call.words:
        return None
    if program == "git":
        return find_git_use(call)
    if program in READS_WITH and not reads_with(call, READS_WITH[program]):
        return None
    if program in ("diff", "cmp", "colordiff") and call.has_flag(*QUIET_DIFFS):
        return None
    for word in list_inputs(call):
        if names_secret(call, word):
            return shown(word), "copies" if program in COPIERS or program in ("mv", "ln", "tar", "zip") else "reads"
    return find_searched(call)


def reads_with(call: Call, words: Sequence[str]) -> bool:
    """Whether one of these options or verbs is given; for tar, letters of its mode."""
    if call.program in ("tar", "gtar", "bsdtar"):
        first = call.args[0] if call.args else ""
        mode = first.lstrip("-") if first[:2] != "--" else ""
        return any(letter in mode for letter in words[:3]) or any(word in words for word in call.args)
    if call.program == "openssl" and call.has_flag(*PUBLIC_OUTPUT):
        return False
    return any(word in words for word in call.args)


def find_git_use(call: Call) -> tuple[str, str] | None:
    verb = call.verb
    if verb == "log" and not any(word in PATCHES or word[:2] == "-L" for word in call.args):
        return None
    quiet = GIT_READS.get(verb) if verb != "log" else ()
    if quiet is None or any(word in call.args for word in quiet):
        return None
    words: list[str] = list(call.words)
    start = words.index(verb) + 1 if verb in words else len(words)
    for index in range(start, len(words)):
        word = call.words[index]
        if words[index - 1] in ("-m", "--message", "-F", "--file", "--author"):
            continue
        if word[:1] != "-" and word[:2] != ":!" and names_secret(call, word):
            return shown(word), "commits" if verb in GIT_COMMITS else "reads"
    return None


def find_searched(call: Call) -> tuple[str, str] | None:
    """`find … -name .env -exec cat {} +` and `find … -name .env | xargs cat`: the names stand in the search."""
    outer = call.outer
    if (
        outer is not None
        and outer.program in ("find", "gfind", "fd", "fdfind")
        and any("{}" in word for word in call.args)
    ):
        return find_name(outer)
    if any(wrapper.program == "xargs" for wrapper in call.wrappers):
        for source in call.producers:
            if source.program in FINDERS or source.program in ("ls", "echo", "printf"):
                found = find_name(source)
                if found is not None:
                    return found
    return None


def find_name(search: Call) -> tuple[str, str] | None:
    for word in search.args:
        if word[:1] != "-" and (is_secret_path(word.replace("*", "")) or is_secret_path(word.replace("*", "x"))):
            return str(word), "reads"
    return None


def list_inputs(call: Call) -> list[Word]:
    """The words of a call that may name its input: not its program text, not where it writes, not what it only uses."""
    program = call.program
    if program in SEARCHERS:
        return list_searched_files(call)
    if program in SCRIPTED:
        return list_script_files(call)
    if program == "cut" and prints_names_only(call):
        return []
    words = [word for index, word in enumerate(call.args) if not is_used(call, index)]
    if program in COPIERS or program in RENAMES:
        operands = [word for word in words if word[:1] != "-"]
        if program in RENAMES and operands and (names_secret(call, operands[-1]) or "mktemp -d" in operands[-1]):
            return []  # renamed, still known as a secret; or into a directory that only the user can read
        return operands[:-1] if not call.options("-t", "--target-directory") else operands
    return words


def is_used(call: Call, index: int) -> bool:
    """Whether the argument at this index is the value of an option that only uses it."""
    word = call.args[index]
    before = call.args[index - 1] if index else ""
    if call.program in INTERPRETERS and before in CODE_OPTIONS:
        return True  # checked as code
    if call.program in READS_VALUES:
        return word.startswith(("--cert", "--key", "--cacert", "--netrc", "--exclude")) or before in (
            *("--cert", "--key", "--cacert", "--capath", "-E", "--netrc-file", "-K", "--config", "-b", "-c", "-o"),
            *("--output", "-out", "-keyout", "-CA", "-CAkey", "-signkey", "-inkey", "--cookie", "--cookie-jar"),
        )
    if before in USING or before in SHORT_USING.get(call.program, ()):
        return True
    option = word.partition("=")[0] if word[:2] == "--" and "=" in word else before if before[:2] == "--" else ""
    return option != "" and (option in USING or any(part in option for part in USING_PARTS))


def list_searched_files(call: Call) -> list[Word]:
    """The files that grep searches, unless it only counts or looks for a variable that is no secret."""
    if call.has_flag(*COUNTS):
        return []
    operands = call.operands("-A", "-B", "-C", "-m", "-e", "-f", "-g", "--include", "--exclude", "--glob", "-t")
    pattern = call.option("-e", "--regexp")
    if pattern is None and not call.options("-f"):
        pattern, operands = (operands[0], operands[1:]) if operands else (None, [])
    if pattern is not None and names_plain_variables(pattern):
        return []
    return operands


def names_plain_variables(pattern: str) -> bool:
    """`PORT`, `^NODE_ENV=`, `HOST|PORT`: no variable that could hold a secret."""
    names = pattern.strip("^=\"'").replace("\\|", "|").replace("(", "|").replace(")", "|").split("|")
    names = [name.strip("^=") for name in names if name.strip("^=")]
    return bool(names) and all(
        name.replace("_", "").isalnum() and name.upper().rpartition("_")[2] in PLAIN_VARIABLES for name in names
    )


def list_script_files(call: Call) -> list[Word]:
    """The files that sed, awk or jq reads; none if it edits in place, or prints the names of variables only."""
    if call.program in ("sed", "gsed") and any(
        word[:2] == "-i" or word.startswith("--in-place") or (word[:1] == "-" and word[1:2] != "-" and "i" in word[:4])
        for word in call.args
    ):
        return []
    if prints_names_only(call):
        return []
    operands = call.operands("-F", "-v", "-f", "-e", "--arg", "--argjson", "--expression", "--file")
    return operands if call.options("-e", "-f", "--expression", "--file") else operands[1:]


def prints_names_only(call: Call) -> bool:
    """`cut -d= -f1`, `sed 's/=.*/=…/'`, `awk -F= '{print $1}'`: no value is printed."""
    text = "".join(call.args).replace(" ", "").replace("'", "")
    if call.program == "cut":
        return "-d=" in text and (text.endswith("-f1") or "-f1-" in text or "-f1," not in text) and "-f1" in text
    if call.program in ("sed", "gsed"):
        return "s/=.*/" in text or "s/=.*$/" in text or "s|=.*|" in text
    if call.program in ("awk", "gawk", "mawk", "nawk"):
        return "-F=" in text and "print$1" in text and "$2" not in text and "$0" not in text
    if call.program in SEARCHERS:
        return call.has_flag(*COUNTS) or "[^=]" in text
    return False


def is_silent_input(call: Call) -> bool:
    """Whether what the call reads from its standard input stays inside of it."""
    if call.program in SEARCHERS:
        return call.has_flag(*COUNTS)
    if call.program in ("read", "mapfile", "readarray"):
        return call.program == "read" and call.place.loop is None  # `while read … < .env` goes over every line
    if call.program == "tee":
        return False
    return call.program in HARMLESS or is_swallowed_by(call) or prints_names_only(call)


def names_secret(call: Call, word: Word) -> bool:
    """Whether the word, or a part of it, is the path of a secret: `HEAD:.env`, `if=.env`, `f=@.env`, `--file=.env`."""
    text = str(word).removeprefix("file://")
    if len(text) > MAX_PATH or (text[:2] == "--" and "=" not in text):
        return False
    if not GAPS.isdisjoint(text.replace("@{", "@").replace("}:", ":")) and text[:1] not in "/~." and "$(" not in text:
        return False  # prose, code
    if is_secret_word(call, word, text):
        return True
    for sign in "=@:,":
        if sign in text:
            if any(is_secret_word(call, word, part) for part in text.split(sign)[1:] if part):
                return True
            if sign in ":," and is_secret_word(call, word, text.partition(sign)[0]):
                return True
    return text[:1] == "-" and text[1:2] != "-" and is_secret_word(call, word, text[2:])


def is_secret_word(call: Call, word: Word, text: str) -> bool:
    if not text or "://" in text:
        return False
    text = text.strip("\"'@")
    if WILD[0] in text or WILD[1] in text or WILD[2] in text:
        return matches_secret(text) or is_secret_path(text.replace("*", "")) or is_secret_path(text.replace("*", "x"))
    if is_secret_path(text) or is_secret_folder(text):
        return True
    if text != word or "/" in text or not call.cwd:
        return False
    path = call.path(word)  # `cd ~/.ssh && cat deploy`
    return path is not None and is_secret_path(path)


def matches_secret(pattern: str) -> bool:
    """Whether a glob matches the name of a common secret: `.e*`, `id_*`, `.[e]nv`."""
    name = pattern.rpartition("/")[2]
    before = name[: min(name.find(sign) for sign in WILD if sign in name)] if any(s in name for s in WILD) else name
    after = name[max(name.rfind(sign) for sign in "*?]") + 1 :]
    return len(before) + len(after) > 1 and any(
        secret.startswith(before) and secret.endswith(after) and len(secret) >= len(before) + len(after)
        for secret in GLOBBED
    )


def shown(word: Word) -> str:
    return str(word) if len(word) < 60 else str(word)[:57] + "…"


# -- where the output goes ---------------------------------------------------------------------------------------------


def is_output_kept(call: Call) -> bool:
    """Whether the output stays out of the conversation, of other files and of other programs' output."""
    if any(
        redirect.target == "/dev/null" and redirect.fd in ("", "1") and redirect.writes for redirect in call.redirects
    ):
        return True
    stage = call.place.stage
    for later in call.pipeline[stage + 1 :]:
        if any(is_swallowed_by(other) or prints_names_only(other) for other in later):
            return True
    owner = call.owner
    if call.substitution and owner is None:
        return True  # assigned to a variable
    return owner is not None and owner.program not in PRINTING and not reads_process_output(call, owner)


def reads_process_output(call: Call, owner: Call) -> bool:
    """`diff <(cat .env) x`: what is read through a file name comes out again, except where it is sourced."""
    return call.substitution == "<(" and owner.program not in ("source", ".")


def is_swallowed_by(call: Call) -> bool:
    """Whether a program takes what it reads for itself: `wc -l`, `docker login --password-stdin`."""
    if call.program in SWALLOWS or call.program in ASSIGNING:
        return True
    if call.program in ("curl", "wget", "http", "xh"):
        return any(local in word for word in call.args for local in LOCAL)  # what is sent elsewhere has its own rule
    return call.program in CONSUMING and any(word in TAKES_STDIN for word in call.args)
