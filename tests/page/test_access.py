"""Who sees the page: a token once, then a cookie; our own host names; no other site's requests."""

import pytest

from hookwright.errors import UserError
from hookwright.page.access import Access, check_public_url


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("127.0.0.1:4665", True),
        ("localhost:4665", True),
        ("LOCALHOST:4665", True),
        ("[::1]:4665", True),
        ("127.0.0.1:4666", False),
        ("127.0.0.1", False),
        ("evil.example:4665", False),
        ("localhost.evil.example:4665", False),
        ("localhost:4665.evil.example", False),
        ("", False),
        (None, False),
    ],
)
def test_only_our_own_host_names_are_answered(host, ours):
    assert Access(4665).is_our_host(host) is ours


@pytest.mark.parametrize(
    ("url", "host", "ours"),
    [
        ("https://me-4665.app.github.dev", "me-4665.app.github.dev", True),
        ("https://me-4665.app.github.dev/", "me-4665.app.github.dev", True),
        ("https://me-4665.app.github.dev:443", "me-4665.app.github.dev", True),
        ("http://localhost:9000", "localhost:9000", True),
        ("http://localhost:9000", "localhost:9001", False),
        ("https://hub.example/user/ann/proxy/4665", "hub.example", True),
        ("https://hub.example", "other.example", False),
    ],
)
def test_a_tunnels_host_is_ours_if_it_was_named(url, host, ours):
    assert Access(4665, url).is_our_host(host) is ours


@pytest.mark.parametrize(
    "url",
    [
        *("example.org", "ftp://example.org", "http://", "http://x:port", "http://x/?a=1", "http://u:p@x/"),
        *("javascript:alert(1)", "http://x/#a", "http://x:99999"),
    ],
)
def test_a_public_url_that_is_no_address_is_refused(url):
    with pytest.raises(UserError, match="--public-url"):
        check_public_url(url)


def test_the_printed_address_holds_the_token_and_the_tunnels_host():
    assert Access(80, token="abc").url == "http://127.0.0.1:80/?token=abc"
    assert Access(80, "https://x.example/p", "abc").url == "https://x.example/p/?token=abc"


def test_every_start_has_another_token():
    tokens = {Access(1).token for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) >= 32 for token in tokens)


@pytest.mark.parametrize(
    ("header", "let_in"),
    [
        ("hookwright_4665=abc", True),
        ("other=1; hookwright_4665=abc; more=2", True),
        ("hookwright_4665=abd", False),
        ("hookwright_4665=", False),
        ("hookwright_4666=abc", False),
        ("xhookwright_4665=abc", False),
        ("hookwright_4665=\u00e4bc", False),
        ("", False),
        (None, False),
    ],
)
def test_the_cookie_is_the_token_of_this_port(header, let_in):
    assert Access(4665, token="abc").has_cookie(header) is let_in


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites():
    cookie = Access(4665, token="abc").format_cookie()
    assert cookie == "hookwright_4665=abc; Path=/; HttpOnly; SameSite=Strict"
    assert Access(4665, "https://x.example", "abc").format_cookie().endswith("; Secure")


@pytest.mark.parametrize(
    ("headers", "ours"),
    [
        ({}, True),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://127.0.0.1:4665"}, True),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Sec-Fetch-Site": "none"}, False),
        ({"Origin": "http://localhost:3000"}, False),
        ({"Origin": "null"}, False),
    ],
)
def test_a_request_of_another_site_is_seen(headers, ours):
    assert Access(4665).is_our_page(headers.get("Sec-Fetch-Site"), headers.get("Origin")) is ours
