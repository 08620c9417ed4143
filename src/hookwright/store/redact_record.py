"""Mask and cut the texts of a journal record that is long or may hold a secret.

journal.encode_record → [redact_record] → the record with `***`, with `truncated` and `masked` naming the fields
Texts are masked by the form of secrets (redact.py), then by the values of secrets in the payload (secret_values.py).
"""

from __future__ import annotations

from hookwright.store.redact import has_hint, mask, mask_and_cut

TYPE_CHECKING = False  # the hook process must not import typing
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Any

MAX_TEXT_CHARS = 4 << 10
MAX_ITEMS = 64
SHORT_CHARS = 8  # a word shorter than this holds no secret


def redact_record(record: dict[str, Any], quoted: dict[str, Any], plain: Container[str]) -> dict[str, Any]:
    """The record masked and of bounded size.

    `quoted`: fields of the payload that the record may repeat. `plain`: names of fields with ids and our own words.
    """
    cut: list[str] = []
    masked: list[str] = []
    record = {
        name: value if name in plain else _redact_value(value, name, cut, masked, plain)
        for name, value in record.items()
    }
    if quoted and has_hint(repr(quoted)):
        from hookwright.store.secret_values import mask_record  # noqa: PLC0415  few payloads have a secret

        record = mask_record(record, quoted, plain, masked)
    if cut:
        record["truncated"] = sorted(set(cut))
    if masked:
        record["masked"] = sorted(set(masked))
    return record


def _redact_value(value: Any, name: str, cut: list[str], masked: list[str], plain: Container[str]) -> Any:
    """The value masked and of bounded size; `cut` and `masked` collect the fields that lost something."""
    if isinstance(value, str):
        if len(value) < SHORT_CHARS:
            return value
        if len(value) <= MAX_TEXT_CHARS:
            text, kinds = mask(value)
        else:
            text, kinds = mask_and_cut(value, MAX_TEXT_CHARS)
            text += "…"
            cut.append(name)
        masked += [f"{name}:{kind}" for kind in kinds]
        return text
    if isinstance(value, dict):
        return {
            key: item if key in plain else _redact_value(item, name, cut, masked, plain) for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        if len(value) > MAX_ITEMS:
            cut.append(name)
        return [_redact_value(item, name, cut, masked, plain) for item in value[:MAX_ITEMS]]
    return value


def mask_together(texts: list[str]) -> list[str]:
    """Texts of one record, each masked, and masked by value where one of them gives away a secret of another."""
    from hookwright.store.secret_values import find_payload_secrets, mask_values  # noqa: PLC0415  not needed by an event

    known = find_payload_secrets({"tool_input": texts})
    return [mask_values(mask(text)[0], known) for text in texts]
