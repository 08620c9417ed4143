"""The bundle is never stale, never trusted when it may be somebody else's, and built once, after the answer."""

import json
import marshal
import os
import shutil
import subprocess
import sys
from _imp import source_hash
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hookwright.runtime import bundle_builder, bundle_update, launcher
from hookwright.testing.builders import bash
from tests.hook_kit import install_copy

pytestmark = pytest.mark.slow

FORCE = bash("npm install").raw
DESTROY = bash("rm -rf /").raw
READ = bash("cd web && make build && ls").raw  # needs modules that are not in the core


@pytest.fixture
def installed(hook_process, tmp_path):
    """The hook process of a package that can be changed: a copy of it, with its launcher and bundle."""
    hook_process.root = tmp_path / "site"
    hook_process.argv = install_copy(hook_process.root, hook_process.env)
    cache = hook_process.home / ".cache/hookwright"
    [hook_process.bundle] = [path for path in cache.glob("bundle-site*") if path.is_dir()]
    return hook_process


def forced(answer):
    return answer["hookSpecificOutput"]["updatedInput"]["run_in_background"]


def denied(answer):
    return answer["hookSpecificOutput"]["permissionDecision"] == "deny"


def runs_from_bundle(hook_process):
    """True if the process needs nothing that only an import from source loads."""
    hook_process(FORCE)  # the first event of all compiles the plan, from source
    before = hook_process.launcher.read_text()
    hook_process.print_modules_at_exit()
    loaded = hook_process(FORCE).stderr.decode().split("\n")
    hook_process.launcher.write_text(before)
    return "hookwright.options" not in loaded


def allow_next_build(bundle):
    """As if the last attempt were long ago."""
    os.utime(f"{bundle}.lock", (1, 1))


def test_a_process_runs_from_the_bundle(installed):
    assert runs_from_bundle(installed)
    shutil.rmtree(installed.bundle)
    assert not runs_from_bundle(installed)


def test_the_code_knows_its_file_and_its_lines(hook_process):
    """A traceback from the hook process is as good as one from source."""
    for path in Path(launcher.bundle_dir()).iterdir():
        for name, code, file, *_ in rows_of(path) if path.name != "manifest" else ():
            functions = [code, *(const for const in code.co_consts if hasattr(const, "co_lines"))]
            assert code.co_filename == file
            assert all(any(line for *_, line in function.co_lines()) for function in functions), name


def rows_of(path):
    return marshal.loads(path.read_bytes()[8:])


# --- changes of the source
def test_a_source_that_changed_is_never_answered_from_the_old_bundle(installed):
    assert forced(installed.answer(FORCE))
    hook = installed.root / "hookwright/hooks/auto_background/telling.py"
    hook.write_text(hook.read_text().replace('f"Moved to the background: ', 'f"CHANGED: '))
    assert "CHANGED" in json.dumps(installed.answer(FORCE))
    version = installed.root / "hookwright/version.py"
    version.write_text('__version__ = "9.9.9"\n')
    assert forced(installed.answer(FORCE))
    assert installed.journal[-1]["version"] == "9.9.9"


def test_a_module_that_is_loaded_late_is_never_stale_either(installed, wait_for):
    module = installed.root / "hookwright/shell/fast_parser.py"
    module.write_text(
        module.read_text() + "\nimport posix; posix.close(posix.open(__file__ + '.ran', posix.O_CREAT))\n"
    )
    assert installed(READ).returncode == 0
    assert Path(f"{module}.ran").exists()
    wait_for(lambda: bundle_of(installed).stat().st_mtime > 0 and runs_from_bundle(installed))


@pytest.fixture
def with_record(hook_process, tmp_path):
    """The hook process of a package with a RECORD beside it, as pip leaves one."""
    hook_process.root = tmp_path / "site"
    hook_process.record = hook_process.root / "hookwright-1.0.dist-info/RECORD"
    hook_process.record.parent.mkdir(parents=True)
    hook_process.record.write_text("hookwright/__init__.py,,\n")
    hook_process.argv = install_copy(hook_process.root, hook_process.env)
    assert runs_from_bundle(hook_process)
    return hook_process


