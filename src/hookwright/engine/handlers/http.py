"""Run an http handler: POST the payload; the response is the hook's output.

handler, payload → [run] → POST → RawResult (status and body, or the error)
Redirects are not followed, the status is not interpreted here, and errors are worded as the client words them.
"""

from __future__ import annotations

import asyncio
import errno
import re
import socket
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]

from hookwright.engine.handlers.missing_extra import report_missing
from hookwright.engine.types import Handler, Payload, RawResult, RunContext, encode_payload

if TYPE_CHECKING:
    import httpx

MAX_BODY_BYTES = 4 << 20
VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
LINE_BREAKS = re.compile(r"[\r\n\0]")  # a variable must not inject another header
HEADERS = {"Accept": "application/json, text/plain, */*", "Content-Type": "application/json"}


async def run(handler: Handler, payload: Payload, context: RunContext) -> RawResult:
    """Post the payload; errors are results, too."""
    try:
        import httpx  # noqa: PLC0415
    except ImportError as error:
        return report_missing(error, "httpx")
    url = str(handler.options["url"])
    unusable = why_unusable(url)
    if unusable:
        return RawResult(problem=unusable)
    began = time.monotonic()
    try:
        headers = build_headers(handler.options, context.env, context.http_env_vars)
        async with asyncio.timeout(context.timeout_s):
            status, body = await _post_payload(url, encode_payload(payload), headers, context)
    except (TimeoutError, httpx.TimeoutException):
        return RawResult(timed_out=True, ms=_elapsed_ms(began))
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        return RawResult(problem=format_error(error, url), ms=_elapsed_ms(began))
    return RawResult(status=status, stdout=body, ms=_elapsed_ms(began))


async def _post_payload(url: str, body: bytes, headers: Mapping[str, str], context: RunContext) -> tuple[int, bytes]:
    import httpx  # noqa: PLC0415

    # Proxies come from the session's environment, not from this process's.
    proxy = proxy_for(url, context.env)
    client = httpx.AsyncClient(follow_redirects=False, timeout=context.timeout_s, trust_env=False, proxy=proxy)
    async with client, client.stream("POST", url, content=body, headers=dict(headers)) as response:
        return response.status_code, await _read_bounded(response)


async def _read_bounded(response: httpx.Response) -> bytes:
    kept = bytearray()
    async for chunk in response.aiter_bytes():
        kept += chunk
        if len(kept) >= MAX_BODY_BYTES:
            break
    return bytes(kept[:MAX_BODY_BYTES])


def _elapsed_ms(began: float) -> float:
    return round((time.monotonic() - began) * 1000, 1)


# --- request
def build_headers(
    options: Mapping[str, Any], env: Mapping[str, str], http_env_vars: frozenset[str] | None = None
) -> dict[str, str]:
    """The handler's headers over the defaults; a variable that is not in allowedEnvVars is empty."""
    allowed = frozenset(options.get("allowedEnvVars") or ())
    if http_env_vars is not None:
        allowed &= http_env_vars

    def expand_variable(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        return env.get(name, "") if name in allowed else ""

    own = {
        str(name): LINE_BREAKS.sub("", VARIABLE.sub(expand_variable, str(text))).strip()
        for name, text in (options.get("headers") or {}).items()
    }
    named = {name.lower() for name in own}
    return {**{name: text for name, text in HEADERS.items() if name.lower() not in named}, **own}


def proxy_for(url: str, env: Mapping[str, str]) -> str | None:
    """The proxy that the environment names for this URL."""
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    named = env.get(f"{scheme}_proxy") or env.get(f"{scheme.upper()}_PROXY")
    if not named or not parts.hostname:
        return None
    spared = env.get("no_proxy") or env.get("NO_PROXY") or ""
    return None if proxy_bypass_environment(parts.netloc, {"no": spared}) else named


# --- errors
def why_unusable(url: str) -> str:
    try:
        parts, _ = urlsplit(url), urlsplit(url).port
    except ValueError:
        return f"Invalid URL {url}"
    if parts.scheme not in ("http", "https"):
        return f"Unsupported protocol {parts.scheme}:" if parts.scheme else f"Invalid URL {url}"
    return "" if parts.hostname else f"Invalid URL {url}"


def format_error(error: Exception, url: str) -> str:
    """Word an error as the client does: `connect ECONNREFUSED 127.0.0.1:80`."""
    parts = urlsplit(url)
    for cause in iter_causes(error):
        if isinstance(cause, socket.gaierror):
            again = cause.errno == socket.EAI_AGAIN
            return f"getaddrinfo {'EAI_AGAIN' if again else 'ENOTFOUND'} {parts.hostname}"
        code = errno.errorcode.get(cause.errno or 0) if isinstance(cause, OSError) else None
        if code:
            return f"connect {code} {parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
    return str(error) or type(error).__name__


def iter_causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error and all its causes. A host name with several addresses fails with an exception group."""
    waiting: list[Any] = [error]
    while waiting:
        error = waiting.pop(0)
        if error is None:
            continue
        yield error
        waiting += [*getattr(error, "exceptions", ()), error.__cause__ or error.__context__]
