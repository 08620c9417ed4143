"""Work begins on a separate branch.

Before the first edit, and before a commit, on a branch that others share. `git switch -c topic && git commit …` is
fine. Folders without git are left alone.

    [no_work_on_main]
    branches = ["main", "release"]
"""

from hookwright import Call, Decision, Hook, PreToolUse, calls, deny, option


class NoWorkOnMain(Hook):
    """Keep work off shared branches."""

    on = (PreToolUse, "Write", "Edit", "Bash")
    branches = option(("main", "master"), tighter="more", help="Branches that are not worked on.")

    def decide(self, event: PreToolUse) -> Decision | None:
        if event.tool_name == "Bash":
            found = list(calls(event))
            commit = next((call for call in found if call.is_("git", "commit")), None)
            if commit is None or any(moves(call) for call in found[: found.index(commit)]):
                return None
            folder = commit.cwd or event.cwd
        else:
            folder = event.tool_input.get("file_path", "").rpartition("/")[0]
        branch = branch_of(folder)
        if branch not in self.branches:
            return None
        return deny(f"{branch} is shared; begin a branch first: git switch -c WHAT-IT-IS-ABOUT")


def moves(call: Call) -> bool:
    return call.is_("git", "switch") or (call.is_("git", "checkout") and call.has_flag("-b", "-B"))


def branch_of(folder: str) -> str:
    """The branch that is checked out around this folder, from git's own files; worktrees too."""
    from os.path import dirname, exists, isdir, join

    while not exists(join(folder, ".git")):
        if dirname(folder) == folder:
            return ""
        folder = dirname(folder)
    place = join(folder, ".git")
    if not isdir(place):
        with open(place, encoding="utf-8") as file:
            place = join(folder, file.read().removeprefix("gitdir: ").strip())
    with open(join(place, "HEAD"), encoding="utf-8") as file:
        return file.read().strip().removeprefix("ref: refs/heads/")