def test_the_record_of_an_installed_package_stands_for_every_source(with_record):
    [bundle] = [path for path in (with_record.home / ".cache/hookwright").glob("bundle-site*") if path.is_dir()]
    files = [path for path in bundle.iterdir() if path.name != "manifest"]
    assert {row[2] for path in files for row in rows_of(path) if row[3]} == {str(with_record.record)}


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record.write_text("hookwright/__init__.py,,\nhookwright/new.py,,\n"),
        lambda record: os.utime(record, (1, 1)),
        lambda record: record.parent.rename(record.parent.with_name("hookwright-1.1.dist-info")),
    ],
    ids=["written", "touched", "of another version"],
)
@pytest.mark.parametrize("event", [FORCE, READ], ids=["early", "late"])
def test_another_installation_is_never_answered_from_the_old_bundle(with_record, change, event):
    for name in ("hooks/auto_background/hook.py", "shell/fast_parser.py"):
        module = with_record.root / "hookwright" / name
        module.write_text(
            module.read_text() + "\nimport posix; posix.close(posix.open(__file__ + '.ran', posix.O_CREAT))\n"
        )
    change(with_record.record)
    with_record(event)
    name = {"npm install": "hooks/auto_background/hook.py"}.get(event["tool_input"]["command"], "shell/fast_parser.py")
    assert (with_record.root / "hookwright" / f"{name}.ran").exists()


def bundle_of(installed):
    return installed.bundle


def test_after_a_change_the_bundle_is_built_again(installed, wait_for):
    version = installed.root / "hookwright/version.py"
    version.write_text('__version__ = "9.9.9"\n')
    allow_next_build(installed.bundle)
    assert not runs_from_bundle(installed)
    wait_for(lambda: runs_from_bundle(installed))
    installed(FORCE)
    assert installed.journal[-1]["version"] == "9.9.9"


# --- damage
DAMAGES = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 3],
    "checksum": lambda data: bytes([data[0] ^ 255]) + data[1:],
    "flipped": lambda data: data[:-50] + bytes([data[-50] ^ 255]) + data[-49:],
    "text": lambda data: b"not a bundle" * 1000,
    "another Python": lambda data: b"\0" * 8 + data[8:],
    "missing": None,
    "a folder": None,
}


def put_damage(path, damage):
    data = path.read_bytes()
    path.unlink()  # and not written in place: it is a link
    if damage == "a folder":
        path.mkdir()
    elif damage != "missing":
        path.write_bytes(DAMAGES[damage](data))
    return data


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_changes_no_answer_and_is_built_again(hook_process, damage):
    bundle = Path(launcher.bundle_dir())
    Path(f"{bundle}.lock").touch()  # somebody has just tried to build: the events below do not
    for name in ("core", "PreToolUse-Bash", "hookwright.shell.parser", "manifest"):
        data = put_damage(bundle / name, damage)
        assert forced(hook_process.answer(FORCE)), name
        assert denied(hook_process.answer(DESTROY)), name
        assert hook_process(READ).returncode == 0
        assert not bundle_builder.is_current(str(bundle))
        if damage == "a folder":
            (bundle / name).rmdir()
        (bundle / name).write_bytes(data)
        (bundle / name).chmod(0o600)
    assert bundle_builder.is_current(str(bundle))
    put_damage(bundle / "core", damage)
    assert bundle_update.update_bundle(str(bundle))
    assert bundle_builder.is_current(str(bundle))
    assert runs_from_bundle(hook_process)


# --- whose it is
PLANTED = "import posix; posix.close(posix.open({!r}, posix.O_CREAT)); posix._exit(0)"


