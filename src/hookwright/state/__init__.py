"""Old names of the state kit, now `hookwright.store` (docs/state.md), for user hooks written for release 0.1.0.

`from hookwright.state.cache import sweep` → the finder below → `hookwright.store.cache.sweep_expired`
Removed in the next release.
"""

from __future__ import annotations

import sys
from _frozen_importlib import ModuleSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

# Old module → its new name, and its old names of functions and classes → the new ones.
OLD_MODULES: dict[str, tuple[str, dict[str, str]]] = {
    "cache": ("cache", {"sweep": "sweep_expired"}),
    "durations": (
        "durations_read",
        {
            "glimpse": "probe_command",
            "learned": "estimate_from_row",
            "look_up": "estimate_segments",
            "names_of": "extract_names",
            "rows_of": "read_rows",
        },
    ),
    "estimate": (
        "estimate",
        {
            "expected": "expected_value",
            "learned": "fit_samples",
            "prior": "prior_belief",
            "t_above": "student_t_tail",
            "under": "child_prior",
            "updated": "update_belief",
        },
    ),
    "ingest": ("ingest", {"Ingested": "IngestResult", "backlog": "backlog_bytes", "pending": "list_pending"}),
    "journal": ("journal", {"date_of": "format_date", "line_of": "encode_record"}),
    "limits": ("limits", {}),
    "lock": ("lock", {"owner": "owner_pid"}),
    "paths": ("paths", {}),
    "redact": ("redact", {}),
    "secrets": ("secrets", {}),
    "store": ("database", {"set_aside": "move_aside"}),
}


class _OldModuleFinder:
    """Finder and loader of the old modules, for `sys.meta_path`."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        del path, target
        package, _, module = name.rpartition(".")
        if package != __name__ or module not in OLD_MODULES:
            return None
        loader: Any = _OldModuleFinder
        return ModuleSpec(name, loader)

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """None: an empty module, which `exec_module` fills."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        new_name, renamed = OLD_MODULES[module.__name__.rpartition(".")[2]]
        new = vars(__import__(f"hookwright.store.{new_name}", None, None, ("*",)))
        vars(module).update({name: value for name, value in new.items() if name[:2] != "__"})
        vars(module).update({old: new[name] for old, name in renamed.items()})


sys.meta_path.append(_OldModuleFinder)
