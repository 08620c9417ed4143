"""Mutation testing: changes the code in small ways, one at a time, and lists the changes that no test notices.

python scripts/mutants.py                       the guard's rules, with their EXAMPLES as the oracle
python scripts/mutants.py dispatch merge hooks  these modules, with their own test files as the oracle
    --min 85     exit 1 if a smaller percentage of the rules' mutants is caught
    --only NAME  one file of the scope (a rule's name, a module's name)
    --quiet      totals only, no list of survivors

A mutant is one changed node of the syntax tree: a comparison turned round, `and` for `or`, a negated condition, another
number or string, `return None`, one string less in a tuple or table. Texts for people are left alone, as no verdict
depends on them. Each mutant runs in a forked child that has everything else loaded, so a rule takes milliseconds. The
order is that of the files: two runs give the same list.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.abc
import importlib.util
import os
import signal
import sys
import types
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
GUARD = "hookwright.hooks.command_guard"
# Modules that several rules share: judged by the examples of all rules.
SHARED = ("delete_targets", "delete_searches", "write_targets", "secret_sources")
# Module → the tests that are its oracle.
TESTED = {
    "dispatch": {"hookwright.dispatch": ("tests/test_dispatch.py",)},
    "merge": {"hookwright.engine.merge": ("tests/engine/test_merge.py",)},
    "hooks": {
        f"hookwright.hooks.{name}.hook": (f"tests/hooks/{name}",)
        for name in ("command_guard", "questions", "auto_background", "observer", "stop_guard", "context", "notify")
    },
}
RULE_SECONDS = 10  # a mutant that takes longer hangs, and is caught by that
TEST_SECONDS = 120
# Without assertion rewriting, which would import the package's own modules past ours.
PYTEST = ("-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist")
JOBS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
CAUGHT, SURVIVED = 0, 1  # exit codes of a child


# -- mutants ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """One change of a syntax tree: `apply` makes it, `undo` takes it back."""

    line: int
    kind: str
    what: str
    apply: Callable[[], None]
    undo: Callable[[], None]


SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
SIGNS = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
SPEAKS = frozenset(("deny", "ask", "Finding", "UserError", "BadValue"))  # calls whose strings people read
# Not mutated: examples, and tables of texts for people (what a rule suggests instead).
NOT_CODE = ("EXAMPLES", "ID", "TYPE_CHECKING", "SAFER", "EFFECT", "__all__")


def mutants_of(tree: ast.Module) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its lines."""
    word_tables = {name.id for node in ast.walk(tree) for name in _names_split(node)}
    for statement in tree.body:
        if isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.dump(statement.test):
            continue
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id.startswith(NOT_CODE) for target in statement.targets
        ):
            continue
        yield from _mutants_in(statement)
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Dict):
            named = {target.id for target in statement.targets if isinstance(target, ast.Name)}
            for value in statement.value.values if named & word_tables else ():
                yield from _words(value)


