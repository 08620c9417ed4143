"""Approve calls that are proven to read only (opt-in)."""
