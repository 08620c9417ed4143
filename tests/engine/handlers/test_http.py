"""What an http handler sends, and the result of every kind of response."""

import json
import socket

import pytest

from tests.engine.handlers.kit import BASH, api, around, handler, ran


def test_the_payload_is_posted_as_the_client_writes_it(tmp_path):
    with api(tmp_path, routes={"/hook": {"json": {"ok": 1}}}) as served:
        raw = ran(handler("http", url=f"{served.url}/hook?a=b"), around(tmp_path))
        [asked] = served.asked("http")
    assert (raw.status, json.loads(raw.stdout), raw.problem, raw.timed_out) == (200, {"ok": 1}, "", False)
    assert asked["body"] == BASH
    assert asked["method"] == "POST"
    assert asked["headers"]["Content-Type"] == "application/json"
    assert int(asked["headers"]["Content-Length"]) == len(
        json.dumps(BASH, ensure_ascii=False, separators=(",", ":")).encode()
    )


# As the client was seen to do it: only allowed names, both spellings, no line ends, nothing around.
ENV = {"TOK": "s\r\nX: 1", "OTHER": "o", "TOKEN2": "t2", "EMPTY": ""}


@pytest.mark.parametrize(
    ("headers", "allowed", "limit", "sent"),
    [
        ({"Authorization": "Bearer $TOK ${TOK}"}, ["TOK"], None, {"Authorization": "Bearer sX: 1 sX: 1"}),
        ({"A": "$OTHER ${NO}x $TOKEN2"}, ["NO"], None, {"A": "x"}),
        ({"A": "$OTHER"}, None, None, {"A": ""}),
        ({"A": "a$ b"}, [], None, {"A": "a$ b"}),
        ({"A": "$TOK $OTHER"}, ["TOK", "OTHER"], frozenset(["OTHER"]), {"A": "o"}),
        ({"content-type": "text/x", "User-Agent": "mine"}, [], None, {"Content-Type": "text/x", "User-Agent": "mine"}),
    ],
)
def test_headers_take_only_the_variables_that_are_allowed(tmp_path, headers, allowed, limit, sent):
    options = {"headers": headers, **({"allowedEnvVars": allowed} if allowed is not None else {})}
    with api(tmp_path, routes={"/hook": {"json": {}}}) as served:
        place = around(tmp_path, env=ENV, http_env_vars=limit)
        ran(handler("http", url=f"{served.url}/hook", **options), place)
        [asked] = served.asked("http")
    got = {name.lower(): value for name, value in asked["headers"].items()}
    assert {name: got[name.lower()] for name in sent} == sent


@pytest.mark.parametrize(
    ("route", "status", "body"),
    [
        ({"status": 204, "text": ""}, 204, b""),
        ({"status": 302, "text": "", "headers": {"Location": "/other"}}, 302, b""),
        ({"status": 403, "text": "no"}, 403, b"no"),
        ({"text": "all good"}, 200, b"all good"),
    ],
)
def test_a_response_is_told_and_not_judged(tmp_path, route, status, body):
    with api(tmp_path, routes={"/hook": route, "/other": {"text": "followed"}}) as served:
        raw = ran(handler("http", url=f"{served.url}/hook"), around(tmp_path))
    assert (raw.status, raw.stdout) == (status, body)


def test_a_late_response_is_not_waited_for(tmp_path):
    with api(tmp_path, routes={"/hook": {"json": {}, "delay": 3}}) as served:
        raw = ran(handler("http", url=f"{served.url}/hook"), around(tmp_path, timeout_s=0.2))
    assert raw.timed_out


def test_failures_are_told_in_the_clients_words(tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    refused = ran(handler("http", url=f"http://127.0.0.1:{port}/x"), around(tmp_path))
    assert refused.problem == f"connect ECONNREFUSED 127.0.0.1:{port}"
    assert ran(handler("http", url="ftp://127.0.0.1/x"), around(tmp_path)).problem == "Unsupported protocol ftp:"
    for nonsense in ("nonsense", "http://[::1", "http://127.0.0.1:99999/", ""):
        assert ran(handler("http", url=nonsense), around(tmp_path)).problem == f"Invalid URL {nonsense}"
    nowhere = ran(handler("http", url="http://nowhere.invalid/x"), around(tmp_path)).problem
    assert nowhere in ("getaddrinfo ENOTFOUND nowhere.invalid", "getaddrinfo EAI_AGAIN nowhere.invalid")


def test_the_proxy_of_the_sessions_environment_is_used(tmp_path):
    with api(tmp_path, routes={}) as served:
        place = around(tmp_path, env={"HTTP_PROXY": served.url, "NO_PROXY": "spared.invalid"})
        ran(handler("http", url="http://elsewhere.invalid/hook"), place)
        spared = ran(handler("http", url="http://spared.invalid/hook"), place)
        [asked] = served.asked("http")
    assert asked["headers"]["Host"] == "elsewhere.invalid"
    assert spared.problem.startswith("getaddrinfo ")


def test_a_response_without_end_is_cut(tmp_path, monkeypatch):
    monkeypatch.setattr("hookwright.engine.handlers.http.MAX_BODY_BYTES", 1000)
    with api(tmp_path, routes={"/hook": {"text": "x" * 100_000}}) as served:
        raw = ran(handler("http", url=f"{served.url}/hook"), around(tmp_path))
    assert len(raw.stdout) == 1000
