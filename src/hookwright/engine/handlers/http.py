"""An http handler: the payload is posted, and the response is what the hook says.

handler, payload → [run] → POST → Raw (status and body, or why there was none)
Redirects are not followed, a status is not judged here, and what fails is told in the client's words.
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

from hookwright.engine.handlers.extra import missing
from hookwright.engine.types import Around, Handler, Payload, Raw, wire

if TYPE_CHECKING:
    import httpx

LARGEST = 4 << 20  # bytes of a body that are kept
VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
SMUGGLED = re.compile(r"[\r\n\0]")  # a variable must not begin another header
HEADERS = {"Accept": "application/json, text/plain, */*", "Content-Type": "application/json"}


async def run(handler: Handler, payload: Payload, around: Around) -> Raw:
    """Post the payload; every ending is a Raw."""
    try:
        import httpx  # noqa: PLC0415
    except ImportError as error:
        return missing(error, "httpx")
    url = str(handler.options["url"])
    unusable = why_unusable(url)
    if unusable:
        return Raw(problem=unusable)
    began = time.monotonic()
    try:
        async with asyncio.timeout(around.timeout_s):
            status, body = await _post(url, wire(payload), headers(handler, around), around)
    except (TimeoutError, httpx.TimeoutException):
        return Raw(timed_out=True, ms=_since(began))
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        return Raw(problem=words(error, url), ms=_since(began))
    return Raw(status=status, stdout=body, ms=_since(began))


async def _post(url: str, body: bytes, sent: Mapping[str, str], around: Around) -> tuple[int, bytes]:
    import httpx  # noqa: PLC0415

    # The environment is the session's, not this process's.
    proxy = proxy_for(url, around.env)
    client = httpx.AsyncClient(follow_redirects=False, timeout=around.timeout_s, trust_env=False, proxy=proxy)
    async with client, client.stream("POST", url, content=body, headers=dict(sent)) as response:
        return response.status_code, await _bounded(response)


async def _bounded(response: httpx.Response) -> bytes:
    kept = bytearray()
    async for chunk in response.aiter_bytes():
        kept += chunk
        if len(kept) >= LARGEST:
            break
    return bytes(kept[:LARGEST])


def _since(began: float) -> float:
    return round((time.monotonic() - began) * 1000, 1)


# --- what is sent
def headers(handler: Handler, around: Around) -> dict[str, str]:
    """The handler's own over ours; a variable that nobody allowed is empty."""
    allowed = frozenset(handler.options.get("allowedEnvVars") or ())
    if around.http_env_vars is not None:
        allowed &= around.http_env_vars

    def value(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        return around.env.get(name, "") if name in allowed else ""

    own = {
        str(name): SMUGGLED.sub("", VARIABLE.sub(value, str(text))).strip()
        for name, text in (handler.options.get("headers") or {}).items()
    }
    named = {name.lower() for name in own}
    return {**{name: text for name, text in HEADERS.items() if name.lower() not in named}, **own}


def proxy_for(url: str, env: Mapping[str, str]) -> str | None:
    """The proxy that the environment names for this address."""
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    named = env.get(f"{scheme}_proxy") or env.get(f"{scheme.upper()}_PROXY")
    if not named or not parts.hostname:
        return None
    spared = env.get("no_proxy") or env.get("NO_PROXY") or ""
    return None if proxy_bypass_environment(parts.netloc, {"no": spared}) else named


# --- what went wrong
def why_unusable(url: str) -> str:
    try:
        parts, _ = urlsplit(url), urlsplit(url).port
    except ValueError:
        return f"Invalid URL {url}"
    if parts.scheme not in ("http", "https"):
        return f"Unsupported protocol {parts.scheme}:" if parts.scheme else f"Invalid URL {url}"
    return "" if parts.hostname else f"Invalid URL {url}"


def words(error: Exception, url: str) -> str:
    """A failure as the client tells it: `connect ECONNREFUSED 127.0.0.1:80`."""
    parts = urlsplit(url)
    for cause in chain(error):
        if isinstance(cause, socket.gaierror):
            again = cause.errno == socket.EAI_AGAIN
            return f"getaddrinfo {'EAI_AGAIN' if again else 'ENOTFOUND'} {parts.hostname}"
        code = errno.errorcode.get(cause.errno or 0) if isinstance(cause, OSError) else None
        if code:
            return f"connect {code} {parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
    return str(error) or type(error).__name__


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error, what it came from, and what that came from. A name of several addresses fails as a group."""
    waiting: list[Any] = [error]
    while waiting:
        error = waiting.pop(0)
        if error is None:
            continue
        yield error
        waiting += [*getattr(error, "exceptions", ()), error.__cause__ or error.__context__]