def _names_split(node: ast.AST) -> list[ast.Name]:
    """The names in `TABLE[x].split()`: tables whose values are texts of words."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split"):
        return []
    return [] if node.args else [name for name in ast.walk(node.func.value) if isinstance(name, ast.Name)]


def _mutants_in(node: ast.AST) -> Iterator[Mutant]:
    yield from _mutants_at(node)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns") or (name == "decorator_list"):
            continue
        children = [child for child in (value if isinstance(value, list) else [value]) if isinstance(child, ast.AST)]
        if isinstance(node, ast.Call) and _called(node) in SPEAKS and name in ("args", "keywords"):
            continue
        for child in children:
            if not _is_docstring(node, child):
                yield from _mutants_in(child)


def _mutants_at(node: ast.AST) -> Iterator[Mutant]:
    if isinstance(node, ast.Compare):
        yield from _comparison(node)
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield _change(node, "op", other, "boolean", f"{_sign(node.op)} → {_sign(other)}")
    elif isinstance(node, ast.Return) and not _is_falsy(node.value):
        yield _change(node, "value", ast.Constant(None), "return", f"return None instead of {_short(node.value)}")
    elif isinstance(node, ast.Constant) and isinstance(node.value, (bool, int)):
        new = not node.value if isinstance(node.value, bool) else node.value + 1
        yield _change(node, "value", new, "constant", f"{node.value} → {new}")
    elif isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        yield from _removals(node, "elts", node.elts)
    elif isinstance(node, ast.Call):
        yield from _call(node)
    elif isinstance(node, ast.Dict):
        yield from _table(node)
    for name in ("test", "ifs"):
        yield from _negations(node, name)


def _comparison(node: ast.Compare) -> Iterator[Mutant]:
    for place, op in enumerate(node.ops):
        new = SWAPPED[type(op)]()
        yield _replace(node, node.ops, place, new, "comparison", f"{SIGNS[type(op)]} → {SIGNS[type(new)]}")
    for one in (node.left, *node.comparators):
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value:
            yield _change(one, "value", one.value + "\0", "constant", f"{one.value!r} → another string")


def _negations(node: ast.AST, name: str) -> Iterator[Mutant]:
    """Negated conditions; a plain comparison has been turned round already."""
    value = getattr(node, name, None)
    tests = value if isinstance(value, list) else [value] if isinstance(value, ast.expr) else []
    for place, test in enumerate(tests):
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            continue
        new = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else _negated(test)
        what = f"condition negated: {_short(test)}"
        if isinstance(value, list):
            yield _replace(node, value, place, new, "condition", what)
        else:
            yield _change(node, name, new, "condition", what)


def _negated(test: ast.expr) -> ast.expr:
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


def _call(node: ast.Call) -> Iterator[Mutant]:
    """One string less of several arguments, and one word less of a table that is written as one text."""
    if _called(node) in SPEAKS:
        return
    strings = [arg for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    if len(strings) == len(node.args) and len(strings) > 1:
        yield from _removals(node, "args", node.args)
    if isinstance(node.func, ast.Attribute) and node.func.attr == "split" and not node.args:
        yield from _words(node.func.value)


def _table(node: ast.Dict) -> Iterator[Mutant]:
    """One entry less."""
    for place, key in enumerate(node.keys):
        if not isinstance(key, ast.Constant):
            continue
        kept = [(k, v) for at, (k, v) in enumerate(zip(node.keys, node.values, strict=True)) if at != place]
        yield _set(
            node, {"keys": [k for k, _ in kept], "values": [v for _, v in kept]}, "table", f"without {key.value!r}"
        )


def _words(text: ast.expr) -> Iterator[Mutant]:
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        return
    words = text.value.split()
    for place, word in enumerate(words if len(words) > 1 else ()):
        rest = " ".join(words[:place] + words[place + 1 :])
        yield _change(text, "value", rest, "table", f"without {word!r}")


def _removals(node: ast.AST, name: str, elements: list[ast.expr]) -> Iterator[Mutant]:
    for place, element in enumerate(elements):
        if isinstance(element, ast.Constant) and isinstance(element.value, str):
            rest = elements[:place] + elements[place + 1 :]
            if isinstance(node, ast.Set) and not rest:
                continue
            yield _change(node, name, rest, "table", f"without {element.value!r}", line=element.lineno)


def _change(node: Any, name: str, new: Any, kind: str, what: str, line: int = 0) -> Mutant:
    return _set(node, {name: new}, kind, what, line)


def _set(node: Any, new: dict[str, Any], kind: str, what: str, line: int = 0) -> Mutant:
    old = {name: getattr(node, name) for name in new}

    def put(values: dict[str, Any]) -> None:
        for name, value in values.items():
            setattr(node, name, value)
            if isinstance(value, ast.AST):
                ast.copy_location(value, node)

    return Mutant(line or node.lineno, kind, what, lambda: put(new), lambda: put(old))


def _replace(node: Any, items: list[Any], place: int, new: ast.AST, kind: str, what: str) -> Mutant:
    old = items[place]
    line = getattr(node, "lineno", None) or getattr(old, "lineno", 0)

    def put(value: ast.AST) -> None:
        items[place] = value

    return Mutant(line, kind, what, lambda: put(new), lambda: put(old))


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _is_falsy(node: ast.expr | None) -> bool:
    """Nothing, or an empty value that `None` is as good as where truth is asked for."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return not node.elts
    return node is None or (isinstance(node, ast.Constant) and not node.value)


def _is_docstring(parent: ast.AST, child: ast.AST) -> bool:
    return (
        isinstance(child, ast.Expr)
        and isinstance(child.value, ast.Constant)
        and isinstance(parent, (ast.FunctionDef, ast.ClassDef))
    )


