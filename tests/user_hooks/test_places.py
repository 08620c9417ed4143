"""Where hooks come from: the user's folder, a project after trust, packages; in which order, with which libraries."""

import json
import os
import shutil
from pathlib import Path

import pytest

from hookwright.testing.builders import payload
from tests.hook_kit import install_copy

pytestmark = pytest.mark.slow

SAYS = """from hookwright import PreToolUse, add_context, hook
@hook(PreToolUse, "Bash"{more})
def {name}(event):
    return add_context("{text}")
"""


def says(name, text="here", **more):
    return SAYS.format(name=name, text=text, more="".join(f", {key}={value!r}" for key, value in more.items()))


def heard(said):
    return said.get("additionalContext", "").split("\n") if said else []


# --- order
def test_hooks_decide_in_the_order_of_their_files_and_of_their_own_word(place):
    place.user_hook("b", says("second"))
    place.user_hook("c", says("first", order=-1) + says("last", order=9))
    place.user_hook("a", says("one"))
    assert [line.split("]")[0] for line in heard(place.said())] == [
        "[hookwright first", "[hookwright one", "[hookwright second", "[hookwright last",
    ]  # fmt: skip


def test_two_hooks_of_one_name_are_told_and_the_first_keeps_it(place):
    place.user_hook("a", says("twin", "one"))
    place.user_hook("b", says("twin", "two"))
    place.user_hook("c", says("observer", "mine"))
    told = place.told()
    assert "there is already a hook called twin in" in told
    assert "there is already a hook called observer" in told
    assert heard(place.said()) == ["[hookwright twin] one"]


def test_a_hook_has_options_a_section_a_mode_and_a_line_in_stats(place):
    place.user_hook(
        "greet",
        "from hookwright import Hook, PreToolUse, add_context, option\n"
        "class Greet(Hook):\n"
        "    '''Greets.'''\n"
        "    on = (PreToolUse, 'Bash')\n"
        "    word = option('hello', help='What to say.')\n"
        "    def decide(self, event):\n"
        "        return add_context(self.word)\n",
    )
    assert heard(place.said()) == ["[hookwright greet] hello"]
    place.config("[greet]\nword = 'hi'\n")
    assert heard(place.said()) == ["[hookwright greet] hi"]
    assert heard(place.said(HOOKWRIGHT_GREET_WORD="hey")) == ["[hookwright greet] hey"]
    assert place.run("config", "check").returncode == 0
    place.config("[greet]\nword = 5\n")
    found = place.run("config", "check")
    assert (found.returncode, "greet.word must be a text" in found.stdout) == (1, True)
    place.config("[greet]\nmode = 'shadow'\n")
    assert heard(place.said()) == []
    assert [row["mode"] for row in place.rows() if row["hook"] == "greet"] == ["shadow"]
    stats = json.loads(place.run("stats", "--json").stdout)
    assert stats["hooks"]["greet"]["calls"] == 4
    assert stats["hooks"]["greet"]["p50"] > 0


def test_a_helper_beside_a_hook_can_be_imported_and_its_change_counts(place):
    place.user_hook("_words", "GREETING = 'one'\n")
    place.user_hook("greet", "import _words\n" + says("greet").replace('"here"', "_words.GREETING"))
    assert heard(place.said()) == ["[hookwright greet] one"]
    place.user_hook("_words", "GREETING = 'three'\n")
    assert heard(place.said()) == ["[hookwright greet] three"]


# --- a project's own hooks
TRACE = "import os\nopen({path!r}, 'a').write('ran\\n')\n"


@pytest.fixture
def stranger(place, tmp_path):
    """A project whose hook leaves a trace as soon as anybody loads it."""
    trace = tmp_path / "trace"
    place.trace = trace
    place.file = place.project_hook("theirs", TRACE.format(path=str(trace)) + says("theirs"))
    return place


