"""Check the settings against the installed client: what its version does not know, which mods come before the hooks.

LoadedHooks, SessionClient, mods → [check_client, check_mods] → findings
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hookwright.protocol import client_versions
from hookwright.protocol.client_versions import Version, format_version
from hookwright.runtime import registration
from hookwright.settings.find import Source
from hookwright.settings.findings import Finding
from hookwright.settings.installed_client import SessionClient
from hookwright.settings.load import LoadedHooks, RegisteredHandler
from hookwright.settings.mods import Mod

UPDATE = "claude update"
SETTINGS_SCOPES = ("managed", "flag", "user", "project", "local")


def check_client(loaded: LoadedHooks, sources: Sequence[Source], client: SessionClient) -> list[Finding]:
    """What the client's version does not support."""
    version = client.oldest
    if version is None:
        return []
    found = [*_check_age(client)]
    found += _check_unknown_events(loaded, sources, version)
    for registered in loaded.entries:
        found += _check_fields(registered, version)
    return found


def _check_age(client: SessionClient) -> Iterable[Finding]:
    if client.supported is False:
        least = format_version(client_versions.least_version())
        what = (
            f"{client.name} is older than {least}, the oldest version that hookwright supports; its hooks may not work"
        )
        yield Finding("client-too-old", what, client.path or "--client-version", UPDATE)


def _check_unknown_events(loaded: LoadedHooks, sources: Sequence[Source], version: Version) -> Iterable[Finding]:
    """An old client skips the whole file for one event that it does not know; a newer one ignores the event."""
    name = f"Claude Code {format_version(version)}"
    skips = not client_versions.has(version, client_versions.UNKNOWN_EVENT_IGNORED)
    for source in sources:
        if source.scope not in SETTINGS_SCOPES:
            continue
        handlers = [one for one in (*loaded.entries, *loaded.off) if one.source == source]
        new = [one for one in handlers if not client_versions.knows_event(version, one.entry.event)]
        places = {one.entry.event: one.entry.where for one in reversed(new)}
        if skips and places:
            fix = "hookwright install" if all(registration.is_ours(one.entry.handler) for one in new) else UPDATE
            what = f"{name} does not know {', '.join(places)} and skips this whole file, permission rules included"
            yield Finding("client-skips-file", what, source.path, fix)
        elif places:
            for event, where in places.items():
                what = f"{name} does not know {event}; this hook never runs"
                yield Finding("event-not-in-client", what, where, UPDATE)
    if skips:
        for finding in loaded.findings:
            if finding.code == "event-unknown":
                what = f"{name} skips this whole file, permission rules included: {finding.what}"
                yield Finding("client-skips-file", what, finding.where, finding.fix)


def _check_fields(registered: RegisteredHandler, version: Version) -> Iterable[Finding]:
    handler, where = registered.entry.handler, registered.entry.where
    name = f"Claude Code {format_version(version)}"
    if handler.get("args") and not client_versions.has(version, client_versions.EXEC_FORM):
        first = format_version(client_versions.since(client_versions.EXEC_FORM))
        what = f'{name} ignores "args" (known since {first}): it runs `{handler.get("command")}` alone'
        ours = registration.is_ours(handler)
        yield Finding("args-ignored", what, where, "hookwright install" if ours else "write one shell text as command")
    if registration.is_strict(handler) and not client_versions.has(version, client_versions.ON_FAILURE):
        first = format_version(client_versions.since(client_versions.ON_FAILURE))
        what = f'{name} ignores "onFailure" (known since {first}): a call passes when this hook cannot run'
        yield Finding("on-failure-ignored", what, where, UPDATE)


# --- mods
def check_mods(mods: Sequence[Mod], loaded: LoadedHooks, client: SessionClient) -> list[Finding]:
    return [_mod_finding(mod) for mod in list_bypassing_mods(mods, loaded, client)]


def list_bypassing_mods(mods: Sequence[Mod], loaded: LoadedHooks, client: SessionClient) -> list[Mod]:
    """Each mod that could answer before our hooks are asked. Managed hooks are asked before every mod."""
    loads_mods = client_versions.has(client.version, client_versions.MODS)
    return list(mods) if loads_mods and not _is_guarded_by_managed(loaded) else []


def _is_guarded_by_managed(loaded: LoadedHooks) -> bool:
    """True if our guard is registered in managed settings."""
    return any(
        registered.source.scope == "managed"
        and registered.entry.event == registration.GUARDED
        and registration.is_ours(registered.entry.handler)
        for registered in loaded.entries
    )


def _mod_finding(mod: Mod) -> Finding:
    origin = ", which came with this project," if mod.plugin.in_project else ""
    what = (
        f"the mod of plugin {mod.name}{origin} is code inside Claude Code: it can answer a call, or answer in place of "
        "hooks, before any hook is asked; only hooks in managed settings come before it"
    )
    return Finding("mod-can-bypass-hooks", what, mod.file, f"claude plugin disable {mod.name}")
