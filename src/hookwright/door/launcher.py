"""What the installer registers: an interpreter, `-I -S -Xutf8 -c`, a few lines of Python, two paths, a way out.

Claude Code → [launcher] → bundle (fast) | package (slow) | nothing but a notice
Why text and not a script: CPython exits 2 when its script is missing, and 2 means deny. These lines pass in
silence whatever is gone: the bundle, the package, the virtual environment, another Python version.
"""

from __future__ import annotations

import os
import sys

from hookwright.door import bundle
from hookwright.door.entry import MARK
from hookwright.state import paths

# Compiled on every call, so it is short: a token costs as much as a line of the bundle. The block that it runs ends
# the process, as does the way out; it finds the bundle's descriptor as `f` and the block itself as `b`.
LAUNCHER = f"""{MARK}
try:
    import _imp, marshal, posix
    f = posix.open(sys.argv[1] + sys.implementation.cache_tag, 0); b = posix.read(f, {bundle.BLOCK})
    _imp.source_hash(0, b[8:]) == b[:8] and exec(marshal.loads(b[8:]))
finally: exec(sys.argv[3])
"""
OPTIONS = ("-I", "-S", "-Xutf8", "-c")  # UTF-8 whatever the locale says; it also spares looking the locale up

# Compiled only when the bundle does not fit. Without the package there is one notice, or where nothing can be
# remembered, one at each session's start; it passes, unless the user asked for a door that fails closed.
FALLBACK = """\
try:
    sys.path.append(sys.argv[2])
    from hookwright.door.slow import main
except Exception:
    try:
        import os
        d = os.read(0, 9999)
        try: os.close(os.open(sys.argv[1] + 'missing', os.O_CREAT | os.O_EXCL)); t = 1
        except FileExistsError: t = 0
        except OSError: t = b'"SessionStart"' in d
        if t: print('{"systemMessage": "hookwright is in your Claude Code settings, but its package is gone or broken: \
its hooks are off, tools go on. Install it again, or remove its entries from settings.json."}')
    except Exception: pass
    sys.exit('fail-closed' in sys.argv)
else: main(sys.argv[1])
"""


def argv() -> list[str]:
    """Exactly what is registered as `command` + `args`; makes the bundle if it can be written."""
    root = bundle.package_root()
    prefix = bundle_prefix()
    if prefix:
        bundle.ensure(prefix, root)
    return [interpreter(), *OPTIONS, LAUNCHER, prefix or os.devnull + "/", root, FALLBACK]


def bundle_prefix() -> str:
    cache = paths.cache_dir(os.environ.get)
    return f"{cache}/door-{paths.project_key(bundle.package_root())}." if cache else ""


def interpreter() -> str:
    """The interpreter behind the virtual environment: it stays when the environment goes.

    The name without a minor version is preferred, since it survives an upgrade of the distribution; a
    version manager's shim is never taken (it costs ten interpreter starts).
    """
    base: str = getattr(sys, "_base_executable", "") or sys.executable
    real = os.path.realpath(base)
    for name in ("python3", os.path.basename(base)):
        for folder in (os.path.dirname(base), os.path.dirname(real)):
            candidate = os.path.join(folder, name)
            if os.path.realpath(candidate) == real:
                return candidate
    return real
