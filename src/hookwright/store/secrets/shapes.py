"""Secrets with a known shape: tokens with an issuer's prefix, key blocks, URLs, fixed phrases."""

from __future__ import annotations

from hookwright.store.secrets.names import find_first_of, is_placeholder, looks_random, secret_strength

TYPE_CHECKING = False  # the hook process must not import typing
if TYPE_CHECKING:
    Spot = tuple[int, int, str]

# Tokens: the issuer's prefix, and how many characters follow at least.
_TOKENS = (
    *(("ghp_", 30), ("gho_", 30), ("ghu_", 30), ("ghs_", 30), ("ghr_", 30), ("github_pat_", 30), ("glpat-", 16)),
    *(("gldt-", 16), ("glrt-", 16), ("sk-", 20), ("sk_live_", 10), ("sk_test_", 10), ("rk_live_", 10)),
    *(("whsec_", 16), ("xoxb-", 16), ("xoxp-", 16), ("xoxa-", 16), ("xoxr-", 16), ("xoxs-", 16), ("xapp-", 16)),
    *(("AKIA", 16), ("ASIA", 16), ("AIza", 30), ("ya29.", 20), ("GOCSPX-", 20), ("npm_", 30), ("pypi-AgEI", 16)),
    *(("hf_", 30), ("r8_", 30), ("dop_v1_", 32), ("doo_v1_", 32), ("dor_v1_", 32), ("SG.", 40), ("hvs.", 20)),
    *(("hvb.", 20), ("dckr_pat_", 20), ("shpat_", 20), ("shpss_", 20), ("lin_api_", 20), ("sntrys_", 20)),
    *(("sntryu_", 20), ("figd_", 20), ("ATATT", 30), ("sq0atp-", 16), ("sq0csp-", 16), ("AGE-SECRET-KEY-1", 30)),
    *(("xai-", 30), ("gsk_", 30), ("pplx-", 30), ("tskey-", 16), ("rubygems_", 30), ("PMAK-", 30), ("NRAK-", 20)),
    *(
        ("glsa_", 20),
        ("glc_", 20),
        ("pscale_tkn_", 20),
        ("sbp_", 30),
        ("tvly-", 20),
        ("phx_", 30),
        ("sha256~", 40),
        ("FlyV1-", 16),
    ),
)
_TOKEN_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~+/=%")

# URLs whose path is the secret: what comes before it, the character that ends it.
_SECRET_PATHS = (
    *(("hooks.slack.com/services/", ""), ("hooks.slack.com/workflows/", ""), ("/api/webhooks/", "")),
    *(("api.telegram.org/bot", "/"), ("infura.io/v3/", ""), ("alchemy.com/v2/", ""), ("hooks.zapier.com/hooks/", "")),
    *(("office.com/webhook/", ""), ("office.com/webhookb2/", ""), ("maker.ifttt.com/use/", "")),
)


def find_known_shapes(text: str, spots: list[Spot]) -> None:
    low = text.lower()
    if "-----BEGIN " in text:
        _find_key_blocks(text, spots)
    _find_tokens(text, spots)
    if "eyJ" in text:
        _find_jwts(text, spots)
    if "://" in text:
        _find_url_logins(text, spots)
        _find_secret_paths(text, low, spots)
    _find_phrases(text, low, spots)
    if '"] ' in text:
        _find_path_values(text, spots)
    if ".pgpass" in text:
        _find_pgpass_lines(text, spots)
    if "@" in text:
        _find_logins(text, spots)


def find_issued_keys(text: str) -> list[Spot]:
    """The tokens with an issuer's prefix, and private key blocks: what is a key wherever it stands."""
    spots: list[Spot] = []
    if "-----BEGIN " in text:
        _find_key_blocks(text, spots)
    _find_tokens(text, spots)
    return spots


# Words before a colon that are no user names: package aliases, images, remote paths.
_NOT_USERS = frozenset(
    (
        *("npm", "jsr", "workspace", "github", "gitlab", "file", "link", "portal", "patch"),
        *("docker", "oci", "http", "https", "ssh", "git", "node"),
    )
)


def _find_logins(text: str, spots: list[Spot]) -> None:
    """user:password@host without a scheme."""
    at = 0
    for word in text.split():
        at = text.find(word, at)
        bare = word.strip("\"'")
        user, colon, rest = bare.rpartition("=")[2].partition(":")
        password, sign, host = rest.rpartition("@")
        host = host.partition(":")[0].partition("/")[0]
        known = host == "localhost" or ("." in host and host.rpartition(".")[2].isalpha()) or host.count(".") == 3
        if (
            not (colon and sign and known and user.replace("/", "", 1).isalnum())
            or user in _NOT_USERS
            or "/" in password
            or "@" in password
        ):
            continue
        if not is_placeholder(password, "strong"):
            begin = text.find(":" + password + "@", at) + 1
            spots.append((begin, begin + len(password), "login"))


