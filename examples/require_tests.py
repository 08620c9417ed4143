"""Changed code is tested before it is committed.

Remembers which code changed since the tests last passed. `pytest && git commit …` is fine; a run whose exit code is
lost (`pytest | tail`, `pytest || true`, in the background) proves nothing. Changes that a command makes are not seen.

    [require_tests]
    tests = ["pytest", "npm test"]
    at_stop = true
"""

from hookwright import Call, Decision, Hook, PostToolUse, PreToolUse, Stop, block, calls, deny, option
from hookwright.store import cache, limits


class RequireTests(Hook):
    """No commit of code that no test has seen."""

    on = ((PostToolUse, "Edit", "Write", "Bash"), (PreToolUse, "Bash"), (Stop,))
    tests = option(
        ("pytest", "npm test", "make test", "cargo test", "go test"),
        help="What counts as the tests: a program and its first words.",
    )
    code = option((".py", ".js", ".ts", ".tsx", ".go", ".rs"), help="Endings of the files that need them.")
    at_stop = option(False, help="Also send Claude back once when it stops with untested code.")

    def decide(self, event: PostToolUse | PreToolUse | Stop) -> Decision | None:
        here = limits.scope(self.world.state, event.session_id)
        if here is None:
            return None
        if isinstance(event, PostToolUse):
            self.remember(event, here)
            return None
        file = cache.read(here, "untested", self.world.now)
        if file is None:
            return None
        todo = (
            f"{file} changed after the last passing tests; run {' or '.join(self.tests)} so that its exit code counts"
        )
        if isinstance(event, Stop):
            sent_back = not self.at_stop or event.stop_hook_active or event.waits_for()
            return None if sent_back else block(f"{todo}, or say why none is needed")
        found = list(calls(event))
        for place, call in enumerate(found):
            if call.is_("git", "commit") and not self.tested(found[: place + 1]):
                return deny(f"{todo}, then commit")
        return None

    def remember(self, event: PostToolUse, here: str) -> None:
        if event.tool_name != "Bash":
            file = event.tool_input.get("file_path", "")
            if file.endswith(self.code):
                cache.write(here, "untested", file, self.world.now)
        elif not (event.tool_response or {}).get("backgroundTaskId") and self.tested(list(calls(event))):
            cache.forget(here, "untested")

    def tested(self, found: list[Call]) -> bool:
        """Do these calls succeed only if the tests pass?"""
        for place, call in enumerate(found):
            lost = call.background or call.consumers or call.branch or call.substitution
            if not lost and any(call.is_(*words.split()) for words in self.tests):
                return all(later.joiner == "&&" for later in found[place + 1 :] if not later.substitution)
        return False
