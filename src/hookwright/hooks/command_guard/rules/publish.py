"""Asks before something is published: packages, images, releases.

Why: a published version is public at once, and most registries never allow its number again.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, format_call, is_dry_run, operand_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
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
    "docker buildx build --push .": "ask",
    "«podman|nerdctl» push x": "ask",
    "docker compose push": "ask",
    "«mvn|mvnw» «deploy|release:perform»": "ask",
    "«gradle|gradlew» «publish|uploadArchives|publishPlugins»": "ask",
    "sbt publish": "ask",
    "yarn npm publish": "ask",
    "dotnet nuget «push|delete» x": "ask",
    "dart pub publish": "ask",
    "npm access grant read-write x": "ask",
    "npm owner add ann x": "ask",
    "skopeo copy a docker://x/y": "ask",
    "cargo release «--execute|-x»": "ask",
    "«python|python3» setup.py sdist upload": "ask",
    "npm publish --dry-run": None,
    "cargo publish --dry-run": None,
    "npm pack": None,
    "npm owner ls pkg": None,
    "twine check dist/*": None,
    "git commit -m 'npm publish'": None,
    "npm publish «-n|--dry-run»": None,
    "goreleaser release «--snapshot|--skip-publish»": None,
    "«mvn|mvnw» package": None,
    "«gradle|gradlew» build": None,
    "sbt test": None,
    "gradle publishToMavenLocal": None,
    "yarn npm login": None,
    "pnpm npm whoami": None,
    "dotnet nuget list source": None,
    "dart pub get": None,
    "npm «owner|access|token» «ls|list|get» x": None,
    "npm token": None,
    "«docker|podman|nerdctl» buildx build .": None,
    "skopeo copy docker://x/y dir:a": None,
    "cargo release patch": None,
    "«python|python3» setup.py sdist": None,
}

DOCKERS = ("docker", "podman", "nerdctl")
# A command that shows what would be published, where the program has one.
SAFER = {
    "npm": "npm pack --dry-run",
    "pnpm": "npm pack --dry-run",
    "yarn": "npm pack --dry-run",
    "bun": "npm pack --dry-run",
    "cargo": "cargo package --list",
    "twine": "twine check dist/*",
    "poetry": "poetry build",
    "uv": "uv build",
    "docker": "docker images",
    "gem": "gem build --help",
}


def check(call: Call, scene: Scene) -> Finding | None:
    if is_dry_run(call) or call.has_flag("-n", "--snapshot", "--skip-publish"):
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
    if call.program in ("dotnet", "dart") and operand_at(call, 1) not in ("push", "delete", "publish"):
        return None
    if call.verb in ("owner", "access", "token", "dist-tag") and operand_at(call, 1) in ("", "ls", "list", "get"):
        return None
    if call.program in DOCKERS and "push" not in call.operands()[:2] and "--push" not in call.words:
        return None
    if call.program == "skopeo" and not any(word.startswith("docker://") for word in call.operands()[2:]):
        return None
    if call.program == "cargo" and call.verb == "release" and "--execute" not in call.words and "-x" not in call.words:
        return None
    if call.program in ("python", "python3") and "upload" not in call.args:
        return None
    look = SAFER.get(call.program, "git log --oneline -5")
    if call.program in DOCKERS or call.program == "skopeo":
        return ask(f"`{format_call(call)}` publishes an image: whoever pulls the tag gets it", "docker images")
    return ask(f"`{format_call(call)}` publishes it; most registries never remove a version", look)
