"""The JSON Schema of config.toml and .hookwright.toml, made from the options that hooks declare."""

from __future__ import annotations

from typing import Any

from hookwright.config import command_hooks, compiler
from hookwright.config.builtin_hooks import FORMER_SECTIONS
from hookwright.options import KIND_LABELS, REQUIRED, Option


def json_schema() -> dict[str, Any]:
    sections: dict[str, dict[str, Any]] = {
        hook.section: {
            "type": "object",
            "description": hook.doc.splitlines()[0] if hook.doc else hook.name,
            "additionalProperties": False,
            "properties": {name: _property_schema(option) for name, option in hook.options.items()},
        }
        for hook in [*compiler.declare_builtins(), command_hooks.hooks_section()]
    }
    for former, section in FORMER_SECTIONS.items():
        sections[former] = {
            "$ref": f"#/properties/{section}",
            "description": f"Former name of [{section}].",
            "deprecated": True,
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "hookwright configuration",
        "type": "object",
        "additionalProperties": False,
        "properties": sections,
    }


_SCHEMA_TYPES: dict[str, dict[str, Any]] = {
    "switch": {"type": "boolean"},
    "whole": {"type": "integer"},
    "number": {"type": "number"},
    "text": {"type": "string"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "words": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    "tables": {"type": "array", "items": {"type": "object"}},
}
assert _SCHEMA_TYPES.keys() == KIND_LABELS.keys()


def _property_schema(option: Option) -> dict[str, Any]:
    described = {**_SCHEMA_TYPES[option.kind], "description": option.help}
    if option.default is not REQUIRED:
        described["default"] = option.default
    if option.choices:
        described["enum"] = list(option.choices)
    if option.columns:
        described["items"] = {
            "type": "object",
            "additionalProperties": False,
            "properties": {name: _property_schema(column) for name, column in option.columns.items()},
            "required": [name for name, column in option.columns.items() if column.default is REQUIRED],
        }
    if option.short:
        described["items"] = {"anyOf": [described["items"], {"type": "string"}]}
    return described
