"""Command handlers: a program or a line for the shell, started as the client starts it.

handler, payload → [run] → exit code, stdout, stderr
A first line `{"async": true}` sends it to the background; it goes on and is heard later.
"""

from __future__ import annotations

import json

from hookwright.engine.environment import variables
from hookwright.engine.process import Clock, start
from hookwright.engine.types import Around, Handler, Payload, Raw, wire
from hookwright.settings.commands import Surroundings, invocation


async def run(handler: Handler, payload: Payload, around: Around) -> Raw:
    env = environment_of(handler, payload, around)
    surroundings = Surroundings(around.project, around.env, handler.root, env.get("CLAUDE_PLUGIN_DATA", ""))

    def first_line(line: bytes, clock: Clock) -> None:
        answer = background_word(line)
        if answer is not None:
            around.detach()
            limit_ms = answer.get("asyncTimeout")
            if isinstance(limit_ms, int | float) and limit_ms > 0:
                clock.allow(limit_ms / 1000)

    ended = await start(
        invocation(handler.options, surroundings).argv,
        wire(payload) + b"\n",
        env=env,
        cwd=around.cwd,
        timeout_s=around.timeout_s,
        on_first_line=first_line,
        spare_children=True,
    )
    return Raw(
        problem=ended.problem,
        exit_code=ended.exit_code,
        stdout=ended.stdout,
        stderr=ended.stderr,
        timed_out=ended.late,
        ms=ended.ms if ended.started else None,
    )


def environment_of(handler: Handler, payload: Payload, around: Around) -> dict[str, str]:
    effort = payload.get("effort")
    level = effort.get("level") if isinstance(effort, dict) else None
    return variables(
        handler.event,
        base=around.env,
        project=around.project,
        session_id=str(payload.get("session_id", "")),
        scratch=around.scratch,
        plugin_root=handler.root,
        effort=level if isinstance(level, str) else "medium",
    )


def background_word(line: bytes) -> dict[str, object] | None:
    """The object with which a hook says that nobody should wait for it."""
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        answer = json.loads(line)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) and answer.get("async") is True else None
