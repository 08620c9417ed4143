"""Run a command handler: a program, or a line for the shell, started as the client starts it.

handler, payload → [run] → handler_process → exit code, stdout, stderr
If its first line is `{"async": true}`, it continues in the background and is reported later.
`verify` starts other tools' hooks through `start_command`, too.
"""

from __future__ import annotations

import json

from hookwright.engine.environment import build_environment
from hookwright.engine.handler_process import FirstLine, run_process
from hookwright.engine.types import Handler, Payload, RawResult, RunContext, encode_payload
from hookwright.proc.child_process import ChildProcess, ProgramResult
from hookwright.settings.handler_command import LaunchContext, resolve_invocation


async def run(handler: Handler, payload: Payload, context: RunContext) -> RawResult:
    def first_line(line: bytes, child: ChildProcess) -> None:
        answer = parse_async_line(line)
        if answer is not None:
            context.detach()
            limit_ms = answer.get("asyncTimeout")
            if isinstance(limit_ms, int | float) and limit_ms > 0:
                child.set_timeout(limit_ms / 1000)

    ended = await start_command(handler, payload, context, on_first_line=first_line, spare_children=True)
    return RawResult(
        problem=ended.start_error,
        exit_code=ended.exit_code,
        stdout=ended.stdout,
        stderr=ended.stderr,
        timed_out=ended.timed_out,
        ms=ended.ms if ended.started else None,
    )


async def start_command(
    handler: Handler,
    payload: Payload,
    context: RunContext,
    *,
    on_first_line: FirstLine | None = None,
    spare_children: bool = False,
) -> ProgramResult:
    """Start the handler's process as the client would, and wait for its end."""
    env = environment_of(handler, payload, context)
    launch = LaunchContext(context.project, context.env, handler.root, env.get("CLAUDE_PLUGIN_DATA", ""))
    return await run_process(
        resolve_invocation(handler.options, launch).argv,
        encode_payload(payload) + b"\n",
        env=env,
        cwd=context.cwd,
        timeout_s=context.timeout_s,
        on_first_line=on_first_line,
        spare_children=spare_children,
    )


def environment_of(handler: Handler, payload: Payload, context: RunContext) -> dict[str, str]:
    effort = payload.get("effort")
    level = effort.get("level") if isinstance(effort, dict) else None
    return build_environment(
        handler.event,
        base=context.env,
        project=context.project,
        session_id=str(payload.get("session_id", "")),
        scratch=context.scratch,
        plugin_root=handler.root,
        effort=level if isinstance(level, str) else "medium",
    )


def parse_async_line(line: bytes) -> dict[str, object] | None:
    """The object with which a hook moves itself to the background; None for any other line."""
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        answer = json.loads(line)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) and answer.get("async") is True else None