def test_a_projects_hooks_run_after_trust_and_not_before(stranger):
    assert "1 hook file that you have not trusted" in stranger.told()
    assert (stranger.said(), stranger.told(), stranger.trace.exists()) == ({}, "", False)
    shown = stranger.run("trust")
    assert (shown.returncode, "confirmation needs a terminal" in shown.stderr) == (1, True)
    assert "def theirs(event):" in shown.stdout
    assert stranger.run("trust", "--yes").returncode == 0
    assert heard(stranger.said()) == ["[hookwright theirs] here"]
    assert stranger.run("trust", "--revoke").returncode == 0
    stranger.trace.unlink()
    assert (stranger.said(), stranger.trace.exists()) == ({}, False)


CHANGES = {
    "its content": lambda s: s.file.write_text(s.file.read_text() + "# more\n"),
    "a new file": lambda s: s.project_hook("another", says("another")),
    "a new helper": lambda s: s.project_hook("_helper", "x = 1\n"),
    "a file that goes": lambda s: s.second.unlink(),
    "a new name": lambda s: s.file.rename(s.file.with_name("renamed.py")),
    "a new .hookwright.toml": lambda s: (s.project / ".hookwright.toml").write_text("[auto_background]\nmode = 'on'\n"),
    "a link instead": lambda s: (s.file.rename(s.project / "x.py"), s.file.symlink_to(s.project / "x.py")),
    "a linked folder": lambda s: (
        s.file.parent.rename(s.project / "hooks"),
        s.file.parent.symlink_to(s.project / "hooks"),
        s.config("# the plan is made anew; until then the trusted bytes run, and no others\n"),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_the_trust_is_gone_and_the_user_is_told_once(stranger, change):
    stranger.second = stranger.project_hook("second", says("second"))
    stranger.run("trust", "--yes")
    assert len(heard(stranger.said())) == 2
    CHANGES[change](stranger)
    stranger.trace.unlink()
    told = stranger.told()
    assert "not trusted" in told or "is a link" in told
    assert (stranger.said(), stranger.told(), stranger.trace.exists()) == ({}, "", False)


def test_a_change_that_keeps_time_and_size_does_not_run(stranger):
    stranger.run("trust", "--yes")
    assert heard(stranger.said()) == ["[hookwright theirs] here"]
    before = stranger.file.stat()
    with stranger.file.open("r+") as file:
        file.write(stranger.file.read_text().replace("here", "evil"))
    os.utime(stranger.file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert heard(stranger.said()) in ([], ["[hookwright theirs] here"])


@pytest.mark.parametrize("how", ["copied", "moved", "linked"])
def test_the_same_files_in_another_place_are_not_trusted(stranger, tmp_path, how):
    stranger.run("trust", "--yes")
    assert stranger.said()
    other = tmp_path / "other"
    if how == "copied":
        shutil.copytree(stranger.project, other)
    elif how == "moved":
        stranger.project.rename(other)
    else:
        other.mkdir()
        (other / ".hookwright").symlink_to(stranger.project / ".hookwright")
    stranger.trace.unlink()
    assert (stranger.said(project=other), stranger.trace.exists()) == ({}, False)


def test_a_link_cannot_be_trusted(stranger):
    stranger.file.rename(stranger.project / "x.py")
    stranger.file.symlink_to(stranger.project / "x.py")
    refused = stranger.run("trust", "--yes")
    assert (refused.returncode, "a symlink cannot be trusted" in refused.stderr) == (1, True)


def test_the_project_is_found_from_a_folder_below(stranger):
    below = stranger.project / "src/deep"
    below.mkdir(parents=True)
    assert stranger.run("trust", "--yes", project=below).returncode == 0
    assert heard(stranger.said(project=below)) == ["[hookwright theirs] here"]


def test_what_was_shown_cannot_hide_anything(place):
    place.project_hook("sly", says("sly") + "# \x1b[2Khidden \u202e reversed\n")
    shown = place.run("trust").stdout
    assert ("\x1b" in shown, "\u202e" in shown, "\\u001b[2Khidden \\u202e" in shown) == (False, False, True)


def test_only_what_changed_is_shown_again(stranger):
    stranger.project_hook("second", says("second"))
    stranger.run("trust", "--yes")
    stranger.project_hook("second", says("second", "new words"))
    shown = stranger.run("trust").stdout
    assert "theirs.py (unchanged, trusted before)" in shown
    assert "second.py (changed)" in shown
    assert "new words" in shown


def test_commands_and_paths_of_a_project_wait_for_trust_too(place, tmp_path):
    (place.project / ".hookwright.toml").write_text(
        f"[[hooks.command]]\nevent = 'PreToolUse'\ncommand = 'touch {tmp_path}/touched'\n"
    )
    assert "hooks.command is ignored: an untrusted project can only make settings stricter" in place.told()
    assert not (tmp_path / "touched").exists()
    place.run("trust", "--yes")
    place.said()
    assert (tmp_path / "touched").exists()


# --- packages
def installed(site: Path, name: str, entry: str, source: str) -> None:
    """A package as pip leaves it."""
    (site / f"{name}.py").write_text(source)
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[console_scripts]\nx = y:z\n\n[hookwright.hooks]\n{entry}\n")


@pytest.fixture
def site(place, tmp_path):
    folder = tmp_path / "site-packages"
    folder.mkdir()
    place.config(f"[hooks]\npath = ['{folder}']\n")
    return folder


def test_a_packages_hook_is_found_used_and_gone_with_the_package(place, site):
    assert place.said() == {}
    installed(site, "polite", "polite = polite:please", says("please", "from a package"))
    assert heard(place.said()) == ["[hookwright please] from a package"]
    installed(site, "polite", "polite = polite", says("please", "a newer one") + says("thanks"))
    assert heard(place.said()) == ["[hookwright please] a newer one", "[hookwright thanks] here"]
    shutil.rmtree(site / "polite-1.0.dist-info")
    assert place.said() == {}


def test_a_package_is_loaded_only_when_its_event_fires(place, site, tmp_path):
    trace = tmp_path / "trace"
    installed(site, "polite", "polite = polite", TRACE.format(path=str(trace)) + says("please"))
    place.said()
    place.said()  # the first import left its bytecode in the folder, which made the plan anew
    trace.unlink()
    place.said(payload("Stop", stop_hook_active=False))
    assert not trace.exists()
    place.said()
    assert trace.exists()


def test_a_package_that_cannot_be_loaded_is_told_and_costs_itself_only(place, site):
    installed(site, "broken", "broken = broken:missing", "x = 1\n")
    installed(site, "polite", "polite = polite", says("please"))
    told = place.told()
    assert "this package's hook cannot be loaded: AttributeError" in told
    assert "package broken" in told
    assert heard(place.said()) == ["[hookwright please] here"]


def test_a_hook_may_use_a_library_that_is_installed_beside_hookwright(place, site):
    (site / "colours.py").write_text("RED = 'red'\n")
    place.user_hook("paint", "import colours\n" + says("paint").replace('"here"', "colours.RED"))
    assert heard(place.said()) == ["[hookwright paint] red"]


def test_an_installed_hookwright_finds_packages_and_libraries_of_its_own_environment(place, tmp_path):
    """As after `pip install`: the package in a site-packages, and an editable package beside it."""
    site = place.hook_process.home / ".local/share/hookwright/environment/lib/site-packages"  # not a temporary place
    place.hook_process.argv = install_copy(site, place.hook_process.env)
    installed(site, "polite", "polite = polite", says("please"))
    elsewhere = tmp_path / "working-copy"
    elsewhere.mkdir()
    (site / "editable.pth").write_text(f"{elsewhere}\nimport not_this\n")
    (elsewhere / "colours.py").write_text("RED = 'red'\n")
    place.user_hook("paint", "import colours\n" + says("paint").replace('"here"', "colours.RED"))
    assert heard(place.said()) == ["[hookwright paint] red", "[hookwright please] here"]
