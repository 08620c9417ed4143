"""START HERE. A payload comes in, the hooks that listen to it decide in order, one answer goes out.

payload → event → hooks, each seeing the input that the one before left → merge → one answer, with its trace
Everything that decides (the hook process, explain, replay, the tests) calls `answer`, so all of them agree.
"""

from __future__ import annotations

from sys import modules
from time import perf_counter_ns

from hookwright.hooks.base import Overrun, describe_error
from hookwright.protocol import codec
from hookwright.protocol.capabilities import LEGAL
from hookwright.protocol.decisions import Decision
from hookwright.protocol.events import event_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.base import World
    from hookwright.protocol.events.base import Event

# The strictest permission wins; among equals all reasons are given.
STRICTNESS = ("allow", "ask", "deny", "block")
SILENT = "none"


class DispatchResult:
    """The answer to one event and how it came about."""

    __slots__ = ("decision", "event", "exit_code", "failed", "stderr", "stdout", "trace", "updated_input")

    def __init__(self, event: Event) -> None:
        self.event = event
        self.decision: Decision | None = None
        self.updated_input: Mapping[str, Any] | None = None
        self.trace: list[dict[str, Any]] = []  # one row per hook: hook, verdict, reason, us, mode
        self.stdout = b""
        self.stderr = b""
        self.exit_code = 0
        self.failed = False  # a hook raised an error, took too long, or answered what the event cannot carry

    @property
    def verdict(self) -> str | None:
        """One word for the answer, None for silence."""
        if self.decision is None:
            return None
        return self.decision.permission or ("rewrite" if self.updated_input is not None else verdict_of(self.decision))


def answer(payload: Mapping[str, Any], plan: Mapping[str, Any], world: World) -> DispatchResult:
    """Run every hook that listens to this payload, in order, and encode their merged decision."""
    event = event_of(payload)
    outcome = DispatchResult(event)
    name: Any = event.hook_event_name
    if not isinstance(name, str):
        return outcome  # unknown event
    world.said = said = []
    # Faster than a lookup of each of about a hundred variables: skip them all unless one has a known prefix.
    prefixes = plan["variables"]
    environment = world.names is None or any(name[:10] in prefixes for name in world.names)
    for row in plan["hooks"].get(name, ()):
        if world.only and row["hook"] not in world.only:
            continue
        tools = row["tools"]
        if tools and not matches_tool(tools, event.raw.get("tool_name")):
            continue
        if "matcher" in row and not _matches_payload(row, event):
            continue
        options: dict[str, Any] = dict(row["options"])
        if environment:
            from hookwright.config.environment_options import add_environment  # noqa: PLC0415  seldom set

            add_environment(options, plan, row, world)
        mode = options.setdefault("mode", row["mode"])
        if mode == "off":
            continue
        began = perf_counter_ns()
        decision, failure = _run_hook(row, event, world, options)
        spent = (perf_counter_ns() - began) // 1000
        outcome.trace.append(_trace_row(row["hook"], decision, mode, spent, failure))
        if failure:
            outcome.failed = True
        if decision is None or mode == "shadow":
            continue
        said.append((row["hook"], decision))
        if decision.rewrites:
            outcome.updated_input = decision.applied_to(event.raw.get("tool_input") or {})
            event = event.replace(tool_input=outcome.updated_input)
    if said:
        outcome.decision = merge(said)
        if outcome.decision.permission in ("deny", "block"):
            outcome.updated_input = None  # the call does not run
        outcome.stdout, outcome.stderr, outcome.exit_code = codec.encode_answer(
            name, outcome.decision, outcome.updated_input
        )
    return outcome


def _matches_payload(row: Mapping[str, Any], event: Event) -> bool:
    from hookwright.protocol.event_matcher import matches_payload  # noqa: PLC0415  of commands, where there are any

    return matches_payload(row["matcher"], event.raw)


def matches_tool(tools: tuple[str, ...], tool_name: Any) -> bool:
    """True if the tool has one of these names, which may hold one `*`. For the client's matchers: event_matcher.py."""
    if tool_name in tools:
        return True
    if not isinstance(tool_name, str):
        return False
    for pattern in tools:
        head, star, tail = pattern.partition("*")
        if star and len(tool_name) >= len(head) + len(tail) and tool_name.startswith(head) and tool_name.endswith(tail):
            return True
    return False


