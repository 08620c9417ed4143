"""Makes the plugin's files from the code: manifest, hooks, marketplaces; and the version of the devcontainer feature.

python scripts/generate_plugin.py [--check]
The skill and the README beside them are written by hand.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

from hookwright.config import compiler
from hookwright.runtime import plugin_launcher, registration
from hookwright.version import __version__

ROOT = Path(__file__).resolve().parent.parent
ABOUT = "Hooks for Claude Code that are fast, proven and explained"
NAME = {"name": "hookwright"}
AUTHOR = {"name": "hookwright contributors"}
HOMEPAGE = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Homepage"]
# Releases put what `make plugin` builds on a branch of its own: no built files among the sources.
RELEASED = {"source": "github", "repo": HOMEPAGE.removeprefix("https://github.com/"), "ref": "plugin"}


def manifest() -> dict:
    about = {**NAME, "version": __version__, "description": ABOUT, "author": AUTHOR}
    return {**about, "homepage": HOMEPAGE, "repository": HOMEPAGE, "license": "MIT"}


def marketplace(source: str | dict) -> dict:
    """A catalogue of this one plugin; the source is seen from the folder that holds it."""
    listed = {**NAME, "source": source, "description": ABOUT, "version": __version__, "category": "workflow"}
    return {**NAME, "description": ABOUT, "owner": AUTHOR, "plugins": [listed]}


def hooks() -> dict:
    """Every event that some hook listens to, whatever its mode: the user's configuration decides at run time."""
    declared = compiler.declare_builtins()
    groups = {}
    for event in registration.list_events(declared):
        here = [hook for hook in declared if event in hook.on]
        handler = {
            "type": "command",
            "command": plugin_launcher.text_for(event),
            "timeout": registration.timeout_s(event, here),
        }
        matcher = registration.build_matcher(event, here)
        groups[event] = [{**({"matcher": matcher} if matcher else {}), "hooks": [handler]}]
    return {"description": ABOUT, "hooks": groups}


def feature() -> dict:
    """The devcontainer feature's own words, with this version."""
    written = json.loads((ROOT / "devcontainer/src/hookwright/devcontainer-feature.json").read_text())
    pages = {"documentationURL": f"{HOMEPAGE}/tree/main/devcontainer", "licenseURL": f"{HOMEPAGE}/blob/main/LICENSE"}
    return {**written, "version": __version__, **pages}


FILES = {
    "devcontainer/src/hookwright/devcontainer-feature.json": feature,
    "plugin/.claude-plugin/plugin.json": manifest,
    "plugin/.claude-plugin/marketplace.json": lambda: marketplace("./"),
    ".claude-plugin/marketplace.json": lambda: marketplace(RELEASED),
    "plugin/hooks/hooks.json": hooks,
}


def main() -> int:
    stale = []
    for name, made in FILES.items():
        path = ROOT / name
        text = json.dumps(made(), indent=2) + "\n"
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if stale and "--check" in sys.argv:
        print(f"the plugin differs from the code: {', '.join(stale)}; try: make docs", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
