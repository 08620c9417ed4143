"""The intent of a command: server, test, build, install, git, search or other.

command_key.py → [intent_of, by program and verbs] → intent
"""

from __future__ import annotations

RANK = ("server", "test", "build", "install", "git", "search")
_PROGRAMS = {
    **dict.fromkeys(("uvicorn", "gunicorn", "hypercorn", "vite", "nodemon", "live-server", "http-server"), "server"),
    **dict.fromkeys(("serve", "caddy", "nginx", "webpack-dev-server", "celery", "streamlit", "mkdocs"), "server"),
    **dict.fromkeys(("pytest", "jest", "vitest", "mocha", "tox", "nox", "rspec", "phpunit", "ctest"), "test"),
    **dict.fromkeys(("ava", "karma", "cypress", "playwright", "unittest", "behave", "bats", "nosetests"), "test"),
    **dict.fromkeys(("make", "gmake", "tsc", "webpack", "rollup", "esbuild", "cmake", "ninja", "gcc", "g++"), "build"),
    **dict.fromkeys(("clang", "rustc", "javac", "bazel", "meson", "msbuild", "xcodebuild", "gradle", "mvn"), "build"),
    **dict.fromkeys(("gradlew", "mvnw", "sbt", "parcel", "tsup", "swc", "babel"), "build"),
    **dict.fromkeys(("git", "gh", "hub", "svn", "hg", "tig", "lazygit"), "git"),
    **dict.fromkeys(("grep", "egrep", "rg", "ag", "ack", "find", "fd", "locate", "ls", "tree", "fzf"), "search"),
}
_VERBS = {
    **dict.fromkeys(("dev", "start", "serve", "watch", "runserver", "server", "preview", "up", "storybook"), "server"),
    **dict.fromkeys(("test", "tests", "check", "e2e", "spec", "bench", "coverage"), "test"),
    **dict.fromkeys(("build", "compile", "package", "bundle", "dist", "publish", "assemble", "bdist_wheel"), "build"),
    **dict.fromkeys(("install", "ci", "add", "sync", "update", "upgrade", "get", "i", "restore", "require"), "install"),
}
_INSTALLERS = frozenset(
    (
        *("npm", "pnpm", "yarn", "bun", "pip", "pip3", "uv", "poetry", "pdm", "apt", "apt-get", "brew", "dnf", "yum"),
        *("apk", "conda", "mamba", "gem", "bundle", "composer", "cargo", "go", "pipx", "dotnet", "rustup", "helm"),
    )
)


def intent_of(head: str) -> str:
    """The intent of one call, by its program and verbs."""
    words = head.rsplit(": ", maxsplit=1)[-1].split(" ")
    known = _PROGRAMS.get(words[0])
    for word in reversed(words[1:]):
        for part in (word, word.partition(":")[0]):
            found = _VERBS.get(part)
            if found and known != "git" and (found != "install" or words[0] in _INSTALLERS):
                return found
    return known or "other"
