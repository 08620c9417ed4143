"""The administrator's policy: a floor under what users, projects and the environment may set.

built-in < user < project < here < environment < policy
files of /etc/hookwright → [load_policy] → Policy → [raise_values] in the compiler, rows' floors in the plan → dispatch
A policy with a problem is not taken over: the last good one stays in force, and where there is none, what is right in
it. Speaks about the built-in hooks and [hooks] only. Cold: runs when a source changed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from hookwright.config.hook_spec import HookSpec
from hookwright.config.option_layer import OptionLayer, OptionValue, ResolvedOptions
from hookwright.config.policy_files import (
    CHECK,
    PolicyFile,
    read_last_good,
    read_policy_files,
    write_last_good,
)
from hookwright.errors import UserError
from hookwright.options import Option, raise_to_floor, show_value

if TYPE_CHECKING:
    from hookwright.config.config_files import Stamp

ORIGIN = "policy"
COMMANDS = "hooks"  # the section of commands as hooks
GUARD = "command_guard"
GUARD_SECTIONS = (GUARD, "guard")
LOOSENING = ("off", "ask", "free_paths", "exceptions")  # options of the guard that let more pass
EXCEPTIONS = ("user", "none")  # whose exceptions count besides the policy's own


@dataclass(frozen=True)
class Policy:
    """The policy that is in force, and what is wrong with its files."""

    source: str = ""  # the directory or file that was looked at
    revision: str | None = None  # None: no policy is in force
    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # hook → option → the least that counts
    user_exceptions: bool = False
    files: tuple[str, ...] = ()  # that are there
    problems: tuple[UserError, ...] = ()
    stamps: tuple[Stamp, ...] = ()
    origin: str = "files"  # or "last good", or "sound parts"

    def raise_values(self, hooks: list[HookSpec], result: ResolvedOptions) -> None:
        """Raise what the other layers say to the policy's values."""
        for hook in hooks:
            values = result.values[hook.name]
            for name, floor in self.values.get(hook.name, {}).items():
                option, old = hook.options[name], values[name].value
                new = floor if self._is_fixed(hook.name, name) else _combine(option, floor, old)
                if new != old:
                    values[name] = OptionValue(new, ORIGIN)

    def floor_of(self, hook: str) -> dict[str, Any]:
        """The options of this hook that the environment cannot lower. A list that only loosens may become shorter."""
        held = self.holds_exceptions and hook == GUARD
        return {name: value for name, value in self.values.get(hook, {}).items() if name not in LOOSENING or held}

    @property
    def commands(self) -> tuple[Mapping[str, Any], ...]:
        """The policy's own commands as hooks, for everybody."""
        found: tuple[Mapping[str, Any], ...] = self.values.get(COMMANDS, {}).get("command", ())
        return found

    def hold_modes(self, hooks: list[HookSpec]) -> Policy:
        """This policy with the modes of its own command hooks as floors."""
        modes = {hook.name: {"mode": hook.options["mode"].default} for hook in hooks}
        return replace(self, values={**self.values, **modes}) if modes else self

    @property
    def holds_exceptions(self) -> bool:
        """True if the guard is on by policy and users' exceptions to its rules do not count."""
        return self.values.get(GUARD, {}).get("mode") == "on" and not self.user_exceptions

    def _is_fixed(self, hook: str, name: str) -> bool:
        return hook == GUARD and name in LOOSENING and self.holds_exceptions


NO_POLICY = Policy()


def _combine(option: Option, floor: Any, value: Any) -> Any:
    """The value that counts. Lists without a direction are joined, the policy's items first."""
    if option.adds and option.tighter is None:
        return (*floor, *(item for item in value if item not in floor))
    return raise_to_floor(option.tighter, floor, value)


def load_policy(source: str, kept: str, hooks: list[HookSpec]) -> Policy:
    """The policy in force. `hooks`: those it may speak about; `kept`: where the last good copy is, "" if nowhere."""
    found = read_policy_files(source)
    if not found.found and not found.problems:
        return Policy(source, stamps=found.stamps)
    policy, problems = resolve_policy(found.files, hooks)
    problems = [*found.problems, *problems]
    origin, revision = "files", policy.revision
    if problems:
        policy, origin = _find_substitute(policy, read_last_good(kept, source) if kept else [], hooks)
        revision = f"{policy.revision}~partial" if origin == "sound parts" else policy.revision
        problems.append(UserError(_describe_substitute(origin, revision), where=source, fix=CHECK))
    return Policy(
        source,
        revision,
        policy.values,
        policy.user_exceptions,
        tuple(found.found),
        tuple(problems),
        found.stamps,
        origin,
    )


