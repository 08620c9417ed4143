"""The old file or the new one, whatever happens: kills, full disks, other writers, unusual paths."""

import os
import signal
import stat
import subprocess
import sys
import textwrap
import threading

import pytest

from hookwright.errors import UserError
from hookwright.settings import write
from hookwright.settings.write import ChangedMeanwhileError, hold_lock, read_bytes, real_path, replace_file

OLD, NEW = b'{"old": 1}' * 4000, b'{"new": 2}' * 5000


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes(OLD)
    return str(path)


def in_python(code, *args, **options):
    """Run code in a child process, since it is going to be killed."""
    command = [sys.executable, "-c", textwrap.dedent(code), *args]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_new_bytes_replace_the_old(file):
    replace_file(file, OLD, NEW)
    assert read_bytes(file) == NEW


def test_no_file_can_be_made_and_unmade(tmp_path):
    path = str(tmp_path / "settings.json")
    replace_file(path, None, NEW)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    replace_file(path, NEW, None)
    assert read_bytes(path) is None


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o640])
def test_the_file_mode_is_kept(file, mode):
    os.chmod(file, mode)
    replace_file(file, OLD, NEW)
    assert stat.S_IMODE(os.stat(file).st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_and_group_are_kept(file):
    os.chown(file, 65534, 65534)
    replace_file(file, OLD, NEW)
    assert (os.stat(file).st_uid, os.stat(file).st_gid) == (65534, 65534)


def test_extended_attributes_are_kept(file):
    try:
        os.setxattr(file, "user.note", b"mine")
    except OSError:
        pytest.skip("no extended attributes on this file system")
    replace_file(file, OLD, NEW)
    assert os.getxattr(file, "user.note") == b"mine"


def test_a_foreign_writer_in_between_is_not_overwritten(file, monkeypatch):
    """He comes after our temporary file is complete, a moment before the rename."""
    finish = write.Replacement.sync

    def interrupted(self):
        finish(self)
        with open(file, "wb") as handle:
            handle.write(b"his")

    monkeypatch.setattr(write.Replacement, "sync", interrupted)
    with pytest.raises(ChangedMeanwhileError):
        replace_file(file, OLD, NEW)
    assert read_bytes(file) == b"his"
    assert os.listdir(os.path.dirname(file)) == ["settings.json"]


@pytest.mark.parametrize("before", [None, b"other"])
def test_a_file_that_is_not_what_was_read_is_refused(file, before):
    with pytest.raises(ChangedMeanwhileError):
        replace_file(file, before, NEW)
    assert read_bytes(file) == OLD


@pytest.mark.slow
def test_a_kill_before_any_step_leaves_the_old_or_the_new_file(tmp_path):
    """Every call into C is a place to die: the child counts them and kills itself at each one in turn."""
    out = in_python(
        """
        import os, signal, sys
        from hookwright.settings.write import hold_lock, replace_file
        path, locks = sys.argv[1] + "/settings.json", sys.argv[1] + "/locks"
        OLD, NEW = b'{"old": 1}' * 4000, b'{"new": 2}' * 5000
        def child(deadly):
            calls = 0
            def count(frame, event, arg):
                nonlocal calls
                if event in ("c_call", "c_return"):
                    calls += 1
                    if calls == deadly:
                        os.kill(os.getpid(), signal.SIGKILL)
            sys.setprofile(count)
            with hold_lock(path, locks):
                replace_file(path, OLD, NEW)
            os._exit(0)
        deaths, seen = 0, set()
        for deadly in range(1, 2000):
            with open(path, "wb") as handle:
                handle.write(OLD)
            pid = os.fork()
            if pid == 0:
                child(deadly)
            died = os.WIFSIGNALED(os.waitpid(pid, 0)[1])
            with open(path, "rb") as handle:
                now = handle.read()
            assert now in (OLD, NEW), (deadly, len(now))
            if not died:
                break
            deaths += 1
            seen.add(now == NEW)
        left = [name for name in os.listdir(sys.argv[1]) if name not in ("settings.json", "locks")]
        print(deaths, sorted(seen), left)
        """,
        str(tmp_path),
    )
    deaths, seen = out.split(" ", 1)
    assert int(deaths) > 60
    assert seen.strip() == "[False, True] []"  # both sides of the rename were met; the last run swept up


@pytest.mark.slow
def test_two_hundred_kills_at_random_moments(tmp_path):
    """The child writes to and fro without pause until it is killed."""
    out = in_python(
        """
        import os, random, signal, sys, time
        from hookwright.settings.write import hold_lock, read_bytes, replace_file
        path, locks = sys.argv[1] + "/settings.json", sys.argv[1] + "/locks"
        BOTH = [b'{"old": 1}' * 4000, b'{"new": 2}' * 5000]
        with open(path, "wb") as handle:
            handle.write(BOTH[0])
        random.seed(7)
        kills = 0
        for _ in range(220):
            pid = os.fork()
            if pid == 0:
                while True:
                    now = read_bytes(path)
                    with hold_lock(path, locks):
                        replace_file(path, now, BOTH[now == BOTH[0]])
            time.sleep(random.random() * 0.006)
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            kills += 1
            assert read_bytes(path) in BOTH
        print(kills)
        """,
        str(tmp_path),
    )
    assert int(out) == 220


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path):
    """A limit on the size of files fails like a full disk, for everybody and without a mount."""
    out = in_python(
        """
        import os, resource, sys
        from hookwright.errors import UserError
        from hookwright.settings.write import replace_file
        path = sys.argv[1] + "/settings.json"
        with open(path, "wb") as handle:
            handle.write(b"old")
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            replace_file(path, b"old", b"x" * 5000)
        except UserError as problem:
            print(problem.what, os.listdir(sys.argv[1]), open(path).read())
        """,
        str(tmp_path),
    )
    assert out.strip() == "no space left on the disk; the file was not changed ['settings.json'] old"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_small_disk_that_is_full_leaves_the_file_as_it_was(tmp_path):
    code = textwrap.dedent(
        """
        import os, sys
        from hookwright.errors import UserError
        from hookwright.settings.write import replace_file
        path = sys.argv[1] + "/settings.json"
        with open(path, "wb") as handle:
            handle.write(b"old")
        try:
            replace_file(path, b"old", b"x" * 500_000)
        except UserError as problem:
            print(problem.what, os.listdir(sys.argv[1]), open(path).read())
        """
    )
    script = 'mount -t tmpfs -o size=64k none "$1" || exit 77; exec "$2" -c "$3" "$1"'
    command = ["unshare", "-m", "sh", "-c", script, "sh", str(tmp_path), sys.executable, code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode in (1, 77):
        pytest.skip(f"no mount here: {done.stderr}")
    assert done.stdout.strip() == "no space left on the disk; the file was not changed ['settings.json'] old"


def replace_as_nobody(folder):
    """The message with which a user without privileges is refused.

    Privileges are dropped in a forked child, after all imports: the interpreter itself may live in a private home.
    """
    path = folder + "/settings.json"
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        message = "it was replaced"
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setresgid(65534, 65534, 65534)
                os.setresuid(65534, 65534, 65534)
            replace_file(path, read_bytes(path), b"new")
        except UserError as problem:
            message = problem.what
        except BaseException as problem:  # noqa: BLE001 - the child must not return into pytest
            message = repr(problem)
        os.write(write_end, message.encode())
        os._exit(0)
    os.close(write_end)
    with open(read_end, "rb") as pipe:
        message = pipe.read().decode()
    os.waitpid(pid, 0)
    return message


@pytest.fixture
def open_folder(tmp_path_factory):
    import tempfile  # noqa: PLC0415 - pytest's own folders are closed to other users

    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield folder


def test_a_read_only_folder_is_answered(open_folder):
    with open(open_folder + "/settings.json", "w") as handle:
        handle.write("old")
    os.chmod(open_folder + "/settings.json", 0o666)
    os.chmod(open_folder, 0o555)
    try:
        assert replace_as_nobody(open_folder) == "the file or its folder is not writable; the file was not changed"
    finally:
        os.chmod(open_folder, 0o755)
    assert read_bytes(open_folder + "/settings.json") == b"old"


def test_a_read_only_file_is_respected(open_folder):
    os.chmod(open_folder, 0o777)
    with open(open_folder + "/settings.json", "w") as handle:
        handle.write("old")
    os.chmod(open_folder + "/settings.json", 0o444)
    assert replace_as_nobody(open_folder) == "the file is read-only; it was not changed"


def test_the_lock_keeps_a_second_run_out_and_gives_up_in_time(file, tmp_path):
    locks = str(tmp_path / "locks")
    entered, leave = threading.Event(), threading.Event()

    def hold():
        with hold_lock(file, locks):
            entered.set()
            leave.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    assert entered.wait(30)
    try:
        with pytest.raises(UserError, match="another hookwright"), hold_lock(file, locks, timeout_seconds=0.1):
            pass
    finally:
        leave.set()
        holder.join()
    with hold_lock(file, locks, timeout_seconds=0.1):
        pass


HOLD = """
import sys, time
from hookwright.settings.write import hold_lock
with hold_lock(*sys.argv[1:]):
    print(1, flush=True)
    time.sleep(60)
"""


def test_a_killed_holder_leaves_no_lock(file, tmp_path):
    locks = str(tmp_path / "locks")
    with subprocess.Popen([sys.executable, "-c", HOLD, file, locks], stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"1\n"
        holder.send_signal(signal.SIGKILL)
    with hold_lock(file, locks, timeout_seconds=5):
        pass


def test_symlinks_lead_to_the_real_file(tmp_path):
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "claude.json").write_bytes(OLD)
    link = tmp_path / "settings.json"
    link.symlink_to("dotfiles/claude.json")
    target = real_path(str(link))
    replace_file(target, OLD, NEW)
    assert link.is_symlink()
    assert (dotfiles / "claude.json").read_bytes() == NEW


def test_a_symlink_to_a_file_that_does_not_exist_yet_names_it(tmp_path):
    link = tmp_path / "settings.json"
    link.symlink_to("later.json")
    assert real_path(str(link)) == str(tmp_path / "later.json")


@pytest.mark.parametrize("links", [{"a": "a"}, {"a": "b", "b": "a"}, {"a": "b/x", "b": "a"}])
def test_symlinks_in_a_circle_are_answered(tmp_path, links):
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    with pytest.raises(UserError, match="loop"):
        real_path(str(tmp_path / "a"))


def test_a_folder_and_a_pipe_are_no_settings(tmp_path):
    with pytest.raises(UserError, match="there is a folder"):
        read_bytes(str(tmp_path))
    (tmp_path / "x").write_text("")
    with pytest.raises(UserError, match="not a folder"):
        real_path(str(tmp_path / "x" / "settings.json"))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UserError, match="not a regular file"):
        read_bytes(str(tmp_path / "pipe"))


def test_missing_folders_are_made_only_one_deep(tmp_path):
    assert write.make_settings_folder(str(tmp_path / ".claude" / "settings.json")) is True
    assert write.make_settings_folder(str(tmp_path / ".claude" / "settings.json")) is False
    with pytest.raises(UserError, match="does not exist"):
        write.make_settings_folder(str(tmp_path / "no" / ".claude" / "settings.json"))