def plant(hook_process, name="core", row=-1):
    """Replace the code of a module in the bundle by a stranger's, with right checksums; row 0 of core is the loader."""
    mark = hook_process.home / "planted"
    bundle = Path(launcher.bundle_dir())
    rows = marshal.loads((bundle / name).read_bytes()[8:])
    code = compile(PLANTED.format(str(mark)), "planted", "exec")
    rows[row] = (rows[row][0], code, *rows[row][2:])
    data = marshal.dumps(rows)
    (bundle / name).unlink()
    (bundle / name).write_bytes(source_hash(sys.hexversion, data) + data)
    (bundle / name).chmod(0o600)
    return bundle, mark


@pytest.mark.parametrize("row", [0, -1])
@pytest.mark.parametrize("name", ["core", "PreToolUse-Bash"])
def test_a_planted_bundle_would_run_if_it_were_ours(hook_process, name, row):
    _, mark = plant(hook_process, name, row)
    hook_process(FORCE)
    assert mark.exists()  # so that the tests below show something


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702, 0o720, 0o1777])
def test_a_bundle_that_others_can_write_to_is_not_executed(hook_process, mode):
    bundle, mark = plant(hook_process)
    bundle.chmod(mode)
    assert forced(hook_process.answer(FORCE))
    assert not mark.exists()


def test_a_bundle_that_is_a_link_is_not_executed(hook_process, tmp_path):
    bundle, mark = plant(hook_process)
    bundle.rename(tmp_path / "elsewhere")
    bundle.symlink_to(tmp_path / "elsewhere")
    assert forced(hook_process.answer(FORCE))
    assert not mark.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_bundle_of_another_user_is_not_executed(hook_process):
    bundle, mark = plant(hook_process)
    os.chown(bundle, 12345, 12345)
    assert forced(hook_process.answer(FORCE))
    assert not mark.exists()


@pytest.mark.parametrize("name", ["core", "PreToolUse-Bash"])
@pytest.mark.parametrize("change", ["owner", "group", "everyone"])
def test_a_file_that_is_not_ours_in_a_bundle_of_ours_is_not_executed(hook_process, name, change):
    """As if the directory had been exchanged between the check of it and the opening of the file."""
    bundle, mark = plant(hook_process, name, 0)
    if change == "owner":
        if os.geteuid() != 0:
            pytest.skip("only root can give a file away")
        os.chown(bundle / name, 65534, 65534)
    else:
        (bundle / name).chmod({"group": 0o620, "everyone": 0o602}[change])
    assert forced(hook_process.answer(FORCE))
    assert not mark.exists()


def test_the_environment_cannot_name_another_bundle(hook_process, tmp_path):
    """A cloned project may set variables in its settings."""
    bundle, mark = plant(hook_process)
    shutil.copytree(bundle, tmp_path / "cache/hookwright" / bundle.name)
    shutil.rmtree(bundle)
    hook_process(FORCE, XDG_CACHE_HOME=str(tmp_path / "cache"), HOOKWRIGHT_CACHE_HOME=f"{tmp_path}/cache/hookwright")
    assert not mark.exists()


def test_a_payload_cannot_name_a_file_outside_of_the_bundle(hook_process):
    bundle, mark = plant(hook_process)
    (bundle / "core").rename(bundle.parent / "planted")
    shutil.rmtree(bundle)
    subprocess.run([*hook_process.argv], input=b"{}", env=hook_process.env, check=True)
    assert bundle_update.update_bundle(str(bundle), wait_s=60)
    for event, tool in (("../planted", "Bash"), ("PreToolUse", "/../../planted"), ("x/../../planted", None)):
        hook_process({"hook_event_name": event, "tool_name": tool, "tool_input": {}})
    assert not mark.exists()


# --- building
def test_twenty_first_events_are_all_answered_and_one_of_them_builds(installed, tmp_path, wait_for):
    builds = tmp_path / "builds"
    builds.mkdir()
    builder = installed.root / "hookwright/runtime/bundle_builder.py"
    text = builder.read_text()
    begin = "    os.chmod(new, 0o700)\n"
    assert begin in text
    builder.write_text(text.replace(begin, f"{begin}    os.mkdir(f'{builds}/{{time.time_ns()}}')\n"))
    shutil.rmtree(installed.bundle)
    allow_next_build(installed.bundle)
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(installed.answer, [DESTROY] * 20))
    assert all(map(denied, answers))
    wait_for(lambda: (installed.bundle / "manifest").exists() and runs_from_bundle(installed))
    assert len(list(builds.iterdir())) == 1


