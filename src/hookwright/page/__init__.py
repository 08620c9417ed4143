"""The local page of `hookwright open`: what happened and why, live, for one person on this machine.

browser → server (loopback, token, host check) → api → store.page_queries → ledger.db, read-only
journal bytes → live → server-sent events → browser
"""
