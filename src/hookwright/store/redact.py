"""Mask secrets before a text is stored, and cut it to the size that may be stored. Always in this order.

text → [hints] → secrets.find_secrets (shapes, assignments, flags) → [apply] → text with `***`, kinds of secrets
payload → [find_payload_secrets] → values → mask_values → every other text of the same record
Best effort: a masked text is safer, not proven clean.
Hot: an ordinary command costs a few microseconds; only a text with a hint loads and runs the scanner.
"""

from __future__ import annotations

TYPE_CHECKING = False  # the hook process must not import typing
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MASK = "***"
MAX_INPUT_CHARS = 16 << 10  # of a tool's input in which secrets are looked for
MAX_FIELD_CHARS = 2 << 10  # of any other field of a payload
LEAST_REPEATED = 6  # characters; a shorter secret, or a plain word, may mean something else elsewhere
MARGIN = 512  # characters read beyond the limit, so that a secret at the limit is seen whole

# Lower case. A hint is a reason to run the scanner, not a finding. No hint contains another one.
_HINTS = (
    *("pass", "pwd", "secret", "token", "auth", "bearer", "cred", "cookie", "apikey", "_key", "accountkey"),
    *("private key", "://", "webhook", "sig=", "signature", "identified by", " -p", " -u", " -a ", " -w ", " -b"),
    *(" /p:", " -t ", "login", "sqlplus", "impdp", "expdp", "ftp", "vault", "sudo -s", "keygen", "put-param"),
    *("openssl", "rabbitmqctl", "useradd", "usermod", "kinit", "mc alias", "_dsn", "_salt", "_pw", "_seed"),
    *("mnemonic", "-phrase", "appid=", "snmp", "http-basic", "bundle config", "bundle_", "isql", "etcdctl", "<<<"),
    *("--pw", "--uri", "zip -", "create_superuser", "create_user(", "pdo(", "dbi->", "mysqli", "getconnection"),
    *("akia", "asia", "aiza", "eyj", "ya29.", "sk-", "sk_", "rk_", "xox", "ghp_", "gho_", "ghs_", "ghu_", "ghr_"),
    *("_pat_", "glpat-", "npm_", "hf_", "pypi-", "sg.", "_v1_", "shpat_", "hvs.", "tskey-", "gldt-", "glrt-"),
    *("whsec_", "xapp-", "gocspx-", "r8_", "hvb.", "shpss_", "lin_api_", "sntry", "figd_", "atatt", "sq0", "xai-"),
    *("pplx-", "rubygems_", "pmak-", "nrak-", "glsa_", "glc_", "_tkn_", "sbp_", "tvly-", "phx_", "sha256~", "flyv1-"),
    *("-key", "setx", "net use", "assword", "securestring", "/rp ", "cryptsetup", "cloudflared", " -xp", "rclone"),
    *(" -hp", "kaggle", "signin", "psexec", "schtasks", "influx", "--cert ", "psk", "keyring", "plaintext", "<(echo"),
    *("bcrypt", "realm join", "hcloud", "glab var", "ldap", "signtool", "certutil", "knife"),
)


# Fields of a payload that hold ids, paths and words of the client.
_IDS = frozenset(
    (
        *("session_id", "transcript_path", "cwd", "hook_event_name", "tool_name", "tool_use_id", "prompt_id"),
        *("permission_mode", "agent_id", "agent_type", "effort", "agent_transcript_path"),
    )
)
# The last texts that were scanned: one event masks its command for several files.
_scanned: dict[str, list[tuple[int, int, str]]] = {}
_MOST_SCANNED = 8


def mask(text: str) -> tuple[str, list[str]]:
    """The text with its secrets masked, and the sorted kinds of secrets that were found."""
    spots = _find_spots(text)
    return apply(text, spots) if spots else (text, [])


def _find_spots(text: str) -> list[tuple[int, int, str]]:
    spots = _scanned.get(text)
    if spots is None:
        if len(_scanned) >= _MOST_SCANNED:
            _scanned.clear()
        _scanned[text] = spots = _scan(text) if _has_hint(text) else []
    return spots


def _has_hint(text: str) -> bool:
    low = text.lower()
    for hint in _HINTS:
        if hint in low:
            return True
    # user:password@host without a word that tells
    at = low.find("@")
    colon = low.rfind(":", 0, at) if at > 0 else -1
    return colon > 0 and " " not in low[colon:at]


def _scan(text: str) -> list[tuple[int, int, str]]:
    from hookwright.store.secrets import find_secrets  # noqa: PLC0415  most texts do not need it

    spots = find_secrets(text)
    for value in {text[start:end] for start, end, _ in spots}:
        if len(value) >= LEAST_REPEATED and not value.isalpha():
            _find_repeated(text, value, spots)
    return spots


def _find_repeated(text: str, value: str, spots: list[tuple[int, int, str]]) -> None:
    """The same value elsewhere in the text, where nothing else shows that it is a secret."""
    at = text.find(value)
    while at >= 0:
        spots.append((at, at + len(value), "value"))
        at = text.find(value, at + len(value))


def find_payload_secrets(payload: Mapping[str, Any]) -> list[str]:
    """The secrets in the texts of a payload, in all forms in which another text may repeat them."""
    texts: list[str] = []
    for name, value in payload.items():
        if name not in _IDS:
            _collect_texts(value, texts, MAX_INPUT_CHARS if name == "tool_input" else MAX_FIELD_CHARS)
    found: list[str] = []
    for text in texts:
        found += [text[start:end] for start, end, _ in _find_spots(text)]
    if not found:
        return found
    from hookwright.store.secret_values import list_forms  # noqa: PLC0415  most payloads have no secret

    return list_forms(found, MASK)


def mask_together(texts: list[str]) -> list[str]:
    """Texts of one record, each masked, and masked by value where one of them gives away a secret of another."""
    known = find_payload_secrets({"tool_input": texts})
    masked = [mask(text)[0] for text in texts]
    return [mask_values(text, known) for text in masked] if known else masked


def mask_values(text: str, known: list[str]) -> str:
    """The text with the values masked that `find_payload_secrets` found."""
    from hookwright.store.secret_values import replace_values  # noqa: PLC0415  few payloads have a secret

    return replace_values(text, known, MASK)


def _collect_texts(value: Any, texts: list[str], room: int) -> int:
    """Collect the strings in a value; returns how many characters may still follow."""
    if isinstance(value, str):
        if room > 0:
            texts.append(value if len(value) <= room else value[:room])
        return room - len(value)
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list | tuple):
        return room
    for item in value:
        if room <= 0:
            break
        room = _collect_texts(item, texts, room)
    return room


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
    return "".join(pieces), sorted({kind for _, _, kind in spots if kind != "value"})
