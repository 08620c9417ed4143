"""The guard in the real client: what it refuses does not run, what it asks about is asked, mentions run untouched."""

import os

import pytest

from tests.client.kit.scripted_api import bash, call
from tests.client.kit.stream import allow, refuse
from tests.hook_kit import prepare_hook

MATCHER = "Bash|Read|Write|Edit|NotebookEdit"


@pytest.fixture
def guarded(lab, monkeypatch, built_bundle):
    """The lab with our hook process before the tools it guards, everything else allowed, and something to lose."""
    for name in [name for name in os.environ if name.startswith(("XDG_", "HOOKWRIGHT_", "CLAUDE"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", lab.home)
    argv = prepare_hook(built_bundle)
    lab.handler("PreToolUse", {"type": "command", "command": argv[0], "args": argv[1:], "timeout": 60}, matcher=MATCHER)
    lab.allow("Bash", "Read", "Write", "Edit")
    lab.write(".git/objects/x", "history")
    lab.write("src/app.py", "work")
    lab.write(".env", "TOKEN=1")
    return lab


def test_a_denied_command_does_not_run_and_the_model_reads_the_reason(guarded):
    run = guarded.run([bash("cd src; rm -rf ../.git; echo gone"), "done"])
    [result] = run.tool_results
    assert guarded.read(".git/objects/x") == "history"
    assert result.failed
    assert "would delete the repository's own history" in result.text
    assert "Look first: `ls -la ../.git`" in result.text
    assert "[hookwright recursive-delete]" in result.text


@pytest.mark.parametrize(
    ("human", "left"), [(allow, None), (lambda request: refuse(), "work")], ids=["allowed", "refused"]
)
def test_an_asked_command_runs_only_if_a_person_says_so(guarded, human, left):
    with guarded.stream([bash("rm -rf src"), "done"], human=human) as session:
        session.say("go")
        session.wait_for_result()
    assert [request["tool_name"] for request in session.asked] == ["Bash"]
    assert guarded.read("src/app.py") == left


def test_an_asked_command_is_refused_with_the_reason_where_nobody_can_be_asked(guarded):
    run = guarded.run([bash("git reset --hard HEAD~1"), bash("rm -rf src"), "done"])
    assert guarded.read("src/app.py") == "work"
    assert [result.failed for result in run.tool_results] == [True, True]
    assert "[hookwright git-reset-hard]" in run.tool_results[0].text
    assert "[hookwright recursive-delete]" in run.tool_results[1].text


def test_an_asked_command_prompts_on_the_screen_with_its_reason(guarded, tmux):
    args = ["--permission-mode", "default"]
    with guarded.terminal([bash("rm -rf src"), "all done"], args=args) as screen:
        screen.say("go")
        screen.wait("Instead: `mv -v src ")
        screen.answer("Do you want to proceed?", "Enter")
        screen.wait("all done")
        screen.leave()
    assert guarded.read("src/app.py") is None


@pytest.mark.parametrize(
    "command",
    [
        "echo 'rm -rf .git' | tee note.txt",
        "printf '%s' 'git push --force origin main' > note.txt; cat note.txt",
        "cat <<'EOF'\nterraform destroy -auto-approve\nEOF",
        "grep -c 'rm -rf' note.txt src/app.py || echo none",
        "mkdir -p node_modules/x && rm -rf node_modules && echo cleaned",
    ],
)
def test_a_mention_or_harmless_deed_runs_untouched(guarded, command):
    guarded.write("note.txt", "")
    run = guarded.run([bash(command), "done"])
    assert not run.tool_results[0].failed
    assert "hookwright" not in run.tool_results[0].text
    assert run.context_texts() == []
    assert run.system_messages() == []


def test_protected_files_are_neither_written_nor_read_unseen(guarded):
    os.symlink(".env", os.path.join(guarded.project, "notes.txt"))
    path = os.path.join(guarded.project, ".env")
    link = os.path.join(guarded.project, "notes.txt")
    settings = os.path.join(guarded.project, ".hookwright.toml")
    run = guarded.run(
        [
            call("Read", file_path=path),
            call("Read", file_path=link),
            call("Write", file_path=settings, content="[command_guard]"),
            call("Write", file_path=os.path.join(guarded.project, "src/new.py"), content="fine"),
            call("Read", file_path=os.path.join(guarded.project, "src/app.py")),
            "done",
        ]
    )
    assert [result.failed for result in run.tool_results] == [True, True, True, False, False]
    assert all("TOKEN" not in result.text for result in run.tool_results)
    assert "it holds secrets" in run.tool_results[0].text
    assert "notes.txt, which is" in run.tool_results[1].text
    assert "[hookwright protected-settings]" in run.tool_results[2].text
    assert guarded.read("src/new.py") == "fine"
    assert guarded.read(".hookwright.toml") is None


def test_what_a_command_does_counts_whatever_program_does_it(guarded):
    """An unlisted reader, code just written, a task of the project: refused where nobody can be asked."""
    guarded.write("package.json", '{"scripts": {"tidy": "rm -rf src", "hello": "echo hello"}}')
    guarded.write("Makefile", "wipe:\n\trm -rf src\n")
    refused = [
        ("tac .env", "secret-read"),
        ("while read -r line; do echo $line; done < .env", "secret-read"),
        ("python3 -c \"print(open('.env').read())\"", "inline-code"),
        ("cat > tidy.py <<'EOF'\nimport shutil\nshutil.rmtree('src')\nEOF\npython3 tidy.py", "inline-code"),
        ("npm run tidy", "recursive-delete"),
        ("make wipe", "recursive-delete"),
        ("echo 'T=ghp_9fQ2rT7xLm3Vb8Kc1Zw5Np6Hs4Jd0Gy2Ra7U' > conf.py", "live-key-written"),
        ("uci commit network", "platform-delete"),
    ]
    passed = ["cut -d= -f1 .env", "ls -la .env", "grep -c TOKEN .env"]
    run = guarded.run([*(bash(command) for command, _ in refused), *(bash(command) for command in passed), "done"])
    assert [
        (command, result.text)
        for (command, rule), result in zip(refused, run.tool_results, strict=False)
        if not result.failed or f"[hookwright {rule}]" not in result.text
    ] == []
    assert [result.failed for result in run.tool_results[len(refused) :]] == [False] * len(passed)
    assert all("TOKEN=1" not in result.text for result in run.tool_results)
    assert guarded.read("src/app.py") == "work"
    assert guarded.read("conf.py") is None


def test_a_configured_refusal_counts_for_file_tools_too(guarded):
    folder = os.path.join(guarded.home, ".config/hookwright")
    os.makedirs(folder)
    with open(os.path.join(folder, "config.toml"), "w", encoding="utf-8") as file:
        file.write('[command_guard]\nsecrets = "deny"\ndeny_paths = ["infra/**"]\n')
    path = os.path.join(guarded.project, ".env")
    with guarded.stream([call("Read", file_path=path), bash("cat infra/main.tf"), "done"], human=allow) as session:
        session.say("go")
        session.wait_for_result()
    assert session.asked == []
    assert [result.failed for result in session.run.tool_results] == [True, True]
    assert "which you have protected" in session.run.tool_results[1].text
