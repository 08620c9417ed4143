"""Who may see the page: a browser on this machine that was given the token, under a host name that is ours.

request headers → [Access] → let in, 401 (no token) or 421 (another host)
The host check defeats DNS rebinding: a foreign site whose name points to 127.0.0.1 sends its own name. The cookie is
bound to the port by its name, because browsers share cookies between ports.
"""

from __future__ import annotations

import hmac
import secrets
from urllib.parse import urlsplit

from hookwright.errors import UserError

LOOPBACK = "127.0.0.1"
_OWN_HOSTS = (LOOPBACK, "localhost", "[::1]")
_DEFAULT_PORTS = {"http": 80, "https": 443}

# No other host, no inline script or style, no frames; text can become HTML nowhere (trusted types).
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
        "trusted-types 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Access:
    """The token, the cookie that carries it, and the host names under which the page answers."""

    def __init__(self, port: int, public_url: str = "", token: str = "") -> None:
        self.port = port
        self.token = token or secrets.token_urlsafe(24)
        self.public_url = check_public_url(public_url)
        self.hosts = {f"{name}:{port}" for name in _OWN_HOSTS}
        if self.public_url:
            parts = urlsplit(self.public_url)
            self.hosts.add(parts.netloc.lower())
            if parts.port == _DEFAULT_PORTS[parts.scheme]:  # a browser leaves the default port out
                self.hosts.add((parts.hostname or "").lower())

    @property
    def cookie_name(self) -> str:
        return f"hookwright_{self.port}"

    @property
    def url(self) -> str:
        """The address with the token; whoever has it sees the page."""
        return f"{self.public_url or f'http://{LOOPBACK}:{self.port}/'}?token={self.token}"

    def is_our_host(self, host: str | None) -> bool:
        return host is not None and host.lower() in self.hosts

    def is_our_page(self, site: str | None, origin: str | None) -> bool:
        """Whether a request was sent by our own page: what the browser says in Sec-Fetch-Site and Origin."""
        if site is not None and site != "same-origin":
            return False
        return origin is None or urlsplit(origin).netloc.lower() in self.hosts

    def is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def has_cookie(self, header: str | None) -> bool:
        """Whether one of the cookies is ours and holds the token."""
        for part in (header or "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == self.cookie_name and self.is_token(value):
                return True
        return False

    def format_cookie(self) -> str:
        secure = "; Secure" if self.public_url.startswith("https:") else ""
        return f"{self.cookie_name}={self.token}; Path=/; HttpOnly; SameSite=Strict{secure}"


def check_public_url(text: str) -> str:
    """The address under which a tunnel shows the page, ending with a slash; "" if there is none."""
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        is_usable = parts.scheme in _DEFAULT_PORTS and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:  # a port that is no number
        is_usable = False
        parts = urlsplit("")
    if not is_usable or parts.query or parts.fragment or parts.username:
        what = "--public-url is not the address of a page, such as https://name-4665.app.github.dev"
        raise UserError(what, where=text, fix="hookwright open --help")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/"
