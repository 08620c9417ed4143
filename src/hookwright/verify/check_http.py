"""Check an http handler: is the server reachable, and what does it answer?

verify_hooks → [check_http] → findings
Unless the user allows sending, only a connection is opened, and only to this machine; nothing is sent.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from hookwright.engine.handlers.http import VARIABLE, build_headers
from hookwright.engine.select import build_handler, is_url_allowed
from hookwright.engine.types import encode_payload
from hookwright.proc.child_process import ProgramResult
from hookwright.protocol import hook_output
from hookwright.settings.findings import Finding
from hookwright.verify.check_third_party import Session, Trial, list_findings, summarize_readings
from hookwright.verify.report import HandlerReport
from hookwright.verify.sample_payloads import harmless_payloads

CONNECT_TIMEOUT_S = 3.0
GOOD_ANSWER = "answer 200 with JSON, or 204 without a body"
MAX_BODY_BYTES = 1 << 20


def check_http(row: HandlerReport, session: Session, allowed_urls: Sequence[str] | None, *, send: bool) -> None:
    """Add everything that was found about an http handler to its row."""
    handler, where = row.registered.entry.handler, row.registered.entry.where
    url = handler["url"]
    row.findings += _config_findings(handler, where, allowed_urls)
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        row.findings.append(Finding("url-unusable", f"{url} is not an http URL", where, "http://… or https://…"))
        return
    if not send and not is_local_host(parts.hostname):
        row.why_not = "not contacted: it is on another machine"
        return
    if not send:
        _try_connect(row, parts.hostname, parts.port or (443 if parts.scheme == "https" else 80))
        return
    _post_payloads(row, url, session)


def _config_findings(handler: Mapping[str, Any], where: str, allowed_urls: Sequence[str] | None) -> list[Finding]:
    found = []
    if not is_url_allowed(handler["url"], allowed_urls):
        what = f"allowedHttpHookUrls does not allow {handler['url']}; it is never called"
        found.append(Finding("url-not-allowed", what, where, "add it to allowedHttpHookUrls"))
    allowed = handler.get("allowedEnvVars") or ()
    for name, value in (handler.get("headers") or {}).items():
        for variable in (match[1] or match[2] for match in VARIABLE.finditer(value)):
            if variable not in allowed:
                what = f"the header {name} uses ${variable}, which allowedEnvVars does not list: it is empty"
                found.append(Finding("header-empty", what, where, f'"allowedEnvVars": ["{variable}"]'))
    return found


def is_local_host(host: str) -> bool:
    """Does the host name refer to this machine?"""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _try_connect(row: HandlerReport, host: str, port: int) -> None:
    try:
        socket.create_connection((host, port), timeout=CONNECT_TIMEOUT_S).close()
    except OSError as error:
        row.findings.append(_unreachable_finding(row, error))
    else:
        row.why_not = "the server accepts connections; --all sends it an event"


def _unreachable_finding(row: HandlerReport, error: OSError) -> Finding:
    url = row.registered.entry.handler["url"]
    what = f"no answer from {url} ({error.strerror or error}); Claude Code continues without it"
    return Finding("http-unreachable", what, row.registered.entry.where, "start the server, or remove the entry")


def _post_payloads(row: HandlerReport, url: str, session: Session) -> None:
    """Post what a command would get on stdin; as in the client, redirects are not followed."""
    entry = row.registered.entry
    handler = build_handler(row.registered)
    trial = Trial(handler)
    headers = build_headers(handler.options, session.environment)
    for payload in harmless_payloads(entry.event, entry.matcher, session.project):
        began = time.monotonic()
        try:
            status, body = _send_request(url, encode_payload(payload), headers, session.timeout_s(handler))
        except (OSError, http.client.HTTPException) as error:
            row.started = False
            problem = error if isinstance(error, OSError) else OSError(str(error) or type(error).__name__)
            row.findings.append(_unreachable_finding(row, problem))
            return
        row.started, row.ms, row.exit_code = True, round((time.monotonic() - began) * 1000, 1), None
        if not 200 <= status < 300:
            what = f"{url} answers {status}, which Claude Code takes for a failure, whatever the body says"
            row.findings.append(Finding("http-status", what, entry.where, GOOD_ANSWER))
            return
        reading = hook_output.read_output(entry.event, 0, body)
        if reading.text:
            what = f"{url} answers with text that is not a JSON object, which Claude Code takes for a failure"
            row.findings.append(Finding("http-not-json", what, entry.where, GOOD_ANSWER))
            return
        trial.ends.append(ProgramResult(exit_code=0, stdout=body, seconds=(row.ms or 0.0) / 1000))
        trial.readings.append(reading)
        trial.payloads.append(payload)
    row.findings += list_findings(trial, entry.where, session)
    row.says = summarize_readings(trial.readings)


def _send_request(url: str, payload: bytes, headers: Mapping[str, str], timeout_s: float) -> tuple[int, bytes]:
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
        connection.request("POST", path, payload, dict(headers))
        response = connection.getresponse()
        return response.status, response.read(MAX_BODY_BYTES)
    finally:
        connection.close()
