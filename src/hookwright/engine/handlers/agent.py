"""An agent handler: a model looks around in the project, then gives its verdict.

handler, payload → [run] → model ⇄ Read, Grep, Glob (handlers/looking.py) → StructuredOutput → Raw.answer
Bounded in turns, time and sizes. It looks and never changes: the client's own agent may do more, ours may not.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hookwright.engine.handlers import looking, model
from hookwright.engine.handlers.conversation import transcript
from hookwright.engine.handlers.prompt import RULES
from hookwright.engine.types import Around, Handler, Payload, Raw

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

TURNS = 50  # requests, as measured: the client gives up after the fiftieth
PATIENCE_S = 20.0  # for one look
NUDGE = "Call the StructuredOutput tool now: the request is complete only with it."
OUTPUT = "StructuredOutput"
LOOKING = os.path.abspath(looking.__file__)


def _tool(name: str, description: str, needed: str, **properties: tuple[str, str]) -> dict[str, Any]:
    described = {key: {"type": kind, "description": about} for key, (kind, about) in properties.items()}
    schema = {"type": "object", "properties": described, "required": [needed], "additionalProperties": False}
    return {"name": name, "description": description, "input_schema": schema}


TOOLS = [
    _tool(
        "Read",
        "Read a text file of the project, with line numbers.",
        "file_path",
        file_path=("string", "absolute, or relative to the project"),
        offset=("integer", "first line, from 1"),
        limit=("integer", f"how many lines, {looking.LINES} at most"),
    ),
    _tool(
        "Grep",
        "Find lines that match a regular expression in the project's files.",
        "pattern",
        pattern=("string", "a regular expression"),
        path=("string", "a file or folder; the project if left out"),
        glob=("string", "only files whose path fits, such as **/*.py"),
        ignore_case=("boolean", "whether case does not matter"),
    ),
    _tool(
        "Glob",
        "List files of the project whose path fits a pattern.",
        "pattern",
        pattern=("string", "such as src/**/*.py"),
        path=("string", "the folder to begin in; the project if left out"),
    ),
    _tool(
        OUTPUT,
        "Give the verdict. Must be called exactly once, at the end.",
        "ok",
        ok=("boolean", "whether the action may go ahead"),
        reason=("string", "why, or why not"),
    ),
]


async def run(handler: Handler, payload: Payload, around: Around) -> Raw:
    """Let it look until it has a verdict, or nothing more may be spent on it."""

    async def judge(api: AsyncAnthropic) -> tuple[Mapping[str, Any], str]:
        return await _Loop(api, handler, payload, around).verdict()

    return await model.asked(judge, around)


class _Loop:
    """One conversation with the judging model."""

    def __init__(self, api: AsyncAnthropic, handler: Handler, payload: Payload, around: Around) -> None:
        self.api, self.around = api, around
        name = handler.options.get("model")
        self.model = model.resolved(str(name), around.env) if name else model.session_model(around)
        talk = transcript(payload)
        self.also = [talk] if talk else []
        self.system = _system(handler, around.project, self.also)
        self.messages: list[Any] = [{"role": "user", "content": model.filled(handler, payload)}]

    async def verdict(self) -> tuple[Mapping[str, Any], str]:
        nudged = False
        for _ in range(TURNS):
            content = await self._next()
            calls = [block for block in content if block.type == "tool_use"]
            results = []
            for call in calls:
                found = model.verdict(call.input) if call.name == OUTPUT else None
                if found is not None:
                    return found, json.dumps(found, ensure_ascii=False)
                results.append(await self._result(call))
            if not calls and nudged:
                raise model.NoVerdict("the model ended without a verdict", model.text_of(content))
            nudged = nudged or not calls
            self.messages.append({"role": "assistant", "content": content or "(nothing)"})
            self.messages.append({"role": "user", "content": results or NUDGE})
        raise model.NoVerdict(f"the model had no verdict after {TURNS} turns")

    async def _next(self) -> Any:
        response = await self.api.messages.create(
            model=self.model,
            max_tokens=model.TOKENS,
            system=self.system,
            messages=self.messages,
            tools=TOOLS,  # type: ignore[arg-type]
            timeout=self.around.timeout_s,
        )
        return response.content

    async def _result(self, call: Any) -> dict[str, Any]:
        if call.name == OUTPUT:
            told, failed = "`ok` must be true or false, `reason` a text", True
        else:
            told, failed = await look(call.name, call.input, self.around.project, self.also)
        return {"type": "tool_result", "tool_use_id": call.id, "content": told, "is_error": failed}


def _system(handler: Handler, project: str, transcripts: list[str]) -> str:
    history = f"\nThe conversation so far is in {transcripts[0]}, which Read can open." if transcripts else ""
    return f"""\
You judge a {handler.event} event of a coding session for a hook. The user's text says what to check.

{RULES}

The project is {project}. Look only as much as you need.{history}
When you know, call {OUTPUT}, always with a reason."""


async def look(tool: str, wanted: Any, root: str, also: list[str]) -> tuple[str, bool]:
    """One look, in a process of its own: a pattern that never ends is ended, and nothing of it stays."""
    job = json.dumps({"tool": tool, "input": wanted, "root": root, "also": also}).encode()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        "-S",
        LOOKING,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(PATIENCE_S):
            out, _ = await process.communicate(job)
        told, failed = json.loads(out)
    except TimeoutError:
        return f"{tool} took longer than {PATIENCE_S:g} s and was ended; ask for less", True
    except ValueError:
        return f"{tool} broke off", True
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
    return str(told), bool(failed)