def _run_hook(
    row: Mapping[str, Any], event: Event, world: World, options: dict[str, Any]
) -> tuple[Decision | None, str]:
    """One hook's decision and, if it failed, why. What a failure means is declared by the hook (`failure`)."""
    decision, failure = None, ""
    try:
        if row["file"]:
            from hookwright.user_hooks.runner import run_user_hook  # noqa: PLC0415  user hooks only

            decision, failure = run_user_hook(row, event, world, options)
        else:
            decision = _run_builtin(row, event, world, options)
        if decision is not None:
            require_legal(event.hook_event_name, decision)
    except (Exception, Overrun) as error:  # noqa: BLE001  a failing hook must not affect the others
        decision, failure = None, describe_error(error)
        if hasattr(error, "is_mistake"):
            world.notices.append(f"the hook {row['hook']} cannot work: {error}; {row['file']}")
    if failure and decision is None:
        decision = _failure_decision(row, event.hook_event_name, failure)
    return decision, failure


def _run_builtin(row: Mapping[str, Any], event: Event, world: World, options: dict[str, Any]) -> Decision | None:
    world.alarm(row["deadline_s"])
    try:
        name = "hookwright.hooks." + row["hook"] + ".hook"
        module = modules.get(name) or __import__(name, None, None, ("*",))
        decided: Decision | None = getattr(module, row["class"])(world, **options).decide(event)
        return decided
    finally:
        world.alarm(0)


def require_legal(event: str, decision: Decision) -> None:
    legal = LEGAL.get(event, ())
    for word in decision.capabilities():
        if word not in legal:
            from hookwright.protocol.illegal_decision import IllegalDecision  # noqa: PLC0415  a mistake of the hook's author

            raise IllegalDecision(event, word, legal)


def _failure_decision(row: Mapping[str, Any], event: str, what: str) -> Decision | None:
    legal = LEGAL.get(event, ())
    if row["failure"] == "ask" and "ask" in legal:
        return Decision("ask", f"could not check this ({what}), so you decide")
    if row["failure"] == "closed":
        word = "deny" if "deny" in legal else "block"
        if word in legal:
            return Decision(word, f"could not check this ({what}) and is set to refuse then")
    return None


def _trace_row(hook: str, decision: Decision | None, mode: str, spent_us: int, failure: str) -> dict[str, Any]:
    reason = decision.reason or decision.context or decision.message if decision else ""
    row: dict[str, Any] = {
        "hook": hook,
        "verdict": verdict_of(decision),
        "reason": f"[{decision.label}] {reason}" if decision and decision.label else reason,
        "us": spent_us,
        "mode": mode,
    }
    if failure:
        row["failure"] = failure
    return row


def verdict_of(decision: Decision | None) -> str:
    """One word for what a decision does."""
    if decision is None:
        return SILENT
    if decision.permission:
        return decision.permission
    words = decision.capabilities()
    return words[0] if words else SILENT


def merge(hook_decisions: list[tuple[str, Decision]]) -> Decision:
    """One decision of many: the strictest permission, and every text with its hook's name in front."""
    strictest = max(
        (decision.permission for _, decision in hook_decisions if decision.permission),
        key=STRICTNESS.index,
        default=None,
    )
    fields: dict[str, Any] = {}
    for _, decision in hook_decisions:
        fields.update(decision.fields or {})
    stops = [decision.stop_reason for _, decision in hook_decisions if decision.stop_reason is not None]
    return Decision(
        strictest,
        _join_texts(
            (d.label or hook, d.reason) for hook, d in hook_decisions if strictest and d.permission == strictest
        ),
        context=_join_texts((hook, d.context) for hook, d in hook_decisions),
        message=_join_texts((hook, d.message) for hook, d in hook_decisions),
        stop_reason=stops[0] if stops else None,
        fields=fields or None,
        voice=next((d.voice for _, d in hook_decisions if d.permission == strictest and d.voice), ""),
    )


def _join_texts(texts: Any) -> str:
    return "\n".join(f"[hookwright {hook}] {text}" for hook, text in texts if text)
