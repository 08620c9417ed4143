"""Write, recognise and remove the launcher: the one file that settings.json registers for every event.

hookwright install → [install_launcher] → <data home>/hookwright/hook ← Claude Code
Its path is the same for all versions; what it does is in launcher_template.txt. A file with a `#!` line and not
`python script`: CPython exits with 2 when its script is missing, and 2 means deny. A missing launcher or interpreter is
a spawn error, which the client lets pass.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import time

from hookwright.errors import UserError
from hookwright.proc.atomic_write import Replacement, remove_leftovers
from hookwright.proc.run_programs import Job, run_job
from hookwright.proc.safe_read import read_text
from hookwright.runtime import package_copy
from hookwright.runtime.bundle_update import update_bundle
from hookwright.runtime.entry_match import LAUNCHER
from hookwright.store import paths

FLAGS = "-ISXutf8"  # isolated, no site, UTF-8 in any locale; one word, because Linux passes it as one argument
LONGEST_LINE = 127  # bytes of a `#!` line that every Linux kernel reads
MAX_BYTES = 1 << 20  # of a file that may be a launcher
BUILD_WAIT_S = 60.0  # for a build that another process has begun
PACKAGE_LINE = "# package: "
RUN_COPY = """
import sys
sys.path.insert(0, sys.argv[1])
from hookwright.runtime import launcher
launcher.install_launcher(with_bundle=sys.argv[2] == "True")
"""

# For an interpreter that a `#!` line cannot name: the shell runs these lines, Python takes them for a string.
SHELL_LINES = '''""":"
[ -x {interpreter} ] && exec {interpreter} {flags} "$0" "$@"
case " $* " in *" fail-closed "*) exit 1 ;; *) exit 0 ;; esac
"""
'''


def build_argv() -> list[str]:
    """What is registered as `command` and `args`."""
    return [launcher_path()]


def launcher_path() -> str:
    home = paths.data_dir(os.environ.get) or os.path.expanduser("~/.local/share/hookwright")
    return f"{home}/{LAUNCHER}"


def bundle_prefix(package: str = "") -> str:
    """The bundle's path without the name of the Python version, which the launcher appends. `package`: another's."""
    return f"{paths.cache_dir(os.environ.get) or os.devnull}/bundle-{paths.project_key(package or started_root())}."


def bundle_dir() -> str:
    return bundle_prefix() + str(sys.implementation.cache_tag)


def package_root() -> str:
    """The directory that holds the package."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def started_root() -> str:
    """The directory of the package that the launcher starts: this one, or its copy if this one will not stay."""
    package = package_root()
    return package_copy.kept_package(package, data_home()) if find_ephemeral() else package


def find_ephemeral() -> str:
    """Why the running package will not stay where it is; "" if it will."""
    return package_copy.find_ephemeral(package_root(), data_home())


def data_home() -> str:
    return os.path.dirname(launcher_path())


def install_launcher(*, with_bundle: bool = True) -> bool:
    """Write the launcher unless it is there as it should be, and build the bundle; True if the launcher was written."""
    if find_ephemeral():
        return _install_from_copy(with_bundle=with_bundle)
    written = not is_installed()
    if written:
        paths.make_private(os.path.dirname(launcher_path()))
        write_launcher(launcher_path(), render_launcher(find_interpreter(), started_root(), bundle_prefix()))
    with contextlib.suppress(OSError):
        os.unlink(bundle_prefix() + "missing")  # should the package go again, the user is told again
    if with_bundle:
        update_bundle(bundle_dir(), BUILD_WAIT_S)
    return written


def _install_from_copy(*, with_bundle: bool) -> bool:
    """Copy the package to where it stays, and let the copy install its launcher."""
    written = not is_installed()
    folder = package_copy.keep_package(package_root(), data_home())
    argv = [find_interpreter(), "-IS", "-c", RUN_COPY, folder, str(with_bundle)]
    done = run_job(Job(argv, cwd="/", seconds=BUILD_WAIT_S))
    if not done.ok:
        told = done.problem or done.stderr.decode("utf-8", "replace").strip()[-300:]
        what = f"the copy of the package cannot install its launcher: {told}"
        raise UserError(what, where=folder, fix="uv tool install hookwright, then hookwright install")
    package_copy.remove_other_copies(folder)
    return written


