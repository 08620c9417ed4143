"""Asks before something is published: packages, images, releases.

Why: a published version is out for everybody at once, and most registries never let its number be used again.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, only_shows, operand, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "publish"
EXAMPLES = {
    "npm publish --access public": "ask",
    "npm unpublish pkg@1.0.0": "ask",
    "npm token create": "ask",
    "cargo publish": "ask",
    "twine upload dist/*": "ask",
    "python -m twine upload dist/*": "ask",
    "poetry publish --build": "ask",
    "gem push x.gem": "ask",
    "docker push me/app:latest": "ask",
    "mvn deploy": "ask",
    "./gradlew publish": "ask",
    "npm publish --dry-run": None,
    "cargo publish --dry-run": None,
    "npm pack": None,
    "npm owner ls pkg": None,
    "twine check dist/*": None,
    "git commit -m 'npm publish'": None,
}

DOCKERS = ("docker", "podman", "nerdctl")
# What shows without publishing, where the program has it.
LOOKS = {
    "npm": "npm pack --dry-run",
    "pnpm": "npm pack --dry-run",
    "yarn": "npm pack --dry-run",
    "bun": "npm pack --dry-run",
    "cargo": "cargo package --list",
    "twine": "twine check dist/*",
    "poetry": "poetry build",
    "uv": "uv build",
    "docker": "docker images",
}
VERBS = frozenset(
    (
        "publish unpublish deprecate upload push deploy release yank owner dist-tag hex.publish trunk "
        "publishToMavenLocal publishPlugins version"
    ).split()
)


def check(call: Call, scene: Scene) -> Finding | None:
    if only_shows(call) or call.has_flag("-n", "--snapshot", "--skip-publish"):
        return None
    if call.program in ("mvn", "gradle", "gradlew", "mvnw", "sbt") and not any(
        word in ("deploy", "publish", "release:perform", "uploadArchives", "publishPlugins")
        or word.endswith(":publish")
        or (word.startswith("publish") and word != "publishToMavenLocal")
        for word in call.args
    ):
        return None
    if call.program in ("yarn", "pnpm", "lerna", "changeset") and call.verb == "npm" and "publish" not in call.args:
        return None
    if call.program in ("dotnet", "dart") and operand(call, 1) not in ("push", "delete", "publish"):
        return None
    if call.verb in ("owner", "access", "token") and operand(call, 1) in ("", "ls", "list", "get"):
        return None
    if call.program in DOCKERS and "push" not in call.operands()[:2] and "--push" not in call.words:
        return None
    if call.program == "skopeo" and not any(word.startswith("docker://") for word in call.operands()[2:]):
        return None
    if call.program == "cargo" and call.verb == "release" and "--execute" not in call.words and "-x" not in call.words:
        return None
    if call.program in ("python", "python3") and "upload" not in call.args:
        return None
    look = LOOKS.get(call.program, "git log --oneline -5")
    return ask(f"`{shown(call)}` puts it out for everybody; most registries never take it back", look)
