"""A hook that imports the state kit by its former name runs in the hook process."""

HOOK = """from hookwright import Hook, PreToolUse, add_context
from hookwright.state import cache, limits, paths
from hookwright.state.lock import Lock
from hookwright.state.redact import mask


class Remembering(Hook):
    on = (PreToolUse, "Bash")

    def decide(self, event):
        state = self.world.state
        here = limits.scope(state, event.session_id)
        with Lock(f"{here}/lock") as held:
            first = limits.once(here, "told") and bool(held)
        cache.write(paths.session_dir(state, event.session_id), "text", "kept", self.world.now)
        return add_context(f"{first} {mask('mysql -phunter2')[0]}")
"""


def test_the_former_name_works(place):
    place.user_hook("remembering", HOOK)
    assert [place.said()["additionalContext"] for _ in range(2)] == [
        "[hookwright remembering] True mysql -p***",
        "[hookwright remembering] False mysql -p***",
    ]
