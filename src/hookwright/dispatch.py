"""START HERE. A payload comes in, the hooks that listen to it decide in order, one answer goes out.

payload → event → hooks, each seeing the input the one before left → merge → one answer, with its trace
Everything that decides (the door, explain, replay, the tests) calls `answer`, so all of them agree.
"""

from __future__ import annotations

import marshal
from sys import modules
from time import perf_counter_ns

from hookwright.hooks.base import Overrun, describe
from hookwright.protocol import wire
from hookwright.protocol.decisions import Decision
from hookwright.protocol.events import event_of
from hookwright.protocol.legal import LEGAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.base import World
    from hookwright.protocol.events.base import Event

# The strictest permission wins; among equals all reasons are told.
STRICTNESS = ("allow", "ask", "deny", "block")
SILENT = "none"


class Outcome:
    """The answer to one event and how it came about."""

    __slots__ = ("decision", "event", "exit_code", "stderr", "stdout", "trace", "updated_input")

    def __init__(self, event: Event) -> None:
        self.event = event
        self.decision: Decision | None = None
        self.updated_input: Mapping[str, Any] | None = None
        self.trace: list[dict[str, Any]] = []  # one row a hook: hook, verdict, reason, us, mode
        self.stdout = b""
        self.stderr = b""
        self.exit_code = 0

    @property
    def verdict(self) -> str | None:
        """One word for the answer, None for silence."""
        if self.decision is None:
            return None
        return self.decision.permission or ("rewrite" if self.updated_input is not None else verdict(self.decision))


def answer(payload: Mapping[str, Any], plan: Mapping[str, Any], world: World) -> Outcome:
    """Run every hook that listens to this payload, in order, and encode what they say together."""
    event = event_of(payload)
    outcome = Outcome(event)
    name: Any = event.hook_event_name
    if not isinstance(name, str):
        return outcome  # no event of any client
    world.said = said = []
    # Asking for each of a hundred variables costs more than looking at the beginnings of those that are there.
    beginnings = plan["variables"]
    environment = world.names is None or any(name[:10] in beginnings for name in world.names)
    for row in plan["hooks"].get(name, ()):
        if world.only and row["hook"] not in world.only:
            continue
        tools = row["tools"]
        if tools and not listens(tools, event.raw.get("tool_name")):
            continue
        if "matcher" in row and not _means(row, event):
            continue
        options: dict[str, Any] = dict(row["options"])
        if environment:
            add_environment(options, plan, row["hook"], world)
        mode = options.setdefault("mode", row["mode"])
        if mode == "off":
            continue
        began = perf_counter_ns()
        decision, failure = _ask(row, event, world, options)
        spent = (perf_counter_ns() - began) // 1000
        outcome.trace.append(_trace_row(row["hook"], decision, mode, spent, failure))
        if decision is None or mode == "shadow":
            continue
        said.append((row["hook"], decision))
        if decision.rewrites:
            outcome.updated_input = decision.applied_to(event.raw.get("tool_input") or {})
            event = event.replace(tool_input=outcome.updated_input)
    if "hookwright.guests.shared" in modules:
        modules["hookwright.guests.shared"].stop()
    if said:
        outcome.decision = merge(said)
        if outcome.decision.permission in ("deny", "block"):
            outcome.updated_input = None  # a call that does not run has no input
        outcome.stdout, outcome.stderr, outcome.exit_code = wire.encode(name, outcome.decision, outcome.updated_input)
    return outcome


def _means(row: Mapping[str, Any], event: Event) -> bool:
    from hookwright.guests.matcher import hears  # noqa: PLC0415  of commands, where there are any

    return hears(row["matcher"], event.raw)


def listens(tools: tuple[str, ...], tool_name: Any) -> bool:
    """Is the tool one of these names? A name may hold one `*`."""
    if tool_name in tools:
        return True
    if not isinstance(tool_name, str):
        return False
    for pattern in tools:
        head, star, tail = pattern.partition("*")
        if star and len(tool_name) >= len(head) + len(tail) and tool_name.startswith(head) and tool_name.endswith(tail):
            return True
    return False


