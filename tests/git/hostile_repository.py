"""A repository whose every setting that can run a program does: each program leaves a file behind."""

import os
import shlex
import subprocess
from pathlib import Path

IDENTITY = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
# Keys of .git/config whose value git runs, or hands to a shell.
PROGRAM_KEYS = (
    *("core.fsmonitor", "core.pager", "core.editor", "core.askPass", "core.sshCommand", "core.gitProxy"),
    *("core.alternateRefsCommand", "credential.helper", "diff.external", "sequence.editor", "interactive.diffFilter"),
    *("gpg.program", "gpg.openpgp.program", "gpg.x509.program", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand"),
    *("filter.evil.clean", "filter.evil.smudge", "filter.multi.process", "filter.a=b.clean", "filter.lfs.process"),
    *("diff.evil.command", "diff.evil.textconv", "merge.evil.driver", "mergetool.evil.cmd", "difftool.evil.cmd"),
    *("remote.origin.uploadpack", "remote.origin.receivepack", "uploadpack.packObjectsHook", "pager.status"),
    *("pager.log", "alias.status", "alias.log", "trailer.evil.command", "tar.evil.command", "browser.evil.cmd"),
    *("man.evil.cmd", "init.templateDir", "sendemail.smtpServer", "web.browser", "instaweb.httpd"),
)
SETTINGS = {
    "log.showSignature": "true",
    "filter.evil.required": "true",
    "filter.multi.required": "true",
    "filter.a=b.required": "true",
    "submodule.recurse": "true",
    "status.submoduleSummary": "true",
    "diff.submodule": "log",
    "protocol.ext.allow": "always",
    "protocol.allow": "always",
    "core.untrackedCache": "true",
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
    "remote.origin.partialCloneFilter": "blob:none",
}
GIT_VARIABLES = (
    *("GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_PAGER", "GIT_ASKPASS", "GIT_EDITOR", "GIT_PROXY_COMMAND"),
    *("GIT_SEQUENCE_EDITOR",),
)
ATTRIBUTES = "*.py filter=evil diff=evil merge=evil\n*.md filter=multi\n*.txt filter=a=b\n*.bin filter=lfs\n"
HOOKS = ("post-index-change", "fsmonitor-watchman", "pre-commit", "post-checkout", "reference-transaction")
SIGNED = (
    "tree {tree}\nparent {parent}\nauthor Ann <ann@example.org> {time} +0000\n"
    "committer Ann <ann@example.org> {time} +0000\n"
    "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----\n\nsigned\n"
)


class HostileRepository:
    """`top` is the repository; `ran()` names the programs of it that have run."""

    def __init__(self, folder: Path, remote: str = "ext::{program}") -> None:
        self.marks = folder / "marks"
        self.marks.mkdir(parents=True)
        self.programs = folder / "programs"
        self.programs.mkdir()
        self.home = folder / "home"
        self.home.mkdir()
        self.top = folder / "clone"
        self.top.mkdir()
        self.git("init", "-q", "-b", "main")
        for name in ("a.py", "b.md", "c.txt", "d.bin", "plain", "sub/e.py"):
            self.write(name, "1\n")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "first")
        self.write(".gitattributes", ATTRIBUTES)
        self.git("add", ".gitattributes")
        self.git("commit", "-q", "-m", "attributes")
        self._commit_signed()
        self.lost_tree, self.lost_commit = self.git("rev-parse", "HEAD^{tree}", "HEAD~1").split()
        self.write("staged", "1\n")
        self.git("add", "staged")
        for key in PROGRAM_KEYS:
            program = self.program(key)
            self.git("config", key, f"!{program}" if key.startswith("alias.") else program)
        for key, value in SETTINGS.items():
            self.git("config", key, value)
        self.git("config", "remote.origin.url", remote.format(program=self.program("remote.origin.url")))
        for name in HOOKS:
            os.symlink(self.program(f"hook {name}"), self.top / ".git/hooks" / name)
        for name in ("a.py", "b.md", "c.txt", "d.bin", "plain"):  # changed, of the same size: git has to read them
            self.write(name, "2\n")

    def program(self, name: str) -> str:
        """A program that leaves a mark of this name."""
        path = self.programs / name.replace(" ", "-").replace("/", "-")
        path.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(self.marks / path.name))}\nexit 0\n")
        path.chmod(0o755)
        return str(path)

    def write(self, name: str, text: str) -> None:
        path = self.top / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def git(self, *words: str, check: bool = True, **options) -> str:
        env = {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            ["git", *IDENTITY, *words], cwd=self.top, env=env, check=check, capture_output=True, text=True, **options
        )
        return done.stdout.strip()

    def _commit_signed(self) -> None:
        """A commit with a signature: `log.showSignature` makes git check it."""
        found = {"tree": self.git("write-tree"), "parent": self.git("rev-parse", "HEAD")}
        time = self.git("log", "-1", "--format=%ct")
        text = SIGNED.format(**found, time=time)
        commit = self.git("hash-object", "-t", "commit", "-w", "--stdin", input=text)
        self.git("update-ref", "refs/heads/main", commit)

    def lose_objects(self) -> None:
        """Take objects away that the questions need: a partial clone fetches what is missing."""
        for name in (self.lost_tree, self.lost_commit):
            os.unlink(self.top / ".git/objects" / name[:2] / name[2:])

    def ran(self) -> list[str]:
        return sorted(path.name for path in self.marks.iterdir())

    def clear(self) -> None:
        for path in self.marks.iterdir():
            path.unlink()
