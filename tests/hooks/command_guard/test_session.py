"""What the session made itself is scratch, what was there before is not, whatever the record says."""

import os
import shutil
import subprocess
import threading
import time

import pytest

from hookwright.hooks.command_guard.hook import CommandGuard
from hookwright.hooks.command_guard.session import knowledge
from hookwright.hooks.observer.hook import Observer
from hookwright.store import session_marks
from tests.hooks.kit import Desk


class Session(Desk):
    """A session whose calls go through guard and observer, and really run if nobody stops them."""

    number = 0

    def world(self):
        world = super().world()
        world.alone = True
        return world

    def judge(self, tool, given, call="", **options):
        """The guard's word on a call before it runs."""
        fields = {"tool_name": tool, "tool_input": given, "tool_use_id": call or "look"}
        decision = self.fire(CommandGuard, "PreToolUse", options, **fields)
        return decision.permission if decision else None

    def play(self, tool, given, run, event="PostToolUse", **options):
        Session.number += 1
        call = f"toolu_{Session.number}"
        verdict = self.judge(tool, given, call, **options)
        if verdict != "deny":
            run()
            response = {"tool_response": {}} if event == "PostToolUse" else {"error": "Exit code 1"}
            fields = {"tool_name": tool, "tool_input": given, "tool_use_id": call, **response}
            self.fire(Observer, event, None, **fields)
        return verdict

    def sh(self, command, **fields):
        def run():
            subprocess.run(command, shell=True, cwd=self.project, check=False, capture_output=True)

        return self.play("Bash", {"command": command}, run, **fields)

    def write_file(self, name, text):
        return self.play("Write", {"file_path": self.path(name), "content": text}, lambda: self.put(name, text))

    def edit_file(self, name, text):
        given = {"file_path": self.path(name), "old_string": "x", "new_string": "y"}
        return self.play("Edit", given, lambda: self.put(name, text))

    def asks(self, command, **fields):
        return self.judge("Bash", {"command": command}, **fields)


@pytest.fixture
def session(tmp_path, monkeypatch):
    monkeypatch.setattr("hookwright.hooks.command_guard.path_kinds.TEMP_DIRS", ("/nowhere/",))
    return Session(tmp_path)


@pytest.mark.parametrize(
    ("make", "delete"),
    [
        ("mkdir work", "rm -rf work"),
        ("mkdir -p work/a/b", "rm -rf work"),
        ("mkdir -p work/a/b", "rm -rf work/a"),
        ("mkdir work && echo x > work/a.txt", "rm -rf work/*"),
        ("mkdir work && cd work && touch a", "cd work && rm -rf ../work"),
        ("git init work", "rm -rf work"),
        ("git init work", "rm -rf work/.git"),
        ("cp -r keep copy", "rm -rf copy"),
        ("mkdir work; false", "rm -rf ./work/"),
        ("echo x > data.sqlite", "rm data.sqlite"),
        ("git worktree add wt", "rm -rf wt"),
    ],
)
def test_what_the_session_made_is_deleted_in_silence(session, make, delete):
    session.put("keep/a.txt", "x")
    assert session.asks(delete) is not None
    session.sh(make)
    assert session.asks(delete) is None
    assert session.facts["guard"]["own"]


def test_a_folder_made_by_the_write_tool_is_scratch(session):
    session.write_file("demo/app/main.py", "print(1)\n")
    assert session.asks("rm -rf demo") is None


def test_a_call_that_failed_has_made_what_is_there(session):
    session.sh("mkdir work && false", event="PostToolUseFailure")
    assert session.asks("rm -rf work") is None


def old(session, name):
    session.put(f"{name}/valuable.txt", "x")


def made_by_others(session):
    """Noted as missing, never made by the call; a person makes it afterwards."""
    session.play("Bash", {"command": "mkdir src"}, lambda: None)
    session.put("src/valuable.txt", "x")


