"""Mask secrets before a text is stored, and cut it to the size that may be stored. Always in this order.

text → [hints] → secrets.find_secrets (shapes, assignments, flags) → [apply] → text with `***`, kinds of secrets
Best effort: a masked text is safer, not proven clean.
Hot: an ordinary command costs a few microseconds; only a text with a hint loads and runs the scanner.
"""

from __future__ import annotations

MASK = "***"
MARGIN = 512  # characters read beyond the limit, so that a secret at the limit is seen whole

# Lower case. A hint is a reason to run the scanner, not a finding.
_HINTS = (
    *("pass", "pwd", "secret", "token", "auth", "bearer", "cred", "cookie", "apikey", "api_key", "api-key"),
    *("_key", "accountkey", "private key", "://", "webhook", "sig=", "signature", "identified by"),
    *(" -p", " -u", " -a ", " -w ", " -b", " /p:", " -t ", "login", "sqlplus", "impdp", "expdp", "ftp", "vault"),
    *("sudo -s", "keygen", "put-param", "openssl", "rabbitmqctl", "useradd", "usermod", "kinit", "mc alias"),
    *("_dsn", "_salt", "_pw", "_psk", "_seed", "mnemonic", "-phrase", "private-key", "appid=", "snmp", "http-basic"),
    *("bundle config", "bundle_", "isql", "etcdctl", "<<<", "--pw", "--key ", "--uri", "zip -", "create_superuser"),
    *("create_user(", "pdo(", "dbi->", "mysqli", "getconnection"),
    *("akia", "asia", "aiza", "eyj", "ya29.", "sk-", "sk_", "rk_", "xox", "ghp_", "gho_", "ghs_", "ghu_", "ghr_"),
    *("_pat_", "glpat-", "npm_", "hf_", "pypi-", "sg.", "_v1_", "shpat_", "hvs.", "tskey-", "gsk_", "-key-"),
    *("gldt-", "glrt-", "whsec_", "xapp-", "gocspx-", "r8_", "hvb.", "shpss_", "lin_api_", "sntry", "figd_", "atatt"),
    *("sq0", "xai-", "pplx-", "rubygems_", "pmak-", "nrak-", "glsa_", "glc_", "_tkn_", "sbp_", "tvly-", "phx_"),
    "sha256~",
)


def mask(text: str) -> tuple[str, list[str]]:
    """The text with its secrets masked, and the sorted kinds of secrets that were found."""
    low = text.lower()
    for hint in _HINTS:
        if hint in low:
            break
    else:
        return text, []
    from hookwright.store.secrets import find_secrets  # noqa: PLC0415  most texts do not need it

    return apply(text, find_secrets(text))


def mask_and_cut(text: str, max_chars: int) -> tuple[str, list[str]]:
    """Mask, then cut to `max_chars`: the other way round half a secret could survive at the end."""
    masked, kinds = mask(text[: max_chars + MARGIN])
    return masked[:max_chars], kinds


def apply(text: str, spots: list[tuple[int, int, str]]) -> tuple[str, list[str]]:
    """Replace every spot with the mask; spots may touch and overlap."""
    if not spots:
        return text, []
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
    return "".join(pieces), sorted({kind for _, _, kind in spots})
