"""Claude Code's words: events, tool inputs, decisions and their wire form.

Pure, and knows nothing of hookwright. `protocol.json` holds what was measured on the real
client; `legal.py` is made from it.
"""