def add_environment(options: dict[str, Any], plan: Mapping[str, Any], hook: str, world: World) -> None:  # rare
    """Put the environment on top; a variable with a bad value is passed over and noted."""
    variables = marshal.loads(plan["environment"])[hook]  # noqa: S302  of our own plan
    for variable, option, kind, choices, spelling in variables:
        text = world.env(variable)
        if text is None:
            continue
        from hookwright.options import BadValue, from_text  # noqa: PLC0415  loaded by then; kept off the common way

        try:
            if spelling is None:
                options[option] = from_text(kind, choices, text)
            elif text.strip().lower() in spelling:
                options[option] = spelling[text.strip().lower()]
        except BadValue as error:
            world.facts.setdefault("bad_environment", []).append(f"{variable} {error}")


def _ask(row: Mapping[str, Any], event: Event, world: World, options: dict[str, Any]) -> tuple[Decision | None, str]:
    """One hook's decision and, if it failed, why; what its failure means, the hook itself has declared."""
    decision, failure = None, ""
    try:
        if row["file"]:
            from hookwright.guests.ask import asked  # noqa: PLC0415  users' own hooks, where there are any

            decision, failure = asked(row, event, world, options)
        else:
            decision = _own(row, event, world, options)
        if decision is not None:
            require_legal(event.hook_event_name, decision)
    except (Exception, Overrun) as error:  # noqa: BLE001  one hook's failure is never the others'
        decision, failure = None, describe(error)
    if failure and decision is None:
        decision = _instead(row, event.hook_event_name, failure)
    return decision, failure


def _own(row: Mapping[str, Any], event: Event, world: World, options: dict[str, Any]) -> Decision | None:
    world.alarm(row["deadline_s"])
    try:
        name = "hookwright.hooks." + row["hook"]
        module = modules.get(name) or __import__(name, None, None, ("*",))
        decided: Decision | None = getattr(module, row["class"])(world, **options).decide(event)
        return decided
    finally:
        world.alarm(0)


def require_legal(event: str, decision: Decision) -> None:
    legal = LEGAL.get(event, ())
    for word in decision.capabilities():
        if word not in legal:
            from hookwright.protocol.illegal import IllegalDecision  # noqa: PLC0415  an author's mistake

            raise IllegalDecision(event, word, legal)


def _instead(row: Mapping[str, Any], event: str, what: str) -> Decision | None:  # rare
    legal = LEGAL.get(event, ())
    if row["failure"] == "ask" and "ask" in legal:
        return Decision("ask", f"could not judge this ({what}), so you decide")
    if row["failure"] == "closed":
        word = "deny" if "deny" in legal else "block"
        if word in legal:
            return Decision(word, f"could not judge this ({what}) and is set to refuse then")
    return None


def _trace_row(hook: str, decision: Decision | None, mode: str, spent_us: int, failure: str) -> dict[str, Any]:
    row: dict[str, Any] = {
        "hook": hook,
        "verdict": verdict(decision),
        "reason": decision.reason or decision.context or decision.message if decision else "",
        "us": spent_us,
        "mode": mode,
    }
    if failure:
        row["failure"] = failure
    return row


def verdict(decision: Decision | None) -> str:
    """One word for what a decision does."""
    if decision is None:
        return SILENT
    if decision.permission:
        return decision.permission
    words = decision.capabilities()
    return words[0] if words else SILENT


def merge(said: list[tuple[str, Decision]]) -> Decision:
    """One decision of many: strictest permission, every text with the name of the hook that said it."""
    strictest = max(
        (decision.permission for _, decision in said if decision.permission), key=STRICTNESS.index, default=None
    )
    fields: dict[str, Any] = {}
    for _, decision in said:
        fields.update(decision.fields or {})
    stops = [decision.stop_reason for _, decision in said if decision.stop_reason is not None]
    return Decision(
        strictest,
        _told((hook, d.reason) for hook, d in said if strictest and d.permission == strictest),
        context=_told((hook, d.context) for hook, d in said),
        message=_told((hook, d.message) for hook, d in said),
        stop_reason=stops[0] if stops else None,
        fields=fields or None,
        voice=next((d.voice for _, d in said if d.permission == strictest and d.voice), ""),
    )


def _told(texts: Any) -> str:
    return "\n".join(f"[hookwright {hook}] {text}" for hook, text in texts if text)
