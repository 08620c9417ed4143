"""Python's package managers: pip, uv, poetry, pdm, pipenv, conda and their kin.

The programs and their tables are in python_packages.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs import look_up_verb
from hookwright.shell.programs.python_packages_table import CONDA, RESOLVES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_conda(call: Call) -> Row | None:
    row = look_up_verb(call, CONDA, "-n", "--name", "-p", "--prefix", "-f", "--file", "-c", "--channel")
    if row is RESOLVES and call.verb == "clean":
        return None
    if row is not None and call.has_flag("--dry-run", "-d"):
        return "suggest", "check", "solves the whole environment, even in a dry run"
    return row
