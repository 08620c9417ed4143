"""Events of a session: start, end, compaction, model switch."""

from __future__ import annotations

from hookwright.protocol.events.base import Event
from hookwright.protocol.json_view import field


class SessionStart(Event):
    """A session begins, resumes, is cleared, compacted or forked."""

    __slots__ = ()
    source: str = field("", older=("hookMetadata.matcher",))
    model: str | None = field()
    session_title: str | None = field()
    seconds_since_last_response: float | None = field()
    context_tokens: int | None = field()
    prompt_cache_likely_expired: bool | None = field()
    estimated_cache_write_usd: float | None = field()


class SessionEnd(Event):
    """A session ends; hooks share a budget of 1.5 s."""

    __slots__ = ()
    reason: str = field("")


class Setup(Event):
    """The client was started with --init or --maintenance."""

    __slots__ = ()
    trigger: str = field("")


class PreCompact(Event):
    """The conversation is about to be compacted."""

    __slots__ = ()
    trigger: str = field("")
    custom_instructions: str | None = field()


class PostCompact(Event):
    """The conversation was compacted."""

    __slots__ = ()
    trigger: str = field("")
    compact_summary: str = field("")


class _ModelSwitch(Event):
    __slots__ = ()
    from_model: str = field("")
    to_model: str = field("")
    requested_model: str | None = field()
    source: str = field("")
    context_tokens: int | None = field()
    prompt_cache_warm: bool | None = field()
    cache_ttl: str | None = field()
    estimated_cache_write_usd: float | None = field()
    pricing: str | None = field()


class PreModelSwitch(_ModelSwitch):
    """A switch to another model was requested."""

    __slots__ = ()


class PostModelSwitch(_ModelSwitch):
    """The session's model changed."""

    __slots__ = ()
