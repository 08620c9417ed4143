"""Run an agent handler: a model inspects the project with read-only tools, then gives its verdict.

handler, payload → [run] → model ⇄ Read, Grep, Glob (agent_tools.py) → StructuredOutput → RawResult.answer
Limited in turns, time and sizes. It only reads: the client's own agent may do more, ours may not.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hookwright.engine.handlers import agent_tools, model
from hookwright.engine.handlers.conversation import find_transcript
from hookwright.engine.handlers.prompt import RULES
from hookwright.engine.types import Handler, Payload, RawResult, RunContext
from hookwright.proc.run_async import run_program_async

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

MAX_TURNS = 50  # requests; measured: the client gives up after the fiftieth
TOOL_TIMEOUT_S = 20.0
MAX_OUTPUT_BYTES = 16 << 20  # far above what a tool returns
REMINDER = "Call the StructuredOutput tool now: the request is complete only with it."
OUTPUT = "StructuredOutput"
TOOLS_SCRIPT = os.path.abspath(agent_tools.__file__)


def _describe_tool(name: str, description: str, needed: str, **properties: tuple[str, str]) -> dict[str, Any]:
    described = {key: {"type": kind, "description": about} for key, (kind, about) in properties.items()}
    schema = {"type": "object", "properties": described, "required": [needed], "additionalProperties": False}
    return {"name": name, "description": description, "input_schema": schema}


TOOLS = [
    _describe_tool(
        "Read",
        "Read a text file of the project, with line numbers.",
        "file_path",
        file_path=("string", "absolute, or relative to the project"),
        offset=("integer", "first line, from 1"),
        limit=("integer", f"how many lines, {agent_tools.MAX_LINES} at most"),
    ),
    _describe_tool(
        "Grep",
        "Find lines that match a regular expression in the project's files.",
        "pattern",
        pattern=("string", "a regular expression"),
        path=("string", "a file or folder; the project if left out"),
        glob=("string", "only files whose path fits, such as **/*.py"),
        ignore_case=("boolean", "whether case does not matter"),
    ),
    _describe_tool(
        "Glob",
        "List files of the project whose path fits a pattern.",
        "pattern",
        pattern=("string", "such as src/**/*.py"),
        path=("string", "the folder to begin in; the project if left out"),
    ),
    _describe_tool(
        OUTPUT,
        "Give the verdict. Must be called exactly once, at the end.",
        "ok",
        ok=("boolean", "whether the action may go ahead"),
        reason=("string", "why, or why not"),
    ),
]


async def run(handler: Handler, payload: Payload, context: RunContext) -> RawResult:
    """Let the model use tools until it gives a verdict or a limit is reached."""

    async def ask_agent(api: AsyncAnthropic) -> tuple[Mapping[str, Any], str]:
        return await _AgentLoop(api, handler, payload, context).reach_verdict()

    return await model.run_judge(ask_agent, context)


class _AgentLoop:
    """One conversation with the model."""

    def __init__(self, api: AsyncAnthropic, handler: Handler, payload: Payload, context: RunContext) -> None:
        self.api, self.context = api, context
        name = handler.options.get("model")
        self.model = model.resolve_model(str(name), context.env) if name else model.session_model(context)
        transcript = find_transcript(payload)
        self.transcripts = [transcript] if transcript else []
        self.system = _system_prompt(handler, context.project, self.transcripts)
        self.messages: list[Any] = [{"role": "user", "content": model.fill_prompt(handler, payload)}]

    async def reach_verdict(self) -> tuple[Mapping[str, Any], str]:
        reminded = False
        for _ in range(MAX_TURNS):
            content = await self._request_turn()
            calls = [block for block in content if block.type == "tool_use"]
            results = []
            for call in calls:
                found = model.check_verdict(call.input) if call.name == OUTPUT else None
                if found is not None:
                    return found, json.dumps(found, ensure_ascii=False)
                results.append(await self._answer_call(call))
            if not calls and reminded:
                raise model.NoVerdict("the model ended without a verdict", model.text_of(content))
            reminded = reminded or not calls
            self.messages.append({"role": "assistant", "content": content or "(nothing)"})
            self.messages.append({"role": "user", "content": results or REMINDER})
        raise model.NoVerdict(f"the model had no verdict after {MAX_TURNS} turns")

    async def _request_turn(self) -> Any:
        response = await self.api.messages.create(
            model=self.model,
            max_tokens=model.MAX_TOKENS,
            system=self.system,
            messages=self.messages,
            tools=TOOLS,  # type: ignore[arg-type]
            timeout=self.context.timeout_s,
        )
        return response.content

    async def _answer_call(self, call: Any) -> dict[str, Any]:
        if call.name == OUTPUT:
            text, failed = "`ok` must be true or false, `reason` a text", True
        else:
            text, failed = await run_tool(call.name, call.input, self.context.project, self.transcripts)
        return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": failed}


def _system_prompt(handler: Handler, project: str, transcripts: list[str]) -> str:
    history = f"\nThe conversation so far is in {transcripts[0]}, which Read can open." if transcripts else ""
    return f"""\
You judge a {handler.event} event of a coding session for a hook. The user's text says what to check.

{RULES}

The project is {project}. Look only as much as you need.{history}
When you know, call {OUTPUT}, always with a reason."""


async def run_tool(tool: str, arguments: Any, root: str, also: list[str]) -> tuple[str, bool]:
    """Run one tool in a child process, so that a regular expression that never ends can be killed."""
    job = json.dumps({"tool": tool, "input": arguments, "root": root, "also": also}).encode()
    argv = [sys.executable, "-I", "-S", TOOLS_SCRIPT]
    ended = await run_program_async(
        argv, job, env=os.environ, cwd=os.getcwd(), seconds=TOOL_TIMEOUT_S, keep=MAX_OUTPUT_BYTES
    )
    if ended.timed_out:
        return f"{tool} took longer than {TOOL_TIMEOUT_S:g} s and was killed; ask for less", True
    try:
        text, failed = json.loads(ended.stdout)
    except ValueError:
        return f"{tool} crashed", True
    return str(text), bool(failed)