def test_nobody_waits_for_the_build(installed, tmp_path, wait_for):
    """The answer, the end of the process and of its streams come first."""
    gate = tmp_path / "gate"
    builder = installed.root / "hookwright/runtime/bundle_builder.py"
    builder.write_text(builder.read_text() + f"\nwhile not os.path.exists({str(gate)!r}):\n    time.sleep(0.05)\n")
    shutil.rmtree(installed.bundle)
    allow_next_build(installed.bundle)
    assert forced(installed.answer(FORCE))  # reads until nobody holds the other end of the pipe
    assert not installed.bundle.exists()
    gate.touch()
    wait_for(installed.bundle.exists)


def test_after_a_failed_build_the_next_events_do_not_build(installed, wait_for):
    update = installed.root / "hookwright/runtime/bundle_update.py"
    update.write_text(update.read_text().replace("RETRY_S = 20.0", "RETRY_S = 2000.0"))  # the machine may be slow
    builder = installed.root / "hookwright/runtime/bundle_builder.py"
    builder.write_text(builder.read_text() + "\nopen(f'{__file__}.{os.getpid()}', 'w')\nraise OSError\n")
    shutil.rmtree(installed.bundle)
    allow_next_build(installed.bundle)
    attempts = lambda: list(builder.parent.glob("bundle_builder.py.*"))  # noqa: E731
    assert forced(installed.answer(FORCE))
    wait_for(attempts)
    for _ in range(3):
        assert forced(installed.answer(FORCE))
    assert len(attempts()) == 1
    allow_next_build(installed.bundle)
    assert forced(installed.answer(FORCE))
    wait_for(lambda: len(attempts()) == 2)


def test_a_bundle_is_built_once_and_again_after_a_change(hook_process):
    bundle = launcher.bundle_dir()
    before = os.stat(bundle).st_ino
    assert bundle_update.update_bundle(bundle)
    assert os.stat(bundle).st_ino == before
    os.unlink(f"{bundle}/PreToolUse-Bash")
    assert bundle_update.update_bundle(bundle)
    assert os.stat(bundle).st_ino != before
    assert sorted(path.name for path in Path(bundle).parent.iterdir()) == [
        os.path.basename(bundle),
        os.path.basename(bundle) + ".lock",
    ]


def test_what_other_versions_left_behind_goes_after_a_week(hook_process):
    cache = Path(launcher.bundle_dir()).parent
    for name in ("door-src-1.cpython-311", "bundle-old.cpython-310.lock"):
        (cache / name).write_text("old")
    (cache / "bundle-old.cpython-310").mkdir()
    (cache / "bundle-new.cpython-313").mkdir()
    (cache / "plan-x").write_text("other")
    for name in ("door-src-1.cpython-311", "bundle-old.cpython-310.lock", "bundle-old.cpython-310", "plan-x"):
        os.utime(cache / name, (1, 1))
    shutil.rmtree(launcher.bundle_dir())
    assert bundle_update.update_bundle(launcher.bundle_dir())
    left = {path.name for path in cache.iterdir()} - {os.path.basename(launcher.bundle_dir())}
    assert left == {"bundle-new.cpython-313", "plan-x", os.path.basename(launcher.bundle_dir()) + ".lock"}


def test_no_module_imports_something_that_is_not_in_the_bundle(hook_process):
    """What an event loads is complete: the core and the event's file need no other file."""
    bundle = Path(launcher.bundle_dir())
    core = {row[0] for row in rows_of(bundle / "core")}
    sources = bundle_builder.find_sources()
    for path in bundle.iterdir():
        if path.name[0].isupper():
            names = [row[0] for row in rows_of(path)]
            assert len(set(names) | core) == len(names) + len(core), path.name
            assert set(names) <= set(sources)
