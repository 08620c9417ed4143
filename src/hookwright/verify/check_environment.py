"""What environment variables make of the options, and which of them loosen: of the shell and of every settings file.

settings files, environment → [inspect_environment] → effective values, findings `environment-loosens`
The same rule as in the hook process (config/project_env.py): what a project sets may only tighten.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hookwright.config.compiler import list_variables
from hookwright.config.hook_spec import HookSpec
from hookwright.config.policy import Policy
from hookwright.config.project_env import PLACES, is_ours, why_not_own
from hookwright.options import BadValue, is_tighter, parse_env_value, raise_to_floor, show_value
from hookwright.settings.client_validation import Kind
from hookwright.settings.find import Source, read_json_object
from hookwright.settings.findings import Effect, Finding

CODE = "environment-loosens"
OF_PROJECT = ("project", "local")
GUARD = "command_guard"  # each of its options without a tighter direction loosens


@dataclass(frozen=True)
class Layer:
    """Variables of one place; a later layer wins."""

    scope: str
    where: str
    env: Mapping[str, str]

    @property
    def of_project(self) -> bool:
        return self.scope in OF_PROJECT


@dataclass
class EnvironmentReport:
    """`values`: (hook, option) → the value in a session here; `origins`: the variable that set it, where one did."""

    values: dict[tuple[str, str], Any]
    origins: dict[tuple[str, str], str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def list_layers(sources: Sequence[Source], environment: Mapping[str, str]) -> list[Layer]:
    """The shell's variables, then `env` of each settings file, in the order in which the client applies them."""
    layers = [Layer("environment", "environment", environment)]
    for source in reversed(sources):
        env = read_json_object(source.path).get("env") if source.kind is Kind.SETTINGS else None
        if isinstance(env, dict):
            layers.append(Layer(source.scope, source.path, {name: str(value) for name, value in env.items()}))
    return layers


def inspect_environment(
    hooks: Sequence[HookSpec],
    values: Mapping[str, Mapping[str, Any]],
    layers: Sequence[Layer],
    policy: Policy,
    project: str,
    home: str,
) -> EnvironmentReport:
    """`values`: hook → option → its value by the configuration files. Nothing goes below the policy."""
    report = EnvironmentReport(
        {(hook.name, name): values[hook.name][name].value for hook in hooks for name in hook.options}
    )
    options = {row[0] for hook in hooks for row in list_variables(hook)}
    for layer in layers:
        for hook in hooks:
            _apply_layer(hook, layer, policy.floor_of(hook.name), report)
        for name, value in layer.env.items():
            if name in options or not is_ours(name):
                continue
            if layer.of_project:
                _add(report, layer, f"{name} is left out: a project may not set it")
            elif name in PLACES and value:
                why = why_not_own(value.rstrip("/") + PLACES[name], project, home)
                if why:
                    _add(report, layer, f"{name} is left out: {why}")
    return report


def _apply_layer(hook: HookSpec, layer: Layer, floor: Mapping[str, Any], report: EnvironmentReport) -> None:
    for variable, name, wanted, tighter in _read_variables(hook, layer.env):
        key = (hook.name, name)
        value = raise_to_floor(tighter, floor[name], wanted) if name in floor else wanted
        old = report.values[key]
        loosens = not is_tighter(tighter, old, value)
        change = f"{hook.section}.{name} from {show_value(old)} to {show_value(value)}"
        if layer.of_project and loosens:
            _add(report, layer, f"{variable} is left out: it would change {change}, and a project may only tighten")
            continue
        if loosens and (tighter is not None or hook.name == GUARD):
            finding = Finding(CODE, f"{variable} loosens {change}", layer.where, f"unset {variable}", Effect.CHOSEN)
            report.findings.append(finding)
        report.values[key] = value
        report.origins[key] = variable


def _read_variables(hook: HookSpec, env: Mapping[str, str]) -> Iterator[tuple[str, str, Any, Any]]:
    """Variable, option, value and what is tighter, for each that is set to something usable."""
    for variable, name, kind, choices, spelling, tighter, _ in list_variables(hook):
        text = env.get(variable)
        if text is None:
            continue
        if spelling is not None:
            if text.strip().lower() in spelling:
                yield variable, name, spelling[text.strip().lower()], tighter
            continue
        try:
            yield variable, name, parse_env_value(kind, choices, text), tighter
        except BadValue:
            continue


def _add(report: EnvironmentReport, layer: Layer, what: str) -> None:
    fix = f'remove {what.partition(" ")[0]} from "env"' if layer.of_project else f"unset {what.partition(' ')[0]}"
    report.findings.append(Finding(CODE, what, layer.where, fix))
