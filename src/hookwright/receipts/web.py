"""http handlers: is anybody there, and what does it answer?

handler → [look] → findings
Without the user's word only a connection is made, and only to this machine; nothing is sent.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import re
import socket
import ssl
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from hookwright.engine.process import Ended
from hookwright.engine.select import is_allowed
from hookwright.protocol import output
from hookwright.receipts.payloads import harmless
from hookwright.receipts.report import Row
from hookwright.receipts.strangers import Session, Trial, findings, says
from hookwright.settings.findings import Finding

VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
CONNECT_S = 3.0
LARGEST = 1 << 20


def look(row: Row, session: Session, allowed_urls: Sequence[str] | None, *, send: bool) -> None:
    """Everything that can be said about one http handler."""
    handler, where = row.registered.entry.handler, row.registered.entry.where
    url = handler["url"]
    row.findings += _static(handler, where, allowed_urls)
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        row.findings.append(Finding("url-unusable", f"{url} is no address for http", where, "http://… or https://…"))
        return
    if not send and not is_here(parts.hostname):
        row.why_not = "not contacted: it is on another machine"
        return
    if not send:
        _connect(row, parts.hostname, parts.port or (443 if parts.scheme == "https" else 80))
        return
    _post(row, url, session)


def _static(handler: Mapping[str, Any], where: str, allowed_urls: Sequence[str] | None) -> list[Finding]:
    found = []
    if not is_allowed(handler["url"], allowed_urls):
        what = f"allowedHttpHookUrls does not allow {handler['url']}; it is never called"
        found.append(Finding("url-not-allowed", what, where, "add it to allowedHttpHookUrls"))
    allowed = handler.get("allowedEnvVars") or ()
    for name, value in (handler.get("headers") or {}).items():
        for variable in (match[1] or match[2] for match in VARIABLE.finditer(value)):
            if variable not in allowed:
                what = f"the header {name} uses ${variable}, which allowedEnvVars does not name: it is empty"
                found.append(Finding("header-empty", what, where, f'"allowedEnvVars": ["{variable}"]'))
    return found


def is_here(host: str) -> bool:
    """Does the name mean this machine?"""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _connect(row: Row, host: str, port: int) -> None:
    try:
        socket.create_connection((host, port), timeout=CONNECT_S).close()
    except OSError as error:
        row.findings.append(_unreachable(row, error))
    else:
        row.why_not = "somebody listens there; --all sends it an event"


def _unreachable(row: Row, error: OSError) -> Finding:
    what = f"nobody answers at {row.registered.entry.handler['url']} ({error.strerror or error}); Claude Code goes on"
    return Finding("http-unreachable", what, row.registered.entry.where, "start the server, or remove the entry")


def _post(row: Row, url: str, session: Session) -> None:
    """The same JSON that a command would get; redirects are not followed, as in the client."""
    entry = row.registered.entry
    trial = Trial(row.registered)
    for payload in harmless(entry.event, entry.matcher, session.project):
        began = time.monotonic()
        try:
            status, body = _answer(url, payload, _headers(entry.handler, session), session.timeout_s(row.registered))
        except (OSError, http.client.HTTPException) as error:
            row.started = False
            problem = error if isinstance(error, OSError) else OSError(str(error) or type(error).__name__)
            row.findings.append(_unreachable(row, problem))
            return
        row.started, row.ms, row.exit_code = True, round((time.monotonic() - began) * 1000, 1), None
        if not 200 <= status < 300:
            what = f"{url} answers {status}, which Claude Code takes for a failure, whatever the body says"
            row.findings.append(Finding("http-status", what, entry.where, "answer 200 with JSON, or 204 for silence"))
            return
        reading = output.read(entry.event, 0, body)
        if reading.text:
            what = f"{url} answers with text that is no JSON object, which Claude Code takes for a failure"
            row.findings.append(Finding("http-not-json", what, entry.where, "answer 200 with JSON, or 204 for silence"))
            return
        trial.ends.append(Ended(exit_code=0, stdout=body, ms=row.ms))
        trial.readings.append(reading)
        trial.payloads.append(json.loads(payload))
    row.findings += findings(trial, session)
    row.says = says(trial.readings)


def _answer(url: str, payload: bytes, headers: Mapping[str, str], timeout_s: float) -> tuple[int, bytes]:
    parts = urlsplit(url)
    assert parts.hostname
    connection: http.client.HTTPConnection
    if parts.scheme == "https":
        context = ssl.create_default_context()
        connection = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=timeout_s, context=context)
    else:
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout_s)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request("POST", path, payload, {"content-type": "application/json", **headers})
        response = connection.getresponse()
        return response.status, response.read(LARGEST)
    finally:
        connection.close()


def _headers(handler: Mapping[str, Any], session: Session) -> dict[str, str]:
    allowed = handler.get("allowedEnvVars") or ()

    def value(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        return session.environment.get(name, "") if name in allowed else ""

    return {name: VARIABLE.sub(value, text) for name, text in (handler.get("headers") or {}).items()}
