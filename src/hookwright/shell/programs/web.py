"""Web and app frameworks with their own subcommands: vite, next, nuxt, astro, ng, expo, storybook, …

The programs and their tables are in web.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs import look_up_verb
from hookwright.shell.programs.web_table import BARE, OWN, TESTS, VERBS, WATCHES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_framework(call: Call) -> Row | None:
    program = call.program
    operands = call.operands("-p", "--port", "-H", "--host", "--hostname", "-c", "--config", "--mode", "-m", "--base")
    if call.has_flag("--watch", "-w"):
        return WATCHES
    if not operands:
        return BARE.get(program)
    verb = operands[0]
    key = program + " " + verb
    if key in OWN:
        row = OWN[key]
        if row is not None and row[0] == "force" and row[1] == "test" and disables_watch(call):
            return TESTS
        return row
    if program == "cap" and operands[-1].partition(":")[0] == "deploy":
        return "force", "infra", "deploys"  # Capistrano's, not Capacitor's
    if program in BARE and verb not in VERBS:
        return BARE[program]  # `vite ./site`: a folder
    row = look_up_verb(call, VERBS) or VERBS.get(verb.rpartition(":")[2])
    if row is TESTS:
        from hookwright.shell.programs.tests import names_few_tests

        return (
            ("none", "test", "runs one test or file")
            if names_few_tests(operands[1:]) or names_few_tests(call.args)
            else row
        )
    return row


def disables_watch(call: Call) -> bool:
    """`--watch=false`, `--no-watch`, `--watchAll=false`, CI."""
    return "CI" in call.env or any(
        word in {"--watch=false", "--no-watch", "--watchAll=false", "--run", "--single-run"} for word in call.args
    )
