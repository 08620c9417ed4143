"""Verify every registered handler: check its entry, start it where that is harmless or allowed, check its answer.

LoadedHooks → [verify_hooks] → check_ours (proofs) | check_third_party | check_http → Report
Writes nothing. Other tools' hooks may have effects, so they are started only if the context says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from hookwright.config.option_layer import TRUST
from hookwright.engine.select import merge_env, merge_lists
from hookwright.errors import UserError
from hookwright.settings.check import CheckContext, check, check_entry
from hookwright.settings.find import Source
from hookwright.settings.findings import Finding
from hookwright.settings.fingerprint import compute_fingerprint, take_snapshot
from hookwright.settings.load import LoadedHooks, load_sources
from hookwright.verify import check_ours
from hookwright.verify.check_client import check_client, check_mods
from hookwright.verify.check_files import check_own_files
from hookwright.verify.check_http import check_http
from hookwright.verify.check_third_party import Session, check_command, probe_shell
from hookwright.verify.proofs import ProofSandbox
from hookwright.verify.report import Report, build_row
from hookwright.verify.verify_context import VerifyContext

# Only their `env` reaches programs that are started without --all: a cloned project's could inject code (LD_PRELOAD).
TRUSTED_SCOPES = ("managed", "flag", "user")


def verify_hooks(loaded: LoadedHooks, sources: Sequence[Source], context: VerifyContext) -> Report:
    """Check every effective handler by itself, then all of them together, then our own registration."""
    trusted = loaded if context.start_third_party else _load_trusted(sources)
    session = Session(context.project, {**context.environment, **merge_env(trusted.settings)}, context.max_wait_s)
    checks = CheckContext(
        context.project,
        session.environment,
        rewrites=partial(check_ours.may_rewrite, check_ours.list_registered_events(loaded)),
        probe=partial(probe_shell, session, system_only=not context.start_third_party),
    )
    report = Report(on=list(context.enabled), off=[name for name in context.hooks if name not in context.enabled])
    allowed_urls = merge_lists(loaded.settings, "allowedHttpHookUrls")
    entry_findings: set[Finding] = set()
    with ProofSandbox(session.environment, context.hooks) as sandbox:
        for registered in loaded.entries:
            invocation = checks.resolve(registered)
            row = build_row(registered, invocation)
            report.rows.append(row)
            row.findings += check_entry(registered, checks)
            entry_findings.update(row.findings)
            if row.ours:
                check_ours.check_own_entry(row, invocation, context, sandbox)
            elif row.type == "command":
                check_command(row, session, start=context.start_third_party)
            elif row.type == "http":
                check_http(row, session, allowed_urls, send=context.start_third_party)
            else:
                row.why_not = "not started: it needs a server or a model"
    report.findings += [finding for finding in check(loaded, checks) if finding not in entry_findings]
    report.client = context.client
    report.findings += check_client(loaded, sources, context.client) + check_mods(context.mods, loaded, context.client)
    report.about_ours += _check_registration(report, context)
    report.fingerprint = compute_fingerprint(take_snapshot(loaded.entries, context.project, context.environment))
    return report


def _load_trusted(sources: Sequence[Source]) -> LoadedHooks:
    return load_sources([source for source in sources if source.scope in TRUSTED_SCOPES])


def _name_problem(error: UserError) -> str:
    """What an untrusted project may not do is no fault of the hooks, which work all the same."""
    return "untrusted-project" if error.fix == TRUST else "configuration"


def _check_registration(report: Report, context: VerifyContext) -> list[Finding]:
    outdated = [finding for scope, plan in context.plans for finding in check_ours.plan_findings(scope, plan)]
    return [
        *outdated,
        *check_ours.unregistered_events(report.our_rows, outdated, context),
        *check_ours.duplicate_entries(report.our_rows),
        *check_ours.check_managed_code(report.our_rows),
        *(check_own_files() if report.our_rows else ()),
        *(Finding(_name_problem(error), error.what, error.where, error.fix) for error in context.problems),
    ]