def _find_pgpass_lines(text: str, spots: list[Spot]) -> None:
    """Lines of .pgpass: host:port:database:user:password."""
    start = text.find(".pgpass")
    for line in text[start:].split("\n")[1:] if "\n" in text[start:] else text[:start].split('"'):
        fields = line.strip("'\"").split(":", 4)
        if len(fields) == 5 and not is_placeholder(fields[4], "strong"):
            at = text.find(line) + line.find(fields[4], len(":".join(fields[:4])))
            spots.append((at, at + len(fields[4]), "phrase"))


def _find_path_values(text: str, spots: list[Spot]) -> None:
    """Sops --set '["db"]["password"] "x"'."""
    at = text.find('"] ')
    while at >= 0:
        name = text[text.rfind('"', 0, at) + 1 : at]
        begin, end = _expect_span(text, at + 3)
        if end > begin and secret_strength(name):
            spots.append((begin, end, "phrase"))
        at = text.find('"] ', at + 3)


def _find_key_blocks(text: str, spots: list[Spot]) -> None:
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


def _find_tokens(text: str, spots: list[Spot]) -> None:
    for prefix, least in _TOKENS:
        start = text.find(prefix)
        while start >= 0:
            end = start + len(prefix)
            if start == 0 or not text[start - 1].isalnum():
                end = _token_end(text, end)
                body = text[start + len(prefix) : end]
                if len(body) >= least and _is_mixed(body):
                    spots.append((start, end, "token"))
            start = text.find(prefix, end)


def _find_jwts(text: str, spots: list[Spot]) -> None:
    """JSON web tokens: three parts, the first begins with an encoded `{"`."""
    start = text.find("eyJ")
    while start >= 0:
        end = _token_end(text, start)
        if text.count(".", start, end) == 2 and end - start > 30:
            spots.append((start, end, "token"))
        start = text.find("eyJ", end)


def _find_url_logins(text: str, spots: list[Spot]) -> None:
    """scheme://user:password@host; a long user without a password is a token."""
    at = text.find("://")
    while at >= 0:
        start = at + 3
        stop = find_first_of(text, start, " \t\n\"'`<>|;)")
        slash = find_first_of(text, start, "/?#", stop)
        sign = text.rfind("@", start, slash)
        if sign < 0:  # a password may contain a slash, a port may not
            colon = text.find(":", start, slash)
            sign = text.rfind("@", slash, stop) if colon > 0 and not text[colon + 1 : slash].isdecimal() else -1
        if sign > 0:
            colon = text.find(":", start, sign)
            if colon >= 0 and not is_placeholder(text[colon + 1 : sign], "strong"):
                token = colon - start >= 20 and looks_random(text[start:colon])  # https://TOKEN:x-oauth-basic@…
                spots.append((start if token else colon + 1, sign, "url"))
            elif colon < 0 and sign - start >= 20 and _has_digit(text[start:sign]):
                spots.append((start, sign, "url"))
        at = text.find("://", stop)


def _find_secret_paths(text: str, low: str, spots: list[Spot]) -> None:
    for place, stop in _SECRET_PATHS:
        start = low.find(place)
        if start < 0:
            continue
        start += len(place)
        end = find_first_of(text, start, " \t\n\"'`" + stop)
        if place == "/api/webhooks/":  # the number before the secret is the id of the webhook
            start = text.find("/", start, end) + 1 or end
        if end - start > 8 and text[start] not in "$<{":
            spots.append((start, end, "url"))


def _find_phrases(text: str, low: str, spots: list[Spot]) -> None:
    """Bearer xyz; IDENTIFIED BY 'xyz'; PASSWORD 'xyz'; pass:xyz; auth=('joe', 'xyz'); s/changeme/xyz/."""
    for phrase, find_span in _PHRASES:
        if find_span is _expect_span and "assword" not in low:
            continue
        at = low.find(phrase)
        while at >= 0:
            begin, end = find_span(text, at + len(phrase))
            if end > begin and not is_placeholder(text[begin:end], "strong"):
                spots.append((begin, end, "phrase"))
            at = low.find(phrase, at + len(phrase))