def refused_then_made(session):
    session.judge("Bash", {"command": "mkdir src"}, "toolu_refused")  # the user said no: no PostToolUse
    session.put("src/valuable.txt", "x")


def replaced(session):
    session.sh("mkdir src")
    os.rename(session.path("src"), session.path("away"))
    session.put("src/valuable.txt", "x")


def linked(session):
    old(session, "other")
    session.sh("mkdir src")
    os.rmdir(session.path("src"))
    os.symlink("other", session.path("src"))


def moved_in_by_command(session):
    session.put("valuable.txt", "x")
    session.sh("mkdir src")
    session.sh("mv valuable.txt src/")


def moved_in_as_folder(session):
    """By a program that nobody reads: what is inside is older than the folder."""
    session.put("other/valuable.txt", "x")
    time.sleep(1.2)
    session.sh("mkdir src")
    os.rename(session.path("other"), session.path("src/other"))


def forged(session):
    """The agent feeds the hook with its own payloads while the folder is away for a moment."""
    session.put("src/valuable.txt", "x")
    time.sleep(1.2)
    os.rename(session.path("src"), session.path("hidden"))
    session.play("Bash", {"command": "mkdir src"}, lambda: os.rename(session.path("hidden"), session.path("src")))


ATTACKS = {
    "there before": lambda session: old(session, "src"),
    "mkdir -p of what is there": lambda session: (old(session, "src"), session.sh("mkdir -p src")),
    "mkdir -p below what is there": lambda session: (old(session, "src"), session.sh("mkdir -p src/new")),
    "made by others": made_by_others,
    "refused, then made": refused_then_made,
    "replaced": replaced,
    "a link now": linked,
    "moved in by a command": moved_in_by_command,
    "moved in as a folder": moved_in_as_folder,
    "forged payloads": forged,
    "of another session": lambda session: (
        session.sh("mkdir src"),
        session.put("src/valuable.txt", "x"),
        setattr(session, "session", "s2"),
    ),
}


@pytest.mark.parametrize("prepare", ATTACKS.values(), ids=ATTACKS)
def test_what_was_there_before_is_asked_about(session, prepare):
    prepare(session)
    assert session.asks("rm -rf src") == "ask"


def test_one_foreign_target_among_several_is_asked_about(session):
    old(session, "src")
    session.sh("mkdir a b")
    assert session.asks("rm -rf a b") is None
    assert session.asks("rm -rf a src b") == "ask"
    assert session.asks("rm -rf a; rm -rf src") == "ask"
    assert session.asks("rm -rf a ~") == "deny"


def test_what_is_moved_into_a_folder_of_the_same_command_is_not_scratch(session):
    old(session, "src")
    assert session.asks("mkdir x && mv src x && rm -rf x") == "ask"
    assert session.asks("mkdir x && mv -t x src && rm -rf x") == "ask"
    assert session.asks("mkdir x && touch x/a && rm -rf x") is None


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs namespaces")
def test_a_mount_is_not_scratch(tmp_path):
    folder = tmp_path / "made"
    folder.mkdir()
    code = f"from hookwright.hooks.command_guard.session.knowledge import has_mount; print(has_mount({str(folder)!r}))"
    script = f"mount --bind /usr {folder} && python3 -c '{code.replace(chr(39), chr(34))}'"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(__import__("sys").path)}
    done = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, env=env, check=False)
    if done.returncode:
        pytest.skip(f"no mounts here: {done.stderr[:80]}")
    assert done.stdout.strip() == "True"
    assert not knowledge.has_mount(str(folder))


def test_a_folder_too_large_to_look_through_is_asked_about(session, monkeypatch):
    monkeypatch.setattr(knowledge, "MAX_ENTRIES", 5)
    session.sh("mkdir work; cd work; touch 1 2 3 4 5 6 7")
    assert session.asks("rm -rf work") == "ask"


