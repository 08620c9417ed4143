"""Load a user hook from its row of the plan: its code, its helpers, its libraries.

row → [load_hook] → an instance with its own copy of the world
The code of a file is in the plan, compiled when the file was checked: a later change of the file does not run.
"""

from __future__ import annotations

import marshal
import sys

from hookwright.hooks.base import World
from hookwright.hooks.environment import Environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.base import Hook

PACKAGE = "hookwright_user"


def load_hook(row: Mapping[str, Any], world: World, options: Mapping[str, Any]) -> Hook:
    for path in row["paths"]:  # after the standard library, which a package can therefore not replace
        if path not in sys.path:
            sys.path.append(path)
    made: Hook = _load_class(row)(copy_world(world), **options)
    return made


def copy_world(world: World) -> World:
    """A copy that the user hook may modify."""
    copy = World(
        Environment(world.env, world.names),
        now=world.now,
        home=world.home,
        state=world.state,
        cache=world.cache,
        project=world.project,
        names=world.names,
    )
    copy.said = list(world.said)
    return copy


def _load_class(row: Mapping[str, Any]) -> type[Hook]:
    if row["module"]:
        found: Any = __import__(row["module"], None, None, ("*",))
        for name in row["class"].split("."):
            found = getattr(found, name)
        return found  # type: ignore[no-any-return]
    if row["helpers"]:
        from hookwright.config.helper_modules import HelperFinder  # noqa: PLC0415  few folders have any

        for name in row["helpers"]:  # left by a hook of another directory that ran in this process
            sys.modules.pop(name, None)
        finder: Any = HelperFinder(row["helpers"])
        sys.meta_path[:] = [finder, *(other for other in sys.meta_path if not isinstance(other, HelperFinder))]
    file = row["file"]
    name = f"{PACKAGE}.{file[file.rfind('/') + 1 : -3]}"
    module: Any = type(sys)(name)
    module.__file__ = file
    sys.modules[name] = module
    exec(marshal.loads(row["code"]), module.__dict__)  # noqa: S102, S302  compiled from the user's own file
    return getattr(module, row["class"])  # type: ignore[no-any-return]
