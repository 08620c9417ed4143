"""What a hook can decide, one function each. No opinion is `None`.

hooks → [Decision] → merge → codec
A decision knows nothing of JSON; `capabilities.py` says which events can carry it.
Two decisions of one hook are combined with `&`: `rewrite(…) & add_context(…)`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


class Decision:
    """What one hook decides; every part is optional."""

    __slots__ = (
        *("changes", "context", "drops", "fields", "label", "message", "permission", "reason", "stop_reason", "voice"),
    )

    def __init__(
        self,
        permission: str | None = None,
        reason: str = "",
        *,
        changes: Mapping[str, Any] | None = None,
        drops: tuple[str, ...] = (),
        context: str = "",
        message: str = "",
        stop_reason: str | None = None,
        fields: Mapping[str, Any] | None = None,
        voice: str = "",
        label: str = "",
    ) -> None:
        self.permission = permission  # deny | ask | allow | block
        self.reason = reason
        self.changes = changes  # keys of the tool's input to set
        self.drops = drops  # keys of the tool's input to remove
        self.context = context  # for Claude
        self.message = message  # for the user
        self.stop_reason = stop_reason  # ends the turn
        self.fields = fields  # other keys of hookSpecificOutput, by their wire names
        self.voice = voice  # how a block is sent: "stderr" (exit code 2) or "context" (a reminder instead of an error)
        self.label = label  # what stands in front of the reason instead of the hook's name: the rule that decided

    @property
    def rewrites(self) -> bool:
        return bool(self.changes) or bool(self.drops)

    def capabilities(self) -> list[str]:
        """What an event must be able to carry for this decision to take effect."""
        needed = [self.permission] if self.permission else []
        if self.rewrites:
            needed.append("rewrite")
        if self.context:
            needed.append("context")
        if self.message:
            needed.append("message")
        if self.stop_reason is not None:
            needed.append("stop")
        if self.fields:
            needed.extend(self.fields)
        return needed

    def applied_to(self, tool_input: Mapping[str, Any]) -> dict[str, Any]:
        """The full tool input with the change applied: the client replaces the whole input."""
        full = {key: value for key, value in tool_input.items() if key not in self.drops}
        if self.changes:
            full.update(self.changes)
        return full

    def __and__(self, other: Decision) -> Decision:
        from hookwright.protocol.combine import combine_decisions  # noqa: PLC0415  few hooks say two things

        return combine_decisions(self, other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decision) and not any(getattr(self, x) != getattr(other, x) for x in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = (f"{part}={getattr(self, part)!r}" for part in Decision.__slots__ if getattr(self, part))
        return f"Decision({', '.join(parts)})"


def deny(reason: str) -> Decision:
    """Stop the call; Claude reads the reason."""
    return Decision("deny", reason)


def ask(reason: str) -> Decision:
    """Let the user decide; the dialog shows the reason. A headless run denies instead."""
    return Decision("ask", reason)


def allow(reason: str) -> Decision:
    """Approve without a dialog. The deny and ask rules in settings still win."""
    return Decision("allow", reason)


def block(reason: str) -> Decision:
    """Reject what just happened, or keep Claude going, on events that know `block`."""
    return Decision("block", reason)


def rewrite(reason: str, *, drop: Sequence[str] = (), **changes: Any) -> Decision:
    """Change keys of the tool's input; permission stays with the user."""
    return Decision(None, reason, changes=changes, drops=tuple(drop))


def add_context(text: str) -> Decision:
    """Tell Claude something."""
    return Decision(context=text)


def system_message(text: str) -> Decision:
    """Tell the user something; Claude does not see it."""
    return Decision(message=text)


def stop(reason: str) -> Decision:
    """End the turn. A tool that is about to run still runs: use `deny` to prevent it."""
    return Decision(stop_reason=reason)
