"""Asks before a key that looks live is written into a file or a commit message.

Why: a key in a source file or in the history is found by everyone who gets the repository, and has to be rotated. A
file that is meant for secrets, such as `.env`, may hold it; samples and placeholders are no keys.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.live_keys import find_live_key
from hookwright.hooks.command_guard.rule_api import ask, edits_in_place
from hookwright.hooks.command_guard.secret_paths import is_secret_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "live-key-written"
EXAMPLES = {
    "echo 'TOKEN=ghp_9fQ2rT7xLm3Vb8Kc1Zw5Np6Hs4Jd0Gy2Ra7U' > config.py": "ask",
    "cat > app.py <<'EOF'\nkey = 'sk_live_9fQ2rT7xLm3Vb8Kc1Zw5'\nEOF": "ask",
    "tee -a settings.ini <<< 'k=AKIAQ7RT2XLM8VB1KCZW'": "ask",
    "sed -i 's/KEY/ghp_9fQ2rT7xLm3Vb8Kc1Zw5Np6Hs4Jd0Gy2Ra7U/' config.js": "ask",
    "git commit -m 'use ghp_9fQ2rT7xLm3Vb8Kc1Zw5Np6Hs4Jd0Gy2Ra7U'": "ask",
    "git config --local http.token ghp_9fQ2rT7xLm3Vb8Kc1Zw5Np6Hs4Jd0Gy2Ra7U": "ask",
    "echo 'TOKEN=ghp_9fQ2rT7xLm3Vb8Kc1Zw5Np6Hs4Jd0Gy2Ra7U' >> .env": None,
    "echo 'TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' > config.py": None,
    "echo AKIAIOSFODNN7EXAMPLE > docs/keys.md": None,
    "echo 'TOKEN=$TOKEN' > config.py": None,
    "git commit -m 'rotate the token'": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    found = find_live_key(find_written_text(call))
    if not found:
        return None
    place = "into the repository" if call.program == "git" else "into a file that others may get"
    return ask(f"this writes {found} {place}", "git check-ignore -v .env")


def find_written_text(call: Call) -> str:
    """What the call writes into a file or a commit, as far as the command itself holds it; "" if it writes nothing."""
    targets = [redirect.target for redirect in call.redirects if redirect.writes]
    if call.program == "tee":
        targets += call.operands()
    elif call.program in ("sed", "gsed", "perl") and edits_in_place(call):
        targets += call.operands()[-1:]
    elif call.program == "git" and call.verb in ("commit", "config", "tag"):
        return call.text
    if not [target for target in targets if not is_secret_path(target) and target[:5] != "/dev/"]:
        return ""
    texts = [redirect.text for redirect in call.redirects if redirect.text is not None]
    read = call.stdin_text
    return "\n".join([call.text, *texts, *([read] if read is not None else [])])