def is_installed() -> bool:
    """True if the launcher is there, executable, and made for this interpreter and this package."""
    path = launcher_path()
    wanted = render_launcher(find_interpreter(), started_root(), bundle_prefix())
    return read_launcher(path) == wanted and os.access(path, os.X_OK)


def read_launcher(path: str) -> str:
    """The text of a launcher; "" if it cannot be read."""
    try:
        return read_text(path, MAX_BYTES, errors="surrogateescape")
    except OSError:
        return ""


def find_launcher_problem() -> str:
    """Why the registered launcher cannot answer, in a few words; "" if everything that it starts is there."""
    path = launcher_path()
    text = read_launcher(path)
    if not text:
        return "the launcher is missing"
    if not os.access(path, os.X_OK):
        return "the launcher is not executable"
    interpreter, package = find_interpreter_in(text), find_package(text)
    if interpreter and not os.access(interpreter, os.X_OK):
        return f"its interpreter {interpreter} is missing"
    if package and not os.path.isdir(f"{package}/hookwright"):
        return f"its package in {package} is missing"
    return ""


def find_package(text: str) -> str:
    """The directory where this launcher expects the package; "" if it does not say."""
    line = text.split("\n", 2)[1:2]
    return line[0].removeprefix(PACKAGE_LINE) if line and line[0].startswith(PACKAGE_LINE) else ""


def find_interpreter_in(text: str) -> str:
    """The interpreter that this launcher is started with; "" if it is not in the first line."""
    words = text.partition("\n")[0].removeprefix("#!").split(" ")
    return words[0] if words[0] != "/bin/sh" else ""


def remove_launcher() -> None:
    package_copy.remove_other_copies(f"{data_home()}/{package_copy.PACKAGES}/")
    with contextlib.suppress(OSError):
        os.rmdir(f"{data_home()}/{package_copy.PACKAGES}")
    with contextlib.suppress(OSError):
        os.unlink(launcher_path())
        os.rmdir(data_home())


def render_launcher(interpreter: str, package: str, bundle: str) -> str:
    """The launcher's text, from its template, without the comments in its code: they cost 1 % of every start."""
    with open(os.path.join(os.path.dirname(__file__), "launcher_template.txt"), encoding="utf-8") as file:
        _, _, code = "\n".join(line.partition("  # ")[0] for line in file.read().split("\n")).split("\n", 2)
    for name, value in (("PACKAGE", package), ("BUNDLE", bundle)):
        code = code.replace(f'\n{name} = ""\n', f"\n{name} = {value!r}\n")
    first = f"#!{interpreter} {FLAGS}"
    if len(os.fsencode(first)) > LONGEST_LINE or any(letter.isspace() for letter in interpreter):
        if "\\" in interpreter or '"' in interpreter or "\n" in interpreter:
            raise UserError("the path of this Python cannot be written into a script", where=interpreter)
        first = "#!/bin/sh"
        code = SHELL_LINES.format(interpreter=shlex.quote(interpreter), flags=FLAGS) + code
    return f"{first}\n{PACKAGE_LINE}{' '.join(package.splitlines())}\n{code}"


def write_launcher(path: str, text: str) -> None:
    """Write atomically: a session may start the launcher at any moment."""
    folder = os.path.dirname(path)
    try:
        with Replacement(path) as new:
            new.write(text.encode("utf-8", "surrogateescape"))
            os.fchmod(new.descriptor, 0o755)  # it is a program
            new.commit()
        remove_leftovers(folder, time.time())
    except OSError as error:
        what = f"the launcher cannot be written: {error.strerror}"
        raise UserError(what, where=path, fix="free that path, or set XDG_DATA_HOME to another directory") from None


def find_interpreter() -> str:
    """The interpreter behind the virtual environment: it stays when the environment is deleted.

    The name without a minor version is preferred, since it survives an upgrade of the distribution; a version
    manager's shim is never taken (it costs ten interpreter starts).
    """
    base: str = getattr(sys, "_base_executable", "") or sys.executable
    real = os.path.realpath(base)
    for name in ("python3", os.path.basename(base)):
        for folder in (os.path.dirname(base), os.path.dirname(real)):
            candidate = os.path.join(folder, name)
            if os.path.realpath(candidate) == real:
                return candidate
    return real