# -- edits -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("discard", ["git checkout kept.py", "git checkout -- kept.py", "git restore kept.py"])
def test_ones_own_edit_is_discarded_in_silence(session, discard):
    assert session.asks(discard) == "ask"
    session.edit_file("kept.py", "a = 2\n")
    session.sh("sed -i s/2/3/ kept.py")
    assert session.asks(discard) is None


def test_an_edit_by_a_command_counts_too(session):
    session.sh("echo 'b = 1' >> kept.py")
    assert session.asks("git checkout kept.py") is None


def uncommitted_before(session):
    session.put("kept.py", "work of a person\n")
    session.edit_file("kept.py", "a = 2\n")


def person_afterwards(session):
    session.edit_file("kept.py", "a = 2\n")
    session.put("kept.py", "a = 2\nwork of a person\n")


def person_between(session):
    session.edit_file("kept.py", "a = 2\n")
    session.put("kept.py", "work of a person\n")
    session.edit_file("kept.py", "a = 3\n")


@pytest.mark.parametrize("prepare", [uncommitted_before, person_afterwards, person_between])
def test_the_work_of_a_person_is_not_discarded_unasked(session, prepare):
    prepare(session)
    assert session.asks("git checkout kept.py") == "ask"


@pytest.mark.parametrize(
    "discard",
    [
        "git checkout .",
        "git checkout HEAD~1 -- kept.py",
        "git checkout -f",
        "git restore --source=HEAD~1 kept.py",
        "git restore --staged --worktree kept.py",
        "git checkout kept.py other.py",
        "git checkout -- '*.py'",
        "git checkout kept.py; git checkout other.py",
    ],
)
def test_more_than_ones_own_edit_is_asked_about(session, discard):
    session.put("other.py", "b = 1\n")
    session.commit("second")
    session.put("other.py", "work of a person\n")
    session.edit_file("kept.py", "a = 2\n")
    assert session.asks(discard) == "ask"


# -- questions ---------------------------------------------------------------------------------------------------------


def test_a_question_that_was_let_pass_is_not_repeated_for_the_very_same_call(session):
    session.put(".env", "K=1\n")
    assert session.sh("cat .env") == "ask"
    assert session.asks("cat .env") is None
    assert session.asks("cat  .env") == "ask"
    assert session.asks("cat .env .env") == "ask"
    assert session.asks("cat .env && rm -rf src") == "ask"
    session.session = "s2"
    assert session.asks("cat .env") == "ask"


def test_a_question_that_was_refused_is_asked_again(session):
    session.put(".env", "K=1\n")
    assert session.asks("cat .env", call="toolu_no") == "ask"
    assert session.asks("cat .env") == "ask"


def test_what_destroys_is_asked_about_every_time(session):
    session.put("src/a.txt", "x")
    assert session.play("Bash", {"command": "rm -rf src"}, lambda: None) == "ask"
    assert session.asks("rm -rf src") == "ask"
    assert session.play("Bash", {"command": "git reset --hard"}, lambda: None) == "ask"
    assert session.asks("git reset --hard") == "ask"


def test_a_file_that_was_shown_once_is_shown_again(session):
    path = session.put(".env", "K=1\n")
    assert session.play("Read", {"file_path": path}, lambda: None) == "ask"
    assert session.judge("Read", {"file_path": path}) is None
    assert session.judge("Write", {"file_path": path, "content": "K=2"}) == "ask"


def test_a_denial_is_never_softened(session):
    session.put(".env", "K=1\n")
    assert session.sh("cat .env") == "ask"
    assert session.asks("cat .env", secrets="deny", deny=("secret-read",)) == "deny"