def keep_last_good(source: str, kept: str, hooks: list[HookSpec]) -> None:
    """Keep a copy of the policy as it is now, if nothing is wrong with it."""
    found = read_policy_files(source)
    if found.files and not found.problems and not resolve_policy(found.files, hooks)[1]:
        write_last_good(kept, source, found.files)


def _find_substitute(sound: Policy, last: list[PolicyFile], hooks: list[HookSpec]) -> tuple[Policy, str]:
    former, problems = resolve_policy(last, hooks) if last else (None, [])
    if former is not None and not problems:
        return former, "last good"
    return sound, "sound parts" if sound.revision else "none"


def _describe_substitute(origin: str, revision: str | None) -> str:
    if origin == "last good":
        return f"the policy has a problem and is not taken over: the one before it, {revision}, stays in force"
    if origin == "sound parts":
        return "the policy has a problem, and no earlier one is known: what is right in it is in force"
    return "the policy has a problem, and no earlier one is known: no policy is in force"


def resolve_policy(files: list[PolicyFile], hooks: list[HookSpec]) -> tuple[Policy, list[UserError]]:
    """What these files say together: the tightest value of each option. And what is wrong with them."""
    result = ResolvedOptions(
        {
            hook.name: {name: OptionValue(option.default, "built-in") for name, option in hook.options.items()}
            for hook in hooks
        }
    )
    named, exceptions, guards = "", set(), False
    for file in files:
        table = dict(file.table)
        layer = OptionLayer(file.path, file.text, ORIGIN, is_floor=True, check=CHECK)
        if "revision" in table:
            named = _read_word(layer, "revision", table.pop("revision"), result) or named
        if "exceptions" in table:
            exceptions.add(_read_word(layer, "exceptions", table.pop("exceptions"), result, EXCEPTIONS))
        for section in GUARD_SECTIONS:
            values = table.get(section)
            guards = guards or isinstance(values, dict)
            if isinstance(values, dict) and isinstance(values.get("exceptions"), str):
                table[section] = {name: value for name, value in values.items() if name != "exceptions"}
                exceptions.add(_read_word(layer, "exceptions", values["exceptions"], result, EXCEPTIONS))
        layer.apply_table(table, hooks, result)
    values = {
        hook: {name: row.value for name, row in rows.items() if row.origin == ORIGIN}
        for hook, rows in result.values.items()
    }
    values = {hook: rows for hook, rows in values.items() if rows}
    if guards:
        values[GUARD] = {"mode": "on", **dict.fromkeys(LOOSENING, ()), **values.get(GUARD, {})}
    user_exceptions = "user" in exceptions and "none" not in exceptions
    policy = Policy(revision=_build_revision(named, files), values=values, user_exceptions=user_exceptions)
    return policy, result.problems


def _build_revision(named: str, files: list[PolicyFile]) -> str | None:
    if not files:
        return None
    content = json.dumps([file.table for file in files], sort_keys=True, default=str)
    digest = sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{named}+{digest}" if named else digest


def _read_word(
    layer: OptionLayer, name: str, value: Any, result: ResolvedOptions, choices: tuple[str, ...] = ()
) -> str:
    """A text of the policy's own keys; "" and a problem if it is something else."""
    if isinstance(value, str) and (value in choices if choices else 0 < len(value) <= 64 and value.isprintable()):
        return value
    wanted = " or ".join(choices) if choices else "a text of at most 64 letters"
    what = f"{name} must be {wanted}, got {show_value(value)}"
    result.problems.append(UserError(what, where=layer.path, fix=CHECK))
    return ""


def matches_revision(policy: Policy, wanted: str) -> bool:
    """True if this very policy is in force: its revision, the name in it or the checksum in it."""
    if policy.revision is None or policy.origin == "sound parts":
        return False
    name, _, digest = policy.revision.rpartition("+")
    return wanted in (policy.revision, digest, name or digest)
