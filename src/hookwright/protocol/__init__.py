"""Claude Code's hook protocol: events, tool inputs, decisions, and their JSON form.

Pure: imports nothing of hookwright above it. `protocol.json` holds what was measured on the real client;
`capabilities.py` is generated from it, and tests compare the event and tool classes with it.
"""
