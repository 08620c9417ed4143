"""How install and verify show what was proven."""

from __future__ import annotations

from hookwright.cli.config import environment_values
from hookwright.cli.output import console
from hookwright.cli.past import plain
from hookwright.cli.registered import Here, tilde
from hookwright.door import launcher, plugin, registration
from hookwright.door.entry import starts_the_door
from hookwright.errors import UserError
from hookwright.receipts.looks import Looks
from hookwright.receipts.report import Report, is_wrong
from hookwright.receipts.verify import Around, verify
from hookwright.settings.change import Change, plan_install
from hookwright.settings.findings import Finding
from hookwright.settings.fingerprint import Row, snapshot
from hookwright.settings.load import Loaded, load

WORDS = {"deny": "denied", "rewrite": "moved to the background", "silence": "let through in silence"}


def rows_of(here: Here, loaded: Loaded) -> list[Row]:
    """What would run, a row each. Our own entry is called by its name, if it is ours to the letter."""
    argv = launcher.argv()
    rows = []
    for registered in loaded.entries:
        [row] = snapshot([registered], here.project, here.environment)
        handler = registered.entry.handler
        if [handler.get("command"), *(handler.get("args") or ())][: len(argv)] == argv:
            row["runs"] = "hookwright"
        rows.append(row)
    return rows


def look(here: Here) -> list[str]:
    """What changed among all hooks since the last look, before we change something ourselves."""
    return Looks(here.state, here.project).changes(rows_of(here, load(here.sources())))


def looked(here: Here, loaded: Loaded) -> list[str]:
    """What changed since the last look; this one is the last now."""
    rows = rows_of(here, loaded)
    looks = Looks(here.state, here.project)
    changed = looks.changes(rows)
    looks.remember(rows)
    return changed


def after_change(here: Here, changed: list[str], *, prove: bool = True) -> Report:
    """The state of things after a change of ours, which is no news to the user."""
    sources = here.sources()
    loaded = load(sources)
    report = verify(loaded, sources, around(here)) if prove else Report()
    report.changed = changed
    if not any(starts_the_door(registered.entry.handler) for registered in loaded.entries):
        plugin.forget(here.state)
    Looks(here.state, here.project).remember(rows_of(here, loaded))
    return report


def verified(here: Here, *, everything: bool, patience_s: float) -> Report:
    """A whole verification, which is a look as well."""
    sources = here.sources()
    loaded = load(sources)
    report = verify(loaded, sources, around(here, everything=everything, patience_s=patience_s))
    report.changed = looked(here, loaded)
    return report


def around(here: Here, *, everything: bool = False, patience_s: float = 30.0) -> Around:
    hooks, resolved = here.hooks()
    plans: list[tuple[str, Change | UserError]] = []
    enabled: dict[str, None] = {}
    for scope in here.scopes():
        ours = here.ours_in(scope)
        if not ours:
            continue
        hooks, resolved = here.hooks(scope)
        choice = registration.choice_of(ours)
        try:
            on = registration.enabled(hooks, resolved, choice.only)
            enabled.update(dict.fromkeys(hook.name for hook in on))
            wanted = registration.wanted(on, resolved, choice, launcher.argv())
            plans.append(
                (scope, plan_install(here.places.settings_file(scope), wanted, registration.is_ours, here.state))
            )
        except UserError as error:
            plans.append((scope, error))
    if not plans:
        enabled.update(dict.fromkeys(hook.name for hook in registration.enabled(hooks, resolved)))
    return Around(
        here.project,
        here.environment,
        here.state,
        hooks=[hook.name for hook in hooks],
        enabled=list(enabled),
        provable=provable(here),
        needs=needs(here),
        argv=launcher.argv(),
        plans=plans,
        problems=here.hooks()[1].problems,
        everything=everything,
        patience_s=patience_s,
    )


def provable(here: Here) -> list[str]:
    """Hooks that answer as the proofs expect. A hook in shadow, or one that only suggests, would not."""
    hooks, resolved = here.hooks()
    found = []
    for hook in hooks:
        values = {name: value.value for name, value in resolved.values[hook.name].items()}
        values.update({name: value for _, name, value in environment_values(hook)})
        if values["mode"] == "on" and values.get("action", "force") == "force":
            found.append(hook.name)
    return found


def needs(here: Here) -> dict[str, list[str]]:
    """Event → hooks that are on in this project."""
    hooks, resolved = here.hooks()
    found: dict[str, list[str]] = {}
    for hook in registration.enabled(hooks, resolved):
        for event in hook.on:
            found.setdefault(event, []).append(hook.name)
    return found


def show_ours(report: Report) -> None:
    """A short receipt: what is registered, what was proven, what is wrong with it."""
    out = console()
    doors = [row for row in report.ours if row.started is not None]
    events = dict.fromkeys(row.event for row in doors)
    if doors and all(row.started for row in doors):
        off = f"  [dim]off: {', '.join(report.off)}[/]" if report.off else ""
        out.print(f"[green]✓[/] on: {', '.join(report.on)}{off}", soft_wrap=True)
        out.print(f"[green]✓[/] started on each of {len(events)} events")
    proofs = {proof.name: proof for row in doors for proof in row.proofs}
    for proof in proofs.values():
        mark = "[green]✓[/]" if proof.ok else "[red]✗[/]"
        said = WORDS[proof.name] if proof.ok else f"not {WORDS[proof.name]}"
        out.print(f"{mark} [bold]{proof.command:14}[/] {said} [dim]({proof.ended.ms:.0f} ms)[/]")
    show_findings([finding for row in report.ours for finding in row.findings] + report.about_ours)
    others = [finding for row in report.rows if not row.ours for finding in row.findings] + report.findings
    wrong = [finding for finding in others if is_wrong(finding)]
    if wrong:
        out.print(f"[yellow]![/] {len(wrong)} about other hooks and settings; see: hookwright verify")
    show_changes(report.changed)
    if report.ours_work:
        out.print("Claude Code takes this up at once, in running sessions too.")
        out.print("Next: hookwright status · hookwright explain 'git push --force' · hookwright undo", style="dim")


def show_findings(findings: list[Finding]) -> None:
    out = console()
    for finding in findings:
        mark = "[red]✗[/]" if is_wrong(finding) else "[dim]·[/]"
        out.print(f"{mark} {escaped(finding.what)}\n    [dim]at:[/] {escaped(tilde(finding.where))}", soft_wrap=True)
        if finding.fix:
            out.print(f"    [dim]try:[/] {escaped(finding.fix)}", soft_wrap=True)


def show_changes(changed: list[str]) -> None:
    out = console()
    if changed:
        out.print("[yellow]![/] hooks changed since the last look:")
        for sentence in changed:
            out.print(f"    {plain(sentence, 200)}", markup=False, soft_wrap=True)


def escaped(text: str) -> str:
    from rich.markup import escape  # noqa: PLC0415

    return escape(plain(text))
