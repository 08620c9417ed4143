"""The key of a command keeps what makes it take long and nothing that is private."""

import pytest
from hypothesis import given, settings, strategies as st

from hookwright.shell.command_key import key_of
from tests.sizes import examples


@pytest.mark.parametrize(
    ("command", "levels"),
    [
        ("pytest -x tests/a.py::T", ("pytest -x <node>", "pytest <node>", "pytest …")),
        ("pytest", ("pytest", "pytest", "pytest …")),
        ("python -m pytest -q tests", ("pytest <word>", "pytest <word>", "pytest …")),
        ("npm run build -- --prod", ("npm run build <word>", "npm run build <word>", "npm run build …")),
        ("npm install", ("npm install", "npm install", "npm install …")),
        ("npm install --save-dev left-pad", ("npm install --save-dev <word>", "npm install <word>", "npm install …")),
        ("sudo apt-get install -y curl", ("apt-get install <word>", "apt-get install <word>", "apt-get install …")),
        (
            "python3.11 train.py --epochs 5",
            ("python train.py --epochs <n>", "python train.py <n>", "python train.py …"),
        ),
        (
            "python manage.py test app",
            ("python manage.py test <word>", "python manage.py test <word>", "python manage.py test …"),
        ),
        ("./run.sh a b", ("./run.sh <word>", "./run.sh <word>", "./run.sh …")),
        ("cd scripts && ./run.sh", ("./scripts/run.sh", "./scripts/run.sh", "./scripts/run.sh …")),
        ("bash scripts/ci.sh", ("bash scripts/ci.sh", "bash scripts/ci.sh", "bash scripts/ci.sh …")),
        ("/usr/bin/git push origin main", ("git push <word>", "git push <word>", "git push …")),
        ("docker compose -f x.yml up -d", ("docker compose up -d -f", "docker compose up", "docker compose up …")),
        ("cargo build --release 2>&1 | tail -20", ("cargo build --release", "cargo build", "cargo build …")),
        ("timeout 60 make -j8 all", ("make all -j8", "make all", "make all …")),
        ("ssh host 'make all'", ("ssh: make all", "ssh: make all", "ssh: make all …")),
        ("python -c 'print(1)'", ("python -c", "python -c", "python -c …")),
        ("python - <<'EOF'\nprint(1)\nEOF", ("python -", "python -", "python - …")),
        ("curl -s https://e.com/x", ("curl <url>", "curl <url>", "curl …")),
        ("for i in 1 2 3; do curl https://e.com/$i; done", ("curl <url>", "curl <url>", "curl …")),
        ("FOO=1 uv run pytest", ("pytest", "pytest", "pytest …")),
        ("cat > x <<EOF\nnpm install\nEOF", ("cat", "cat", "cat …")),
        ("git -C sub log --oneline -20", ("git log --oneline -C", "git log", "git log …")),
    ],
)
def test_a_single_call_has_three_levels(command, levels):
    (segment,) = key_of(command).segments
    assert segment.levels == levels


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("cd x && npm ci && npm run build", "npm ci ; npm run build"),
        ("npm test && git status", "npm test ; git status"),
        ("echo start; make; echo done", "make"),
        ("make && make", "make"),
        ("psql -c x | python load.py", "psql ; python load.py"),
        ("bash -c 'npm test && ls'", "npm test ; ls"),
        ("cd /tmp", "cd <path>"),
        ("find . -name x -exec rm {} +", "find -exec -name <path> <word>"),
        ("", ""),
        ("npm run dev & sleep 1", "sleep <n>"),
        ("; ; ;", ""),
    ],
)
def test_the_key_of_a_compound_command_has_its_significant_calls(command, key):
    assert key_of(command).text == key


@pytest.mark.parametrize(
    "same", [("./run.sh 1", "./run.sh 2"), ("pytest a.py", "pytest b/c.py"), ("git push", "git  push")]
)
def test_commands_that_differ_in_values_only_share_their_key(same):
    assert key_of(same[0]).text == key_of(same[1]).text


def test_nothing_private_enters_a_key():
    text = key_of("curl -u joe:hunter2 --data 'password=x' https://joe:pw@e.com/private/path?token=abc").text
    assert not any(word in text for word in ("joe", "hunter2", "pw", "private", "token", "abc"))


@settings(max_examples=examples(300), deadline=None)
@given(st.text(alphabet=st.sampled_from("abc ./-=$'\"|&;(){}<>\\\n*#~`!12")))
def test_no_text_raises(text):
    assert isinstance(key_of(text).text, str)
