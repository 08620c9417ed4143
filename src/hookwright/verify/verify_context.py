"""The input of a verification: the project, its environment, and what hookwright would register there.

cli → [VerifyContext] → verify_hooks, check_ours
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hookwright.errors import UserError
from hookwright.settings.change import Change
from hookwright.settings.installed_client import SessionClient
from hookwright.settings.mods import Mod


@dataclass(frozen=True)
class VerifyContext:
    project: str
    environment: Mapping[str, str]
    hooks: Sequence[str]  # every hook that exists
    enabled: Sequence[str]  # those that are registered or would be
    provable: Sequence[str]  # those that, as configured, answer as our proofs expect
    needs: Mapping[str, Sequence[str]]  # event → hooks that are on in this project and listen to it
    argv: Sequence[str]  # the command that this hookwright registers
    plans: Sequence[tuple[str, Change | UserError]]  # scope → what `install` would change in the file that has us
    problems: Sequence[UserError] = ()  # of hookwright's own configuration
    start_third_party: bool = False  # also start hooks of other tools
    max_wait_s: float = 30.0
    client: SessionClient = field(default_factory=SessionClient)
    mods: Sequence[Mod] = ()
