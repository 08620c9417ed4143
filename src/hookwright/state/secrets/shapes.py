"""Secrets that are known by their shape alone: issuers' tokens, key blocks, URLs, set phrases."""

from __future__ import annotations

from hookwright.state.secrets.names import looks_random, stands_in, until

TYPE_CHECKING = False  # the door must not import typing
if TYPE_CHECKING:
    Spot = tuple[int, int, str]

# Issuers mark their tokens: what one begins with, and how many characters follow at least.
_TOKENS = (
    *(("ghp_", 30), ("gho_", 30), ("ghu_", 30), ("ghs_", 30), ("ghr_", 30), ("github_pat_", 30), ("glpat-", 16)),
    *(("gldt-", 16), ("glrt-", 16), ("sk-", 20), ("sk_live_", 10), ("sk_test_", 10), ("rk_live_", 10)),
    *(("whsec_", 16), ("xoxb-", 16), ("xoxp-", 16), ("xoxa-", 16), ("xoxr-", 16), ("xoxs-", 16), ("xapp-", 16)),
    *(("AKIA", 16), ("ASIA", 16), ("AIza", 30), ("ya29.", 20), ("GOCSPX-", 20), ("npm_", 30), ("pypi-AgEI", 16)),
    *(("hf_", 30), ("r8_", 30), ("dop_v1_", 32), ("doo_v1_", 32), ("dor_v1_", 32), ("SG.", 40), ("hvs.", 20)),
    *(("hvb.", 20), ("dckr_pat_", 20), ("shpat_", 20), ("shpss_", 20), ("lin_api_", 20), ("sntrys_", 20)),
    *(("sntryu_", 20), ("figd_", 20), ("ATATT", 30), ("sq0atp-", 16), ("sq0csp-", 16), ("AGE-SECRET-KEY-1", 30)),
    *(("xai-", 30), ("gsk_", 30), ("pplx-", 30), ("tskey-", 16), ("rubygems_", 30), ("PMAK-", 30), ("NRAK-", 20)),
    *(("glsa_", 20), ("glc_", 20), ("pscale_tkn_", 20), ("sbp_", 30), ("tvly-", 20), ("phx_", 30), ("sha256~", 40)),
)
_TOKEN_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~+/=%")

# Addresses whose path is the secret: where it begins, what ends it.
_PATHS = (
    *(("hooks.slack.com/services/", ""), ("hooks.slack.com/workflows/", ""), ("/api/webhooks/", "")),
    *(("api.telegram.org/bot", "/"), ("infura.io/v3/", ""), ("alchemy.com/v2/", ""), ("hooks.zapier.com/hooks/", "")),
    *(("office.com/webhook/", ""), ("office.com/webhookb2/", ""), ("maker.ifttt.com/use/", "")),
)


def find(text: str, spots: list[Spot]) -> None:
    low = text.lower()
    if "-----BEGIN " in text:
        _key_blocks(text, spots)
    _tokens(text, spots)
    if "eyJ" in text:
        _web_tokens(text, spots)
    if "://" in text:
        _addresses(text, spots)
        _secret_paths(text, low, spots)
    _phrases(text, low, spots)
    if ".pgpass" in text:
        _password_lines(text, spots)
    if "@" in text:
        _logins(text, spots)


# What stands before a colon and is no user: package aliases, images, remote paths.
_SCHEMES = frozenset(
    (
        *("npm", "jsr", "workspace", "github", "gitlab", "file", "link", "portal", "patch"),
        *("docker", "oci", "http", "https", "ssh", "git", "node"),
    )
)


