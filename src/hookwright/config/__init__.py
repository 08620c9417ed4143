"""Configuration compiled to what the door needs: which hooks, in which order, with which options.

config.toml, .hookwright.toml → [compile] → plan file → [read] → dispatch
"""
