"""Configuration, compiled into the plan of the hook process: which hooks, in which order, with which options.

config.toml, .hookwright.toml → compiler → plan file → plan_cache → dispatch
"""
