"""Select events of the ledger: by time, session, project, hook, decision, event."""

from __future__ import annotations

from typing import Any, NamedTuple

from hookwright.store.journal import first_id

BACKGROUND = "background"  # as a decision: what people call the rewrite of auto_background
MOVED = ("auto_background", "rewrite")


class Filter(NamedTuple):
    """Selects events; an empty field matches all."""

    session: str = ""
    project: str = ""
    hook: str = ""
    decision: str = ""
    since: float = 0.0
    event: str = ""
    until: float = 0.0
    spoken: bool = False  # only events with a tool, an answer, a decision or a problem

    @property
    def counts_by_day(self) -> bool:
        """Whether the counts per day can answer: they know time and project only."""
        return not (self.session or self.hook or self.decision or self.event or self.spoken)

    def where_clause(self) -> tuple[str, list[Any]]:
        """A condition on `event_rows` and its values."""
        parts, values = ["1"], []
        for part, value in (
            ("id >= ?", first_id(self.since) if self.since else ""),
            ("id < ?", first_id(self.until) if self.until else ""),
            (
                "session IN (SELECT no FROM sessions WHERE session_id >= ? AND session_id < ? || '\uffff')",
                self.session,
            ),
            (f"project IN (SELECT no FROM projects WHERE {PROJECT_WITHIN})", self.project),  # noqa: S608  no user text
            ("event = ?", self.event),
        ):
            if value:
                parts.append(part)
                values += [value] * part.count("?")
        if self.spoken:
            spoken = "tool IS NOT NULL OR answer IS NOT NULL OR event IS NULL OR id IN (SELECT event_id FROM decisions)"
            parts.append(f"({spoken})")
        if self.hook or self.decision:
            inner = ["1"]
            hook, verdict = MOVED if self.decision == BACKGROUND else (self.hook, self.decision)
            for column, value in (("hook", hook), ("verdict", verdict)):
                if value:
                    inner.append(f"{column} = ?")
                    values.append(value)
            parts.append(f"id IN (SELECT event_id FROM decisions WHERE {' AND '.join(inner)})")  # noqa: S608
        return " AND ".join(parts), values


# The directory and everything below: an index range (0 follows / in ASCII), then the exact condition.
PROJECT_WITHIN = "project >= ? AND project < ? || '0' AND (project = ? OR project > ? || '/')"
