"""Hooks written by users: Python files, hooks of installed packages, commands. Loaded only if an event has one."""
