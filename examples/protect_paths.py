"""Files that exist and stay as they are: applied migrations, generated code, vendored sources.

What a Bash command writes, moves or deletes is read as a shell would read it: `cat migrations/1.sql` passes,
`cd migrations && sed -i s/a/b/ 1.sql` does not. A name that a command computes at run time is not seen.

    [protect_paths]
    paths = ["migrations", "vendor", "*.lock", "src/api/generated"]
"""

from hookwright import Call, Decision, Hook, PreToolUse, calls, deny, option

ALL = ("rm", "rmdir", "unlink", "shred", "mv", "tee", "truncate", "touch")  # change whatever they name
LAST = ("cp", "ln", "install", "rsync")  # change what they name last


class ProtectPaths(Hook):
    """Keep these files as they are."""

    on = (PreToolUse, "Write", "Edit", "MultiEdit", "NotebookEdit", "Bash")
    failure = "ask"
    paths = option(("migrations", "vendor"), tighter="more", help="Files, folders or patterns, from the project's top.")
    new_files = option(True, help="New files may be made there.")

    def decide(self, event: PreToolUse) -> Decision | None:
        if event.tool_name == "Bash":
            touched = [place for call in calls(event) for place in changed_by(call)]
        else:
            touched = [event.tool_input.get("file_path") or event.tool_input.get("notebook_path") or ""]
        for place in filter(None, touched):
            rule = self.rule_for(place, self.world.project or event.cwd)
            if rule:
                return deny(f"{place} is protected ({rule}); change what it is made from, or ask the user to do it")
        return None

    def rule_for(self, place: str, project: str) -> str:
        """The pattern that covers this place, or one inside of it; "" if it may be changed."""
        # Imported here: most commands change nothing, and need not wait for it.
        from fnmatch import fnmatchcase
        from os.path import exists, expanduser, realpath, relpath

        whole = realpath(expanduser(place))
        if self.new_files and not exists(whole) and "*" not in whole:
            return ""
        name = relpath(whole, realpath(project))
        for rule in (path.strip("/") for path in self.paths):
            if fnmatchcase(name, rule) or fnmatchcase(name, f"{rule}/*") or name == "." or rule.startswith(f"{name}/"):
                return str(rule)
        return ""


def changed_by(call: Call) -> list[str | None]:
    """The places that a call writes, moves or deletes."""
    words, given = list(call.writes), call.operands()
    if call.program in ALL or (call.program in ("sed", "perl") and call.has_flag("-i", "--in-place")):
        words += given
    elif call.program in LAST:
        words += given[-1:]
    elif call.is_("git", "rm") or call.is_("git", "mv"):
        words += given[1:]
    return [call.path(word) for word in words]