def _bearer_span(text: str, begin: int) -> tuple[int, int]:
    end = _token_end(text, begin)
    return (begin, end) if end - begin >= 16 and _has_digit(text[begin:end]) else (begin, begin)


def _sql_string_span(text: str, begin: int) -> tuple[int, int]:
    """SQL quotes its strings with '."""
    return (begin + 1, text.find("'", begin + 1)) if text[begin : begin + 1] == "'" else (begin, begin)


def _openssl_span(text: str, begin: int) -> tuple[int, int]:
    at = begin - len("pass:")
    return (begin, find_first_of(text, begin, " \t\n\"'`;|&)")) if at > 0 and text[at - 1] in " \"'" else (begin, begin)


def _third_string_span(text: str, begin: int) -> tuple[int, int]:
    """The third string argument of a connect call: address, user, password."""
    stop = find_first_of(text, begin, ")\n", min(len(text), begin + 300))
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


def _last_string_span(text: str, begin: int) -> tuple[int, int]:
    """The last string argument: PASSWORD('x'), changeUserPassword('joe', 'x')."""
    stop = find_first_of(text, begin, ")\n", min(len(text), begin + 200))
    quote = text[stop - 1 : stop]
    if quote not in ("'", '"') or stop - 1 <= begin:
        return begin, begin
    start = text.rfind(quote, begin, stop - 1)
    return (start + 1, stop - 1) if start >= 0 else (begin, begin)


def _first_string_span(text: str, begin: int) -> tuple[int, int]:
    """The first quoted string on the line: ConvertTo-SecureString -String "x"."""
    stop = find_first_of(text, begin, "\n;|", min(len(text), begin + 200))
    start = find_first_of(text, begin, "\"'", stop)
    end = text.find(text[start], start + 1, stop) if start < stop else -1
    return (start + 1, end) if end > 0 else (begin, begin)


def _named_string_span(text: str, begin: int) -> tuple[int, int]:
    """SetEnvironmentVariable("NAME", "x"): the second string, if the first names a secret."""
    name = _first_string_span(text, begin)
    value = _first_string_span(text, name[1] + 1)
    return value if secret_strength(text[slice(*name)]) else (begin, begin)


def _expect_span(text: str, begin: int) -> tuple[int, int]:
    """What an expect script types at a password prompt."""
    quote = text[begin : begin + 1]
    if quote not in ("'", '"'):
        return begin, begin
    end = text.find(quote, begin + 1)
    return (begin + 1, end) if end > 0 else (begin, begin)


def _python_pair_span(text: str, begin: int) -> tuple[int, int]:
    end = find_first_of(text, begin, ")\n", min(len(text), begin + 200))
    comma = text.find(",", begin, end)
    if not begin < comma < end:
        return begin, begin
    value = text[comma + 1 : end].strip()
    at = text.find(value, comma)
    return (at + 1, at + len(value) - 1) if value[:1] in ("'", '"') else (begin, begin)


def _replacement_span(text: str, begin: int) -> tuple[int, int]:
    """What `sed` puts in the place of `changeme`: up to the same separator."""
    end = text.find(text[begin - 1], begin)
    return (begin, max(begin, end))


_PHRASES = (
    *(("s/changeme/", _replacement_span), ("s|changeme|", _replacement_span), ("s#changeme#", _replacement_span)),
    *(
        ("bearer ", _bearer_span),
        ("identified by ", _sql_string_span),
        ("password ", _sql_string_span),
        ("pass:", _openssl_span),
    ),
    *(("password(", _last_string_span), ("send ", _expect_span), ("send -- ", _expect_span)),
    *(
        ("new pdo(", _third_string_span),
        ("dbi->connect(", _third_string_span),
        ("mysqli_connect(", _third_string_span),
        ("new mysqli(", _third_string_span),
    ),
    *(("create_superuser(", _third_string_span), ("create_user(", _third_string_span)),
    ("getconnection(", _third_string_span),
    *(("convertto-securestring ", _first_string_span), ("setenvironmentvariable(", _named_string_span)),
    *(("auth=(", _python_pair_span), ("basicauth(", _python_pair_span)),
)


def _is_mixed(text: str) -> bool:
    """Has digits, or upper and lower case letters: not an ordinary word."""
    return _has_digit(text) or (not text.islower() and not text.isupper())


def _has_digit(text: str) -> bool:
    return any(c.isdigit() for c in text)


def _token_end(text: str, start: int) -> int:
    for at in range(start, len(text)):
        if text[at] not in _TOKEN_CHARS:
            return at
    return len(text)
