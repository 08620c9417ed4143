"""What prompt and agent handlers share: whose key, which model, the prompt filled in, the answer read.

handlers/prompt, agent → [this] → Anthropic SDK → {ok, reason}
Without a key nobody is asked and nothing is guessed: the handler is not evaluated, and says why.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from hookwright.engine.handlers import KEYS
from hookwright.engine.handlers.extra import missing
from hookwright.engine.types import Around, Handler, Payload, Raw, wire

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

API = "https://api.anthropic.com"
ARGUMENTS = "$ARGUMENTS"
TOKENS = 8192  # of an answer; the client allows more than a verdict can need
# What the client's own names for models mean in the version that was measured.
MODELS = {"opus": "claude-opus-5-5", "sonnet": "claude-sonnet-5-5", "haiku": "claude-haiku-5-5"}
DEFAULT_MODEL = "opus"
# Ways to a model that need other keys than ours.
ELSEWHERE = {
    "CLAUDE_CODE_USE_BEDROCK": "Amazon Bedrock",
    "CLAUDE_CODE_USE_VERTEX": "Google Vertex AI",
    "CLAUDE_CODE_USE_FOUNDRY": "Microsoft Foundry",
}
FENCE = re.compile(r"\A```(?:json)?\s*\n(.*)\n```\Z", re.DOTALL)
VERDICT = {"ok": bool, "reason": str, "impossible": bool}


class NoVerdict(Exception):
    """A model was asked, and what came back is no verdict. `said` are its words."""

    def __init__(self, why: str, said: str = "") -> None:
        super().__init__(why)
        self.said = said


Judge = Callable[["AsyncAnthropic"], Awaitable[tuple[Mapping[str, Any], str]]]  # → verdict, the model's words


async def asked(judge: Judge, around: Around) -> Raw:
    """Run one judgement within its time; every ending is a Raw."""
    began = time.monotonic()

    def ended(**facts: Any) -> Raw:
        return Raw(ms=round((time.monotonic() - began) * 1000, 1), **facts)

    refusal = why_not_asked(around.env)
    if refusal:
        return Raw(not_evaluated=refusal)
    try:
        from anthropic import AnthropicError  # noqa: PLC0415
    except ImportError as error:
        return missing(error, "anthropic")
    try:
        async with asyncio.timeout(around.timeout_s), client(around.env) as api:
            verdict, said = await judge(api)
    except TimeoutError:
        return ended(timed_out=True)
    except NoVerdict as why:
        return ended(problem=str(why), stdout=why.said.encode("utf-8", "replace"))
    except AnthropicError as error:
        return ended(problem=trouble(error))
    return ended(answer=verdict, stdout=said.encode("utf-8", "replace"))


# --- who is asked
def why_not_asked(env: Mapping[str, str]) -> str:
    for name, service in ELSEWHERE.items():
        if env.get(name, "0").lower() not in ("", "0", "false"):
            return f"{name} is set, and {service} is not spoken here, so no model was asked"
    if not any(env.get(key) for key in KEYS):
        return "ANTHROPIC_API_KEY is not set, so no model was asked"
    return ""


def client(env: Mapping[str, str]) -> AsyncAnthropic:
    """The SDK's client, from the session's environment alone: this process's own is never looked at."""
    from anthropic import AsyncAnthropic  # noqa: PLC0415

    key, token = (env.get(name) for name in KEYS)
    lines = (line.partition(":") for line in env.get("ANTHROPIC_CUSTOM_HEADERS", "").splitlines())
    return AsyncAnthropic(
        api_key=key or None,
        auth_token=None if key else token,
        base_url=env.get("ANTHROPIC_BASE_URL") or API,
        default_headers={name.strip(): value.strip() for name, colon, value in lines if colon},
    )


def session_model(around: Around) -> str:
    """The model that the session itself talks to."""
    return resolved(around.env.get("ANTHROPIC_MODEL") or around.model or DEFAULT_MODEL, around.env)


def resolved(name: str, env: Mapping[str, str]) -> str:
    """A model's full name."""
    short = name.removesuffix("[1m]")
    return env.get(f"ANTHROPIC_DEFAULT_{short.upper()}_MODEL") or MODELS.get(short, short)


def trouble(error: Exception) -> str:
    """What the API or the way to it says, in a line."""
    status = getattr(error, "status_code", None)
    body = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, dict) else None
    message = inner.get("message") if isinstance(inner, dict) else None
    words = (str(message or error) or type(error).__name__).splitlines()[0]
    return f"the API answered {status}: {words}" if status else f"the API could not be asked: {words}"


# --- what is asked, and what comes back
def filled(handler: Handler, payload: Payload) -> str:
    """The prompt with the event in it; at its end, if it does not say where."""
    prompt, event = str(handler.options["prompt"]), wire(payload).decode("utf-8", "replace")
    return prompt.replace(ARGUMENTS, event) if ARGUMENTS in prompt else f"{prompt}\n\nARGUMENTS: {event}"


def verdict_in(text: str) -> dict[str, Any] | None:
    """The one object that the text is, perhaps in a fence; None if it is no verdict."""
    text = text.strip()
    fenced = FENCE.match(text)
    try:
        value = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        return None
    return verdict(value)


def verdict(value: Any) -> dict[str, Any] | None:
    """`ok` is needed, the rest has its type or is not there."""
    if not isinstance(value, dict) or "ok" not in value:
        return None
    if any(name in value and not isinstance(value[name], kind) for name, kind in VERDICT.items()):
        return None
    return {name: value[name] for name in VERDICT if name in value}


def text_of(content: Any) -> str:
    """The words of an answer's blocks."""
    return "".join(block.text for block in content if block.type == "text")