def _logins(text: str, spots: list[Spot]) -> None:
    """user:password@host without a scheme."""
    at = 0
    for word in text.split():
        at = text.find(word, at)
        bare = word.strip("\"'")
        user, colon, rest = bare.rpartition("=")[2].partition(":")
        password, sign, host = rest.rpartition("@")
        host = host.partition(":")[0].partition("/")[0]
        known = host == "localhost" or ("." in host and host.rpartition(".")[2].isalpha()) or host.count(".") == 3
        if not (colon and sign and known and user.isalnum()) or user in _SCHEMES or "/" in password or "@" in password:
            continue
        if not stands_in(password, "strong"):
            begin = text.find(":" + password + "@", at) + 1
            spots.append((begin, begin + len(password), "login"))


def _password_lines(text: str, spots: list[Spot]) -> None:
    """host:port:database:user:password, as psql keeps them."""
    start = text.find(".pgpass")
    for line in text[start:].split("\n")[1:] if "\n" in text[start:] else text[:start].split('"'):
        fields = line.strip("'\"").split(":", 4)
        if len(fields) == 5 and not stands_in(fields[4], "strong"):
            at = text.find(line) + line.find(fields[4], len(":".join(fields[:4])))
            spots.append((at, at + len(fields[4]), "phrase"))


def _key_blocks(text: str, spots: list[Spot]) -> None:
    start = text.find("-----BEGIN ")
    while start >= 0:
        head_end = text.find("-----", start + 11)
        if head_end < 0:
            return
        end = text.find("-----END", head_end)
        end = len(text) if end < 0 else end
        if "PRIVATE KEY" in text[start:head_end]:
            spots.append((head_end + 5, end, "private key"))
        start = text.find("-----BEGIN ", end)


def _tokens(text: str, spots: list[Spot]) -> None:
    for prefix, least in _TOKENS:
        start = text.find(prefix)
        while start >= 0:
            end = start + len(prefix)
            if start == 0 or not text[start - 1].isalnum():
                end = _run(text, end)
                body = text[start + len(prefix) : end]
                if len(body) >= least and _is_mixed(body):
                    spots.append((start, end, "token"))
            start = text.find(prefix, end)


def _web_tokens(text: str, spots: list[Spot]) -> None:
    """JSON web tokens: three parts, the first of them begins with an encoded `{"`."""
    start = text.find("eyJ")
    while start >= 0:
        end = _run(text, start)
        if text.count(".", start, end) == 2 and end - start > 30:
            spots.append((start, end, "token"))
        start = text.find("eyJ", end)


def _addresses(text: str, spots: list[Spot]) -> None:
    """scheme://user:password@host; a long user without a password is a token."""
    at = text.find("://")
    while at >= 0:
        start = at + 3
        stop = until(text, start, " \t\n\"'`<>|;)")
        slash = until(text, start, "/?#", stop)
        sign = text.rfind("@", start, slash)
        if sign < 0:  # a password may hold a slash, a port may not
            colon = text.find(":", start, slash)
            sign = text.rfind("@", slash, stop) if colon > 0 and not text[colon + 1 : slash].isdecimal() else -1
        if sign > 0:
            colon = text.find(":", start, sign)
            if colon >= 0 and not stands_in(text[colon + 1 : sign], "strong"):
                token = colon - start >= 20 and looks_random(text[start:colon])  # https://TOKEN:x-oauth-basic@…
                spots.append((start if token else colon + 1, sign, "url"))
            elif colon < 0 and sign - start >= 20 and _has_digit(text[start:sign]):
                spots.append((start, sign, "url"))
        at = text.find("://", stop)


def _secret_paths(text: str, low: str, spots: list[Spot]) -> None:
    for place, stop in _PATHS:
        start = low.find(place)
        if start < 0:
            continue
        start += len(place)
        end = until(text, start, " \t\n\"'`" + stop)
        if place == "/api/webhooks/":  # the number in front of the secret names the channel
            start = text.find("/", start, end) + 1 or end
        if end - start > 8 and text[start] not in "$<{":
            spots.append((start, end, "url"))


