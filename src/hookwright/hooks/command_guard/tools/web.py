"""Judges WebFetch and WebSearch, and the URLs in arguments of other tools: what leaves with them, where they lead.

A cloud's metadata address answers with the machine's credentials; a key in a URL or in a search is in somebody's log
for good; a collector of requests gets whatever stands behind its name.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.live_keys import find_live_key
from hookwright.hooks.command_guard.own_network import host_of, is_metadata, is_own_network
from hookwright.hooks.command_guard.rule_api import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.command_guard.guard_settings import ToolSettings

METADATA_ID = "metadata-address"
SENT_ID = "secret-in-url"
# Services that show their owner whatever requests arrive.
COLLECTORS = (
    *("webhook.site", "requestbin.com", "requestbin.net", "pipedream.net", "requestcatcher.com", "beeceptor.com"),
    *("interact.sh", "oast.fun", "oast.pro", "oast.live", "oast.site", "oast.online", "oast.me", "oastify.com"),
    *("burpcollaborator.net", "ngrok.io", "ngrok.app", "ngrok-free.app", "ngrok-free.dev", "trycloudflare.com"),
    *("dnslog.cn", "ceye.io", "hookbin.com", "postb.in", "canarytokens.com", "loca.lt", "serveo.net", "bore.pub"),
)
LONG_VALUE = 200  # characters of one encoded value in a query: more than a page needs, enough for a file
ENCODED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=_-%")


def check(settings: ToolSettings, tool: str, given: Mapping[str, Any], cwd: str, mode: str) -> list[Finding]:
    text = given.get("url" if tool == "WebFetch" else "query")
    if not isinstance(text, str) or not text:
        return []
    if tool == "WebFetch":
        return check_url(text, tool)
    kind = find_live_key(text)
    if not kind:
        return []
    found = Finding("deny", f"{tool} would send {kind} to a search engine", "")
    found.rule = SENT_ID
    return [found]


def check_url(url: str, tool: str) -> list[Finding]:
    """The findings on a URL that a tool is about to open."""
    host = host_of(url)
    if is_metadata(host):
        found = Finding(
            "deny",
            f"{tool} would ask {host} for this machine's cloud credentials: they would be in the conversation",
            "",
        )
        found.rule = METADATA_ID
        return [found]
    if is_own_network(host):
        return []
    kind = find_live_key(url)
    if kind:
        found = Finding("deny", f"{tool} would send {kind} to {host}, in the URL", "")
    elif host.endswith(COLLECTORS) and carries_data(url):
        found = Finding("ask", f"{tool} would send data to {host}, which shows its owner every request", "")
    elif has_encoded_value(url):
        found = Finding("ask", f"{tool} would send a long encoded text to {host}, in the URL", "")
    else:
        return []
    found.rule = SENT_ID
    return [found]


def carries_data(url: str) -> bool:
    """A query, or a path besides the collector's own."""
    path, mark, _ = (url.partition("://")[2] or url).partition("?")
    return bool(mark) or path.rstrip("/").count("/") > 1 or host_of(url).count(".") > 2


def has_encoded_value(url: str) -> bool:
    """A value of the query, or a part of the path, that is one long run of base64 or hex."""
    rest = (url.partition("://")[2] or url).partition("/")[2]
    path, _, query = rest.partition("?")
    values = [part.partition("=")[2] or part for part in query.replace(";", "&").split("&")] if query else []
    values += [part for part in path.split("/") if len(part) >= 2 * LONG_VALUE]
    return any(
        len(value) >= LONG_VALUE and ENCODED.issuperset(value) and value.count("-") * 12 < len(value)
        for value in values
    )