def _sign(op: ast.boolop) -> str:
    return "and" if isinstance(op, ast.And) else "or"


def _short(node: ast.AST | None) -> str:
    text = ast.unparse(node) if node is not None else ""
    return text if len(text) <= 60 else text[:57] + "…"


# -- running ---------------------------------------------------------------------------------------------------------


@dataclass
class Result:
    """What became of a module's mutants."""

    module: str
    mutants: list[Mutant]
    survivors: list[Mutant]

    @property
    def caught(self) -> int:
        return len(self.mutants) - len(self.survivors)


def run_module(module: str, judge: Callable[[types.CodeType], bool], seconds: int) -> Result:
    """Every mutant of a module in a forked child each; `judge` says there whether the mutant is noticed."""
    path = path_of(module)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    every = list(mutants_of(tree))
    running: dict[int, Mutant] = {}
    survivors: list[Mutant] = []
    if _finish(_start(compile(tree, str(path), "exec"), judge, seconds)) != SURVIVED:
        sys.exit(f"{module}: its tests fail without any change")
    if _finish(_start(compile("raise RuntimeError", str(path), "exec"), judge, seconds)) != CAUGHT:
        sys.exit(f"{module}: its tests do not load the changed module")

    def wait_for_one() -> None:
        child, status = os.wait()
        mutant = running.pop(child)
        if os.waitstatus_to_exitcode(status) == SURVIVED:
            survivors.append(mutant)

    sys.stdout.flush()
    for mutant in every:
        mutant.apply()
        try:
            code = compile(ast.fix_missing_locations(tree), str(path), "exec")
        finally:
            mutant.undo()
        if len(running) >= JOBS:
            wait_for_one()
        running[_start(code, judge, seconds)] = mutant
    while running:
        wait_for_one()
    order = {id(mutant): place for place, mutant in enumerate(every)}
    return Result(module, every, sorted(survivors, key=lambda mutant: order[id(mutant)]))


def _start(code: types.CodeType, judge: Callable[[types.CodeType], bool], seconds: int) -> int:
    child = os.fork()
    if child:
        return child
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # ends the child: a mutant that hangs is caught
    signal.alarm(seconds)
    status = CAUGHT
    try:
        status = CAUGHT if judge(code) else SURVIVED
    except BaseException:  # noqa: BLE001  whatever a mutant raises, it is noticed
        status = CAUGHT
    finally:
        os._exit(status)


