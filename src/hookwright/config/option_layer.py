"""One configuration file's table → option values, with every problem named: what, where, what to try.

table → [OptionLayer.apply_table] → ResolvedOptions, layer over layer
A value that cannot be used costs that value only. Cold: runs when a source changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from hookwright.config.builtin_hooks import FORMER_SECTIONS
from hookwright.config.hook_spec import HookSpec
from hookwright.errors import UserError
from hookwright.options import BadValue, is_tighter, raise_to_floor, show_value, validate_option

CHECK = "hookwright config check"
TRUST = "hookwright trust"
MOST_PROBLEMS = 20  # of one file that are named; finding the line and a similar name takes time for each
MOST_CHARS = 300  # of one problem


@dataclass(frozen=True)
class OptionValue:
    """An option's value and the layer it comes from: built-in, user, project, here or policy."""

    value: Any
    origin: str


@dataclass
class ResolvedOptions:
    """All options of all hooks, and the problems found."""

    values: dict[str, dict[str, OptionValue]]
    problems: list[UserError] = field(default_factory=list)
    notes: list[UserError] = field(default_factory=list)  # deprecated spellings: shown by `config check` only
    broken: bool = False  # the user's own file did not parse


@dataclass(frozen=True)
class OptionLayer:
    """A file's place among the others. `is_floor`: of several such files the tightest value counts."""

    path: str
    text: str
    origin: str
    only_tighter: bool = False
    is_floor: bool = False
    check: str = CHECK  # what to try where nothing better is known
    left_out: list[str] = field(default_factory=list)  # problems above MOST_PROBLEMS

    def apply_table(self, table: Mapping[str, Any], hooks: list[HookSpec], result: ResolvedOptions) -> None:
        by_section = {hook.section: hook for hook in hooks}
        former = {old: by_section[new] for old, new in FORMER_SECTIONS.items() if new in by_section}
        # Where both names are there, the former one comes first: an option has the value under the present name.
        for section in sorted(table, key=lambda name: name not in former or former[name].section not in table):
            values = table[section]
            hook = by_section.get(section) or former.get(section)
            if hook is not None and section not in by_section:
                what = f"[{section}] is the former name of [{hook.section}]"
                result.notes.append(self._locate(what, section, "", f"write [{hook.section}]"))
            if hook is None:
                names = {h.name: h.section for h in hooks} | {s: s for s in by_section}
                names |= {old: h.section for old, h in former.items()}
                self._add_problem(result, f"unknown section [{section}]", section, "", names)
            elif not isinstance(values, dict):
                self._add_problem(
                    result,
                    f"{section} must be a table, got {show_value(values)}",
                    section,
                    "",
                    f"write [{hook.section}]",
                )
            else:
                self._apply_section(hook, section, values, result)
        if self.left_out:
            what = f"{len(self.left_out)} more problems in this file"
            result.problems.append(UserError(what, where=self.path, fix=self.check))

    def _apply_section(self, hook: HookSpec, section: str, values: Mapping[str, Any], result: ResolvedOptions) -> None:
        for name, raw in values.items():
            option = hook.options.get(name)
            if option is None:
                known = {known: known for known in hook.options}
                self._add_problem(result, f"[{section}] has no option {name}", section, name, known)
                continue
            try:
                value = validate_option(option, _plain_value(raw))
            except BadValue as error:
                self._add_problem(result, f"{section}.{name} {error}", section, name, option.help)
                continue
            except Exception as error:  # noqa: BLE001  whatever a stranger wrote costs this value only
                what = f"{section}.{name} cannot be used: {type(error).__name__}: {error}"
                self._add_problem(result, what, section, name, option.help)
                continue
            former = result.values[hook.name][name]
            old = former.value
            if option.adds:
                value = (*old, *value)
            elif self.is_floor and former.origin == self.origin and option.tighter is not None:
                value = raise_to_floor(option.tighter, old, value)
            if self.only_tighter and not is_tighter(option.tighter, old, value):
                what = f"{section}.{name} is ignored: an untrusted project can only make settings stricter"
                self._add_problem(result, what, section, name, TRUST)
                continue
            result.values[hook.name][name] = OptionValue(value, self.origin)

    def _add_problem(
        self, result: ResolvedOptions, what: str, section: str, name: str, fix: str | Mapping[str, str]
    ) -> None:
        """`fix`: what to try, or the names of which one may be meant."""
        if sum(problem.where.startswith(self.path) for problem in result.problems) >= MOST_PROBLEMS:
            self.left_out.append(name or section)
            return
        if not isinstance(fix, str):
            fix = _suggest_name(name or section, fix)
        result.problems.append(self._locate(clip_text(what), section, name, fix or self.check))

    def _locate(self, what: str, section: str, name: str, fix: str) -> UserError:
        line = _find_line(self.text, section, name)
        return UserError(what, where=f"{self.path}:{line}" if line else self.path, fix=fix)


def clip_text(text: str) -> str:
    """A problem in one short line without control characters: its words may be a stranger's."""
    text = "".join([c if c.isprintable() else f"\\x{ord(c):02x}" for c in text[:MOST_CHARS]])
    return text if len(text) < MOST_CHARS else text[: MOST_CHARS - 1] + "…"


def _plain_value(value: Any) -> Any:
    """TOML's dates as text, so that a plan is plain data."""
    if isinstance(value, dict):
        return {key: _plain_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain_value(item) for item in value]
    return value if isinstance(value, (str, int, float, bool)) else value.isoformat()


def _suggest_name(word: str, names: Mapping[str, str]) -> str:
    if word in names and names[word] != word:
        return f"write [{names[word]}]"
    close = get_close_matches(word[:64], names, n=1)
    return f"did you mean {names[close[0]]}?" if close else ""


def _find_line(text: str, section: str, name: str) -> int:
    """The line of a key, as near as a reader needs it; 0 if it is not found."""
    inside = False
    section_line = 0
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            inside = stripped.strip("[] \t").split("#")[0].strip("[] \t") in (section, f"{section}.{name}")
            if inside:
                section_line = section_line or number
                if not name or stripped.strip("[] \t") == f"{section}.{name}":
                    return number
        key = stripped.split("=")[0].strip()
        if (inside and key == name) or key in (section, f"{section}.{name}"):
            return number
    return section_line
