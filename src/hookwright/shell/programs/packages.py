"""Package managers of systems and of other languages: brew, apt, dnf, gem, bundle, composer, …

force    sudo apt-get update
force    brew install ffmpeg
force    sudo pacman -Syu --noconfirm
force    bundle install
force    composer install
suggest  gem install rails
suggest  rustup update
none     brew list
none     apt list --installed
none     pacman -Qi bash
"""

from __future__ import annotations

from hookwright.shell.programs import each, letters, looked_up, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

INSTALLS: Row = ("force", "install", "installs packages")
INDEXES: Row = ("force", "install", "updates the package lists")
FETCHES: Row = ("suggest", "install", "may install or download packages")
REMOVES: Row = ("suggest", "install", "removes packages")
BUILDS: Row = ("suggest", "build", "builds a package")
QUIET: Row = ("none", "install", "only asks or lists")
SIMULATES = frozenset("-s -n --simulate --just-print --no-act --recon --assumeno --pretend".split())

SYSTEM = table(
    {
        INSTALLS: (
            "install, upgrade, dist-upgrade, full-upgrade, reinstall, build-dep, add, in, up, dup, patch, "
            "groupinstall, localinstall, distro-sync, system-upgrade, bundle, bundle install, selfupdate"
        ),
        QUIET: "bundle check, bundle list, bundle dump, bundle cleanup, bundle exec",
        INDEXES: "update, makecache, refresh, check-update",
        REMOVES: "autoremove",
    }
)


def system(call: Call) -> Row | None:
    """What apt and dnf would only do in thought is quick."""
    row = looked_up(call, SYSTEM)
    return QUIET if row is not None and not SIMULATES.isdisjoint(call.args) and call.program != "pkg" else row


def source(call: Call) -> Row | None:
    asks = {"-p", "--pretend", "-s", "--search", "--info", "-n"}
    return QUIET if not asks.isdisjoint(call.args) or not call.args else INSTALLS


def nix_env(call: Call) -> Row | None:
    return FETCHES if letters(call, "fp") & {"i", "u"} or call.has_flag("--install", "--upgrade", "--update") else None


def versions(call: Call) -> Row | None:
    """asdf, mise, rbenv, sdk, rvm: installing a version downloads or compiles it."""
    row = looked_up(call, VERSIONS)
    if row is FETCHES and call.program in {"rbenv", "asdf"} and call.verb == "install":
        row = ("force", "install", "compiles or downloads a version")
    return None if row is not None and call.has_flag("-l", "--list") else row


def mise(call: Call) -> Row | None:
    """`mise run build`: a task of the project; else a manager of versions."""
    operands = call.operands("-C", "--cd", "-j", "--jobs")
    if len(operands) > 1 and operands[0] in {"run", "r"}:
        from hookwright.shell.programs.names import task

        return task(operands[1])
    return versions(call)


COMPOSER = table(
    {
        INSTALLS: "install, i, update, u, upgrade, create-project",
        FETCHES: "require, req, remove, self-update, global",
    }
)
# Its other verbs; what is none of them is a script of the project.
COMPOSES = frozenset(
    "about archive audit browse bump check check-platform-reqs clear-cache clearcache cc config depends why diagnose "
    "dump-autoload dumpautoload exec fund help home init licenses list outdated prohibits why-not reinstall search "
    "show info status suggests validate selfupdate run-script run".split()
)


def composer(call: Call) -> Row | None:
    operands = call.operands("-d", "--working-dir", "--timeout")
    row = looked_up(call, COMPOSER)
    if row is not None or not operands:
        return row
    if operands[0] in {"run", "run-script"}:
        operands = operands[1:]
    elif operands[0] in COMPOSES:
        return None
    from hookwright.shell.programs.names import task

    return task(operands[0]) if operands and not call.has_flag("-l", "--list") else None


VERSIONS = table({FETCHES: "install, i, upgrade, up, update, use, get, plugin add, plugin update"})


def pacman(call: Call) -> Row | None:
    """-S… installs, -Q… and -Ss ask."""
    for word in call.args:
        if word[:2] in {"-S", "-U"} and word[1:2] != "-":
            return None if set(word[2:]) & set("silgp") and "y" not in word and "u" not in word else INSTALLS
    return None if call.args or call.program == "pacman" else INSTALLS


def bundler(call: Call) -> Row | None:
    """`bundle` alone installs."""
    return BUNDLE.get(call.verb or "install") if call.verb or not call.has_flag("-v", "--version") else None


BUNDLE = table({INSTALLS: "install, update, package, cache, pristine", FETCHES: "add, lock"})


def dpkg(call: Call) -> Row | None:
    return FETCHES if call.has_flag("-i", "--install", "--configure", "-U", "-ivh", "-Uvh") else None


def pre_commit(call: Call) -> Row | None:
    verb = call.verb
    if verb == "run":
        if call.has_flag("-a", "--all-files") or not (call.has_flag("--files") or len(call.operands()) > 1):
            return "suggest", "check", "runs all hooks"
        return None
    if verb in {"install-hooks", "autoupdate"} or call.has_flag("--install-hooks"):
        return FETCHES
    return None


def softwareupdate(call: Call) -> Row | None:
    return INSTALLS if letters(call) & {"i", "d"} or call.has_flag("--install", "--download") else None


def code(call: Call) -> Row | None:
    """The editor's own window; extensions download."""
    if call.has_flag("--install-extension"):
        return FETCHES
    return ("force", "terminal", "waits for its window") if call.has_flag("-w", "--wait") else None


PROGRAMS: dict[str, Handler] = {
    **each(
        "brew apt apt-get aptitude dnf yum microdnf tdnf zypper apk port pkg snap flatpak choco winget scoop eopkg "
        "urpmi slackpkg opkg",
        system,
    ),
    **each("pacman yay paru", pacman),
    **each("emerge xbps-install", source),
    **each("dpkg rpm", dpkg),
    **each("nix-env nix-channel", nix_env),
    "guix": table({INSTALLS: "install, upgrade, package, pull, build, system"}),
    **each("bundle bundler", bundler),
    "gem": table({FETCHES: "install, update, push"}),
    "composer": composer,
    **each("cpan cpanm", FETCHES),
    "luarocks": table({FETCHES: "install, make, build"}),
    "opam": table({INSTALLS: "install, update, upgrade, init, switch create, reinstall"}),
    "pod": table({INSTALLS: "install, update", FETCHES: "repo update, setup, lib lint, spec lint"}),
    "carthage": table({INSTALLS: "bootstrap, update, build, checkout"}),
    "rebar3": table(
        {
            FETCHES: "get-deps, upgrade, deps",
            BUILDS: "compile, release",
            ("suggest", "test", "runs a suite"): "ct, eunit",
        }
    ),
    "raco": table({FETCHES: "pkg install, setup", ("suggest", "test", "runs a test suite"): "test, make"}),
    "vcpkg": table({INSTALLS: "install, upgrade"}),
    "conan": table({INSTALLS: "install, create, build"}),
    "mise": mise,
    **each("asdf rbenv rvm sdk", versions),
    "ruby-build": INSTALLS,
    "rustup": table({FETCHES: "update, install, toolchain install, component add, target add, self update, default"}),
    "ghcup": table({FETCHES: "install, upgrade, set"}),
    "tlmgr": table({FETCHES: "install, update"}),
    "bower": table({INSTALLS: "install, update"}),
    "pre-commit": pre_commit,
    **each("code codium cursor", code),
    "softwareupdate": softwareupdate,
    "sdkmanager": INSTALLS,
}