def _finish(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def path_of(module: str) -> Path:
    return SRC / (module.replace(".", "/") + ".py")


# -- oracles ---------------------------------------------------------------------------------------------------------


class Examples:
    """The EXAMPLES of all rules: command, verdict, the id of the rule that has it, and the rules that look at it."""

    def __init__(self) -> None:
        from hookwright.hooks.command_guard import evaluate, rule_catalogue  # noqa: PLC0415

        self.rows: list[tuple[str, str | None, str, frozenset[str]]] = []
        asked: set[str] = set()
        load = evaluate.load_rule

        def recording(name: str) -> Any:
            asked.add(name)
            return load(name)

        evaluate.load_rule = recording
        for rule in rule_catalogue.load_rules().values():
            for command, verdict in rule_catalogue.expand_examples(rule).items():
                asked.clear()
                if not kept(command, verdict, rule.ID):
                    sys.exit(f"{rule.ID}: {command!r} is not judged as its example says; run the tests first")
                self.rows.append((command, verdict, rule.ID, frozenset(asked)))
        evaluate.load_rule = load

    def notice(self, rule: str = "") -> bool:
        """Whether one of the examples that this rule looks at (no name: of all) is judged otherwise."""
        own = rule.replace("_", "-")
        rows = [row for row in self.rows if not rule or rule in row[3]]
        rows.sort(key=lambda row: row[2] != own)  # its own first: most mutants end there
        return not all(kept(command, verdict, name) for command, verdict, name, _ in rows)


def kept(command: str, verdict: str | None, rule: str) -> bool:
    """What tests/hooks/command_guard/test_rules.py asserts of an example."""
    from hookwright.hooks.command_guard.evaluate import judge  # noqa: PLC0415
    from hookwright.shell.command import Command  # noqa: PLC0415

    findings = judge(Command(command))
    if (findings[0].verdict if findings else None) != verdict:
        return False
    if not findings:
        return True
    return findings[0].rule == rule and not any(not one.instead or judge(Command(one.instead)) for one in findings)


def run_rules(only: str) -> Iterator[Result]:
    from hookwright.hooks.command_guard import rules  # noqa: PLC0415

    examples = Examples()
    for path in sorted(Path(rules.__path__[0]).glob("*.py")):
        if path.stem == "__init__" or (only and path.stem != only):
            continue
        module = f"{GUARD}.rules.{path.stem}"

        def judge(code: types.CodeType, module: str = module, name: str = path.stem) -> bool:
            _execute(module, code)  # rules are imported by name and by nobody else
            return examples.notice(name)

        yield run_module(module, judge, RULE_SECONDS)
    for name in SHARED:
        if only and name != only:
            continue
        module = f"{GUARD}.{name}"

        def judge_shared(code: types.CodeType, module: str = module) -> bool:
            for loaded in [loaded for loaded in sys.modules if loaded.startswith(f"{GUARD}.rules.")]:
                del sys.modules[loaded]
            for other in SHARED:
                sys.modules.pop(f"{GUARD}.{other}", None)
            _execute(module, code)
            return examples.notice()

        yield run_module(module, judge_shared, RULE_SECONDS)


def _execute(module: str, code: types.CodeType) -> None:
    made = types.ModuleType(module)
    made.__file__ = str(path_of(module))
    sys.modules[module] = made
    exec(code, made.__dict__)  # noqa: S102  our own code, changed


class _Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module in its mutated form."""

    def __init__(self, module: str, code: types.CodeType) -> None:
        self.module, self.code = module, code

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        return importlib.util.spec_from_loader(name, self, origin=str(path_of(name))) if name == self.module else None

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        exec(self.code, module.__dict__)  # noqa: S102  our own code, changed


def run_tested(scope: str, only: str) -> Iterator[Result]:
    import pytest  # noqa: PLC0415  loaded once, before the forks

    os.chdir(ROOT)
    for module, tests in TESTED[scope].items():
        if only and only not in module.split("."):
            continue

        def judge(code: types.CodeType, module: str = module, tests: tuple[str, ...] = tests) -> bool:
            os.setsid()
            sys.meta_path.insert(0, _Mutated(module, code))
            nothing = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(nothing, descriptor)
            return pytest.main([*PYTEST, *tests]) != pytest.ExitCode.OK

        yield run_module(module, judge, TEST_SECONDS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scope", nargs="*", choices=["rules", *TESTED], default="rules")
    parser.add_argument("--min", type=float, default=0.0, dest="least", metavar="PERCENT")
    parser.add_argument("--only", default="", metavar="NAME")
    parser.add_argument("--quiet", action="store_true")
    args = parser.parse_args()
    sys.path.insert(0, str(SRC))
    status = 0
    for scope in [args.scope] if isinstance(args.scope, str) else args.scope:
        results = []
        for result in run_rules(args.only) if scope == "rules" else run_tested(scope, args.only):
            results.append(result)
            show(result, quiet=args.quiet)
        share = sum_up(scope, results)
        if scope == "rules" and share < args.least:
            print(f"fewer than {args.least:g} % of the rules' mutants are caught")
            status = 1
    return status


def show(result: Result, *, quiet: bool) -> None:
    name = result.module.rpartition(".")[2] if ".rules." in result.module else result.module.removeprefix("hookwright.")
    print(f"{name:40} {result.caught:5} of {len(result.mutants):5} caught", flush=True)
    for mutant in () if quiet else result.survivors:
        print(f"    {path_of(result.module).relative_to(ROOT)}:{mutant.line}: {mutant.kind}: {mutant.what}")


def sum_up(scope: str, results: list[Result]) -> float:
    every = Counter(mutant.kind for result in results for mutant in result.mutants)
    left = Counter(mutant.kind for result in results for mutant in result.survivors)
    for kind, number in sorted(every.items()):
        print(
            f"{scope}: {kind:12} {number - left[kind]:5} of {number:5} caught, {100 * (1 - left[kind] / number):.1f} %"
        )
    total = every.total()
    share = 100 * (1 - left.total() / total) if total else 100.0
    print(f"{scope}: {total - left.total()} of {total} mutants caught, {share:.1f} %")
    return share


if __name__ == "__main__":
    sys.exit(main())