# -- scripts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "run", "expected"),
    [
        ("clean.sh", "set -e\nrm -rf ~\n", "bash clean.sh", "deny"),
        ("clean.sh", "#!/bin/sh\nrm -rf ~\n", "./clean.sh", "deny"),
        ("clean.sh", "rm -rf ~\n", "cd /tmp; . {project}/clean.sh", "deny"),
        ("d.py", "import shutil\nshutil.rmtree('/')\n", "python3 d.py", "deny"),
        ("d.py", "import shutil\nshutil.rmtree('/')\n", "python3.12 d.py --now", "deny"),
        ("tools/run", "#!/bin/bash\ngit push --force origin main\n", "tools/run", "deny"),
        ("ok.sh", "set -e\nnpm test\n", "bash ok.sh", None),
        ("ok.py", "print('rm -rf ~')\n", "python3 ok.py", None),
        ("clean.sh", "rm -rf ~\n", "cat clean.sh", None),
        ("clean.sh", "rm -rf ~\n", "chmod +x clean.sh", None),
        ("clean.sh", "rm -rf ~\n", "echo bash clean.sh", None),
    ],
)
@pytest.mark.parametrize("how", ["Write", "heredoc"])
def test_a_script_of_this_session_is_read_before_it_runs(session, name, content, run, expected, how):
    run = run.format(project=session.project)
    if how == "Write":
        session.write_file(name, content)
    else:
        session.sh(f"mkdir -p tools; cat > {name} <<'EOF'\n{content}EOF")
    assert session.asks(run) == expected


def test_a_script_that_was_there_before_is_the_projects(session):
    session.put("clean.sh", "rm -rf ~\n")
    assert session.asks("bash clean.sh") is None


def test_a_script_that_the_session_changed_is_read(session):
    session.put("clean.sh", "echo\n")
    session.edit_file("clean.sh", "rm -rf ~\n")
    assert session.asks("bash clean.sh") == "deny"


# -- the record --------------------------------------------------------------------------------------------------------


def test_the_record_is_private_bounded_and_survives_damage(session, monkeypatch):
    session.sh("mkdir 'a b' $'c\td'")
    path = session_marks.marks_path(session.state, session.session)
    assert os.stat(path).st_mode & 0o077 == 0
    with open(path, "ab") as file:
        file.write(b"made\tnot a time\n\xff\xfe\nmade\t1\nvoid\n")
    assert session.asks("rm -rf 'a b'") is None
    monkeypatch.setattr(session_marks, "MAX_BYTES", 10)
    session.sh("mkdir late")
    assert session.asks("rm -rf late") == "ask"


@pytest.mark.parametrize("name", ["../../../../evil", "a/b", "", "x" * 5000, "\0", "..", "%0A\n"])
def test_ids_of_a_payload_cannot_leave_the_record(session, name):
    session.session = name or "s1"
    before = sorted(os.listdir(session.root))
    fields = {"tool_name": "Bash", "tool_input": {"command": "mkdir work"}, "tool_use_id": name}
    session.fire(CommandGuard, "PreToolUse", None, **fields)
    session.fire(Observer, "PostToolUse", None, tool_response={}, **fields)
    assert set(os.listdir(session.root)) - set(before) <= {"state"}
    for folder, _, _ in os.walk(os.path.join(session.root, "state")):
        assert os.path.realpath(folder).startswith(os.path.join(session.root, "state"))


def test_parallel_calls_do_not_lose_each_others_marks(session):
    def work(number):
        call = {"tool_name": "Bash", "tool_input": {"command": f"mkdir d{number}"}, "tool_use_id": f"p{number}"}
        session.fire(CommandGuard, "PreToolUse", None, **call)
        os.mkdir(session.path(f"d{number}"))
        session.fire(Observer, "PostToolUse", None, tool_response={}, **call)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    made = session_marks.read_marks(session.state, session.session).made
    assert {os.path.basename(path) for path in made} == {f"d{number}" for number in range(20)}
    assert os.listdir(os.path.join(session.state, "sessions", "s1", "pending")) == []


def test_explaining_a_command_leaves_no_trace(session):
    world = Desk.world(session)
    event = session.event("PreToolUse", tool_name="Bash", tool_input={"command": "mkdir x"}, tool_use_id="explain")
    assert CommandGuard(world).decide(event) is None
    assert not os.path.exists(session.state)
