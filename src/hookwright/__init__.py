"""hookwright: hooks for Claude Code that are fast, proven and explained."""
