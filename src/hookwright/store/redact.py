"""Mask secrets before a text is stored, and cut it to the size that may be stored. Always in this order.

text → [has_hint] → secret_values.find_spots → text with `***`, kinds of secrets
Best effort: a masked text is safer, not proven clean.
Hot: an ordinary command costs a few microseconds; only a text with a hint loads the scanner (secret_values.py).
"""

from __future__ import annotations

MARGIN = 512  # characters read beyond the limit, so that a secret at the limit is seen whole

# Lower case. A hint is a reason to run the scanner, not a finding. No hint contains another one. Each table is one text
# that is split: a constant for each hint would cost every event more than a hundred interned strings.
_HINT_TABLE = (
    "pass|pw|secret|token|auth|bearer|cred|cookie|key|://|identified by| -p| -u| -a | -w | -b| /p:| -t |login|signin|"
    "sudo -s|_dsn|_salt|_seed|psk|mnemonic|phrase|appid=|http-basic|bundle config|bundle_|<<<|<(echo|--cert |user(|"
    "pdo(|dbi->|mysqli|getconnection|securestring|changeme"
)
_HINTS = _HINT_TABLE.split("|")
# Beginnings of tokens, each followed by ten characters or more: looked for where a word is long enough.
_TOKENS = (
    "akia|asia|aiza|eyj|ya29.|sk-|sk_|rk_|xox|ghp_|gho_|ghs_|ghu_|ghr_|_pat_|glpat-|npm_|hf_|pypi-|sg.|_v1_|shpat_|"
    "hvs.|gldt-|glrt-|whsec_|xapp-|gocspx-|r8_|hvb.|shpss_|lin_api_|sntry|figd_|atatt|sq0|xai-|pplx-|rubygems_|pmak-|"
    "nrak-|glsa_|glc_|_tkn_|sbp_|tvly-|phx_|sha256~|flyv1-"
)
_LEAST_TOKEN = 18
# Programs that take a secret without any of the words above.
_PROGRAM_TABLE = (
    "sqlplus|impdp|expdp|isql|etcdctl|rabbitmqctl|useradd|usermod|kinit|ftp|lftp|sftp|ncftpput|ncftpget|vault|"
    "openssl|mc|put-parameter|zip|unzip|7z|7za|rar|unrar|setx|net|schtasks|cryptsetup|cloudflared|rclone|kaggle|"
    "psexec|influx|caddy|bcrypt-tool|realm|hcloud|glab|signtool|certutil|knife|sendemail|swaks|ldapsearch|ldapadd|"
    "ldapmodify|ldapdelete|snmpget|snmpset|snmpbulkwalk|create_superuser|expect|sig|signature|honeycomb-marker"
)
_PROGRAMS = frozenset(_PROGRAM_TABLE.split("|"))
_SEPARATORS = ("'", '"', "\\n", "/", "=", "(", "|", ";", "`")  # of words; the third as `repr` writes it


def mask(text: str) -> tuple[str, list[str]]:
    """The text with its secrets masked, and the sorted kinds of secrets that were found."""
    if not has_hint(text):
        return text, []
    from hookwright.store.secret_values import find_spots  # noqa: PLC0415  most texts do not need it

    return apply(text, find_spots(text))


def mask_and_cut(text: str, max_chars: int) -> tuple[str, list[str]]:
    """Mask, then cut to `max_chars`: the other way round half a secret could survive at the end."""
    masked, kinds = mask(text[: max_chars + MARGIN])
    return masked[:max_chars], kinds


def has_hint(text: str) -> bool:
    """Whether the scanner has to look at this text."""
    low = text.lower()
    for hint in _HINTS:
        if hint in low:
            return True
    for sign in _SEPARATORS:
        low = low.replace(sign, " ")
    words = low.split()
    if not _PROGRAMS.isdisjoint(words):
        return True
    if words and len(max(words, key=len)) >= _LEAST_TOKEN:
        for hint in _TOKENS.split("|"):
            if hint in low:
                return True
    # user:password@host without a word that tells
    at = low.find("@")
    colon = low.rfind(":", 0, at) if at > 0 else -1
    return colon > 0 and " " not in low[colon:at]


def apply(text: str, spots: list[tuple[int, int, str]]) -> tuple[str, list[str]]:
    """Replace every spot with the mask; spots may touch and overlap."""
    if not spots:
        return text, []
    from hookwright.store.secret_values import MASK  # noqa: PLC0415

    spots.sort()
    pieces = []
    position = 0
    for start, end, _kind in spots:
        if start >= position:
            pieces.append(text[position:start])
            if not (pieces[-1] == "" and len(pieces) > 1):
                pieces.append(MASK)
        position = max(position, end)
    pieces.append(text[position:])
    return "".join(pieces), sorted({kind for _, _, kind in spots if kind != "value"})
