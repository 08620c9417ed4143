"""Model and data platforms: training, serving and pipelines by their own command lines.

The programs and their tables are in models.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs import has_quick_verb, look_up_verb
from hookwright.shell.programs.models_table import VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_platform(call: Call) -> Row | None:
    """modal, sky, bentoml, trl, meltano, feast, …: by the verb."""
    if call.has_flag("--detach", "-d", "--detach-run", "--down-detach"):
        return "none", "job", "goes to the background by itself"
    return None if has_quick_verb(call) else look_up_verb(call, VERBS)
