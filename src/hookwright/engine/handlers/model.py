"""What prompt and agent handlers share: API key, model, the filled prompt, and parsing the verdict.

handlers/prompt, agent → [run_judge] → Anthropic SDK → {ok, reason}
Without a key no model is asked and nothing is guessed: the handler is not evaluated, and the result says why.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from hookwright.engine.handlers import API_KEYS
from hookwright.engine.handlers.missing_extra import report_missing
from hookwright.engine.types import Handler, Payload, RawResult, RunContext, encode_payload

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

API = "https://api.anthropic.com"
ARGUMENTS = "$ARGUMENTS"
MAX_TOKENS = 8192  # of an answer; more than a verdict needs
# The client's aliases for models, in the version that was measured.
MODELS = {"opus": "claude-opus-5-5", "sonnet": "claude-sonnet-5-5", "haiku": "claude-haiku-5-5"}
DEFAULT_MODEL = "opus"
# Other providers, which need other credentials.
OTHER_PROVIDERS = {
    "CLAUDE_CODE_USE_BEDROCK": "Amazon Bedrock",
    "CLAUDE_CODE_USE_VERTEX": "Google Vertex AI",
    "CLAUDE_CODE_USE_FOUNDRY": "Microsoft Foundry",
}
FENCE = re.compile(r"\A```(?:json)?\s*\n(.*)\n```\Z", re.DOTALL)
VERDICT = {"ok": bool, "reason": str, "impossible": bool}


class NoVerdict(Exception):
    """The model answered, but not with a verdict."""

    def __init__(self, why: str, answer_text: str = "") -> None:
        super().__init__(why)
        self.answer_text = answer_text


Judge = Callable[["AsyncAnthropic"], Awaitable[tuple[Mapping[str, Any], str]]]  # → verdict, the model's answer


async def run_judge(judge: Judge, context: RunContext) -> RawResult:
    """Ask for one verdict within the timeout; errors are results, too."""
    began = time.monotonic()

    def build_result(**facts: Any) -> RawResult:
        return RawResult(ms=round((time.monotonic() - began) * 1000, 1), **facts)

    refusal = why_not_asked(context.env)
    if refusal:
        return RawResult(not_evaluated=refusal)
    try:
        from anthropic import AnthropicError  # noqa: PLC0415
    except ImportError as error:
        return report_missing(error, "anthropic")
    try:
        async with asyncio.timeout(context.timeout_s), build_client(context.env) as api:
            verdict, answer_text = await judge(api)
    except TimeoutError:
        return build_result(timed_out=True)
    except NoVerdict as why:
        return build_result(problem=str(why), stdout=why.answer_text.encode("utf-8", "replace"))
    except AnthropicError as error:
        return build_result(problem=format_api_error(error))
    return build_result(answer=verdict, stdout=answer_text.encode("utf-8", "replace"))


# --- API
def why_not_asked(env: Mapping[str, str]) -> str:
    for name, service in OTHER_PROVIDERS.items():
        if env.get(name, "0").lower() not in ("", "0", "false"):
            return f"{name} is set, and {service} is not supported here, so no model was asked"
    if not any(env.get(key) for key in API_KEYS):
        return "ANTHROPIC_API_KEY is not set, so no model was asked"
    return ""


def build_client(env: Mapping[str, str]) -> AsyncAnthropic:
    """Build the SDK's client from the session's environment only, never from this process's."""
    from anthropic import AsyncAnthropic  # noqa: PLC0415

    key, token = (env.get(name) for name in API_KEYS)
    lines = (line.partition(":") for line in env.get("ANTHROPIC_CUSTOM_HEADERS", "").splitlines())
    return AsyncAnthropic(
        api_key=key or None,
        auth_token=None if key else token,
        base_url=env.get("ANTHROPIC_BASE_URL") or API,
        default_headers={name.strip(): value.strip() for name, colon, value in lines if colon},
    )


def session_model(context: RunContext) -> str:
    """The model of the session."""
    return resolve_model(context.env.get("ANTHROPIC_MODEL") or context.model or DEFAULT_MODEL, context.env)


def resolve_model(name: str, env: Mapping[str, str]) -> str:
    """The full name of a model alias."""
    short = name.removesuffix("[1m]")
    return env.get(f"ANTHROPIC_DEFAULT_{short.upper()}_MODEL") or MODELS.get(short, short)


def format_api_error(error: Exception) -> str:
    """An API or connection error in one line."""
    status = getattr(error, "status_code", None)
    body = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, dict) else None
    reported = inner.get("message") if isinstance(inner, dict) else None
    message = (str(reported or error) or type(error).__name__).splitlines()[0]
    return f"the API answered {status}: {message}" if status else f"the API is not reachable: {message}"


# --- prompt and verdict
def fill_prompt(handler: Handler, payload: Payload) -> str:
    """Insert the event at $ARGUMENTS, or append it."""
    prompt, event = str(handler.options["prompt"]), encode_payload(payload).decode("utf-8", "replace")
    return prompt.replace(ARGUMENTS, event) if ARGUMENTS in prompt else f"{prompt}\n\nARGUMENTS: {event}"


def parse_verdict(text: str) -> dict[str, Any] | None:
    """Parse the answer, which may be in a code fence; None if it is not a verdict."""
    text = text.strip()
    fenced = FENCE.match(text)
    try:
        value = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        return None
    return check_verdict(value)


def check_verdict(value: Any) -> dict[str, Any] | None:
    """`ok` is required; every key must have its type."""
    if not isinstance(value, dict) or "ok" not in value:
        return None
    if any(name in value and not isinstance(value[name], kind) for name, kind in VERDICT.items()):
        return None
    return {name: value[name] for name in VERDICT if name in value}


def text_of(content: Any) -> str:
    """The text blocks of an answer."""
    return "".join(block.text for block in content if block.type == "text")
