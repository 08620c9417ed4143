"""Run approved commands over a copy of a project, without network, and record whatever they do besides reading.

    run_watched(commands, project) → {command: [what it did]}
strace records opens for writing, renames, unlinks, connections and new programs. `git status` and `git diff` may renew
the stat data in .git/index, which is the one thing that is not counted.
"""

import os
import re
import shutil
import subprocess

CALLS = (
    "open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,"
    "symlinkat,truncate,ftruncate,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,utime,utimes,utimensat,mknod,"
    "mknodat,setxattr,lsetxattr,fsetxattr,connect,execve,execveat,kill,mount,sethostname,settimeofday,clock_settime"
)
WRITES = re.compile(r"O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)")
TERMINALS = ('"/dev/null"', '"/dev/tty"')
# The name service of the C library asks a local daemon for user names, as `ls -l` does everywhere.
NAME_SERVICE = ("/nscd/socket", "/sss/", "/userdb/", "/dbus/")


def why_not():
    """Why commands cannot be watched here; "" if they can."""
    for tool in ("strace", "unshare", "bash"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    done = subprocess.run(["unshare", "-rn", "strace", "-o", os.devnull, "true"], capture_output=True, check=False)
    return "" if done.returncode == 0 else "no namespace without network here"


def run_watched(commands, project, tmp_path):
    """What each command did besides reading; commands that did nothing else are left out."""
    found = {}
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path / "home"), "LANG": "C.UTF-8"}
    (tmp_path / "home").mkdir(exist_ok=True)
    for number, command in enumerate(commands):
        log = tmp_path / "strace"
        argv = ["unshare", "-rn", "strace", "-f", "-qq", "-s", "300", "-e", f"trace={CALLS}", "-o", str(log)]
        subprocess.run(
            [*argv, "timeout", "10", "bash", "-c", command],
            cwd=project, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False,
        )  # fmt: skip
        deeds = [deed for line in log.read_text(errors="replace").splitlines() for deed in judge_line(line, command)]
        if deeds:
            found[f"{number}: {command}"] = deeds
    return found


def judge_line(line, command):
    _, _, call = line.partition(" ")
    name, bracket, arguments = call.strip().partition("(")
    missing = "ENOENT" in line[-60:] and name in ("execve", "connect")
    if not bracket or missing or call.lstrip().startswith("<..."):  # the second half of a call that was shown before
        return
    if name in ("open", "openat", "openat2", "creat"):
        if WRITES.search(arguments) and not any(path in arguments for path in TERMINALS) and not is_index(arguments):
            yield line
    elif name == "connect":
        if not any(place in arguments for place in NAME_SERVICE):
            yield line
    elif name in ("execve", "execveat"):
        program = arguments.partition('"')[2].partition('"')[0].rpartition("/")[2]
        if program not in ("timeout", "bash") and program not in command:
            yield line
    elif not is_index(arguments):
        yield line


def is_index(arguments):
    return "/.git/index" in arguments or '".git/index' in arguments
