"""The way in when the bundle is missing, damaged, outdated or of another Python: the package itself, once.

launcher → [this] → oneshot.main; the next call is fast again
"""

from __future__ import annotations

import sys
from typing import NoReturn


def main(prefix: str) -> NoReturn:
    for name in [name for name in sys.modules if name.split(".")[0] == "hookwright" and name != __name__]:
        module = sys.modules[name]
        if hasattr(getattr(module, "__spec__", None), "preload"):  # left behind by a bundle that failed half-way
            del sys.modules[name]
    try:
        from hookwright.door import bundle  # noqa: PLC0415

        bundle.ensure(prefix, bundle.package_root())
    except Exception:  # noqa: BLE001, S110  without a bundle each call comes this way: slower, and just as right
        pass
    from hookwright.door import oneshot  # noqa: PLC0415

    oneshot.main()
