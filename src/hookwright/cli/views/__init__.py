"""Render results for people: trees, tables, traces."""