def _phrases(text: str, low: str, spots: list[Spot]) -> None:
    """Bearer xyz; IDENTIFIED BY 'xyz'; PASSWORD 'xyz'; pass:xyz; auth=('joe', 'xyz')."""
    for phrase, judge in _PHRASES:
        if judge is _sent and "assword" not in low:
            continue
        at = low.find(phrase)
        while at >= 0:
            begin, end = judge(text, at + len(phrase))
            if end > begin and not stands_in(text[begin:end], "strong"):
                spots.append((begin, end, "phrase"))
            at = low.find(phrase, at + len(phrase))


def _bearer(text: str, begin: int) -> tuple[int, int]:
    end = _run(text, begin)
    return (begin, end) if end - begin >= 16 and _has_digit(text[begin:end]) else (begin, begin)


def _quoted(text: str, begin: int) -> tuple[int, int]:
    """SQL quotes its strings with '."""
    return (begin + 1, text.find("'", begin + 1)) if text[begin : begin + 1] == "'" else (begin, begin)


def _openssl(text: str, begin: int) -> tuple[int, int]:
    at = begin - len("pass:")
    return (begin, until(text, begin, " \t\n\"'`;|&)")) if at > 0 and text[at - 1] in " \"'" else (begin, begin)


def _third(text: str, begin: int) -> tuple[int, int]:
    """The third text of a connection: address, user, password."""
    stop = until(text, begin, ")\n", min(len(text), begin + 300))
    texts: list[tuple[int, int]] = []
    at = begin
    while at < stop and len(texts) < 3:
        quote = text[at]
        if quote in "\"'":
            end = text.find(quote, at + 1, stop)
            if end < 0:
                break
            texts.append((at + 1, end))
            at = end
        at += 1
    return texts[2] if len(texts) == 3 else (begin, begin)


def _last(text: str, begin: int) -> tuple[int, int]:
    """The last text in the parentheses: PASSWORD('x'), changeUserPassword('joe', 'x')."""
    stop = until(text, begin, ")\n", min(len(text), begin + 200))
    quote = text[stop - 1 : stop]
    if quote not in ("'", '"') or stop - 1 <= begin:
        return begin, begin
    start = text.rfind(quote, begin, stop - 1)
    return (start + 1, stop - 1) if start >= 0 else (begin, begin)


def _sent(text: str, begin: int) -> tuple[int, int]:
    """What an expect script types at a password prompt."""
    quote = text[begin : begin + 1]
    if quote not in ("'", '"'):
        return begin, begin
    end = text.find(quote, begin + 1)
    return (begin + 1, end) if end > 0 else (begin, begin)


def _python_pair(text: str, begin: int) -> tuple[int, int]:
    end = until(text, begin, ")\n", min(len(text), begin + 200))
    comma = text.find(",", begin, end)
    if not begin < comma < end:
        return begin, begin
    value = text[comma + 1 : end].strip()
    at = text.find(value, comma)
    return (at + 1, at + len(value) - 1) if value[:1] in ("'", '"') else (begin, begin)


_PHRASES = (
    *(("bearer ", _bearer), ("identified by ", _quoted), ("password ", _quoted), ("pass:", _openssl)),
    *(("password(", _last), ("send ", _sent), ("send -- ", _sent)),
    *(("new pdo(", _third), ("dbi->connect(", _third), ("mysqli_connect(", _third), ("new mysqli(", _third)),
    *(("create_superuser(", _third), ("create_user(", _third)),
    ("getconnection(", _third),
    *(("auth=(", _python_pair), ("basicauth(", _python_pair)),
)


def _is_mixed(text: str) -> bool:
    """Digits, or large and small letters: no words of a person."""
    return _has_digit(text) or (not text.islower() and not text.isupper())


def _has_digit(text: str) -> bool:
    return any(c.isdigit() for c in text)


def _run(text: str, start: int) -> int:
    for at in range(start, len(text)):
        if text[at] not in _TOKEN_CHARS:
            return at
    return len(text)
