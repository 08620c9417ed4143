"""npm becomes pnpm and pip becomes uv, where the project's lock file says so.

`cd web && npm install left-pad` runs as `cd web && pnpm add left-pad`. The new command is read again: if anything but
the meant call changed (a mention of it in a quoted text, say), Claude is told the right command instead.
"""

from hookwright import Call, Command, Decision, PreToolUse, add_context, command_of, deny, hook, rewrite

# Lock file → what a call begins with → what it begins with instead. `…` stands for at least one package.
SAYS: dict[str, dict[tuple[str, ...], str]] = {
    "pnpm-lock.yaml": {
        ("npm", "ci"): "pnpm install --frozen-lockfile",
        ("npm", "install", "…"): "pnpm add",
        ("npm", "install"): "pnpm install",
        ("npm", "i", "…"): "pnpm add",
        ("npm", "i"): "pnpm install",
        ("npm", "uninstall"): "pnpm remove",
        ("npm", "run"): "pnpm run",
        ("npm", "test"): "pnpm test",
    },
    "uv.lock": {
        ("pip", "install"): "uv pip install",
        ("pip3", "install"): "uv pip install",
        ("pip", "uninstall"): "uv pip uninstall",
        ("pip", "list"): "uv pip list",
    },
}


@hook(PreToolUse, "Bash")
def one_package_manager(event: PreToolUse) -> Decision | None:
    """Speak to the package manager that the project has."""
    before = command_of(event)
    text = before.text
    meant = []  # the calls as they should be
    for call in before.calls:
        instead = replacement(call)
        meant.append(instead or call.text)
        if instead:
            module = next((f"{wrapper.text} " for wrapper in call.wrappers if wrapper.words[-1] == "-m"), "")
            text = text.replace(f"{module}{call.text}", instead)
    if meant == [call.text for call in before.calls]:
        return None
    after = Command(text, cwd=before.cwd)
    if [call.text for call in after.calls] != meant:
        return deny(f"this project has another package manager; run: {' && '.join(meant)}")
    changed = next(call for call in meant if call not in [old.text for old in before.calls])
    return rewrite("the project's lock file names another package manager", command=text) & add_context(
        f"Ran `{changed}`, since the lock file of this project says so; use it from now on."
    )


def replacement(call: Call) -> str:
    """The call as the project's own package manager takes it, "" if it stays."""
    if call.has_flag("-g", "--global") or not call.literal or call.remote:
        return ""
    for lock, beginnings in SAYS.items():
        for (program, verb, *more), instead in beginnings.items():
            if call.is_(program, verb) and len(call.operands()) > len(more) and call.words[1] == verb:
                return " ".join([instead, *call.words[2:]]) if has(lock, call.cwd) else ""
    return ""


def has(file: str, folder: str | None) -> bool:
    """Is there such a file here or above, up to the top of the repository?"""
    from os.path import dirname, exists

    while folder and folder[0] == "/":
        if exists(f"{folder}/{file}"):
            return True
        if exists(f"{folder}/.git") or folder == "/":
            return False
        folder = dirname(folder)
    return False
