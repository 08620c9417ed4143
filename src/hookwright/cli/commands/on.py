"""hookwright on: see mode_command."""

from __future__ import annotations

from hookwright.cli.mode_command import build_mode_command

command = build_mode_command("on")
