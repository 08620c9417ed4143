"""Only what is proven to read is approved: every option known, every path inside, no secret, nothing hidden."""

import shlex
import tomllib
from pathlib import Path

import pytest

from hookwright.hooks.approve import prove as module
from hookwright.hooks.approve.prove import matches, prove_command
from hookwright.hooks.approve.readable import Unproven

FOLDER = Path(module.__file__).parent
PATH = "/usr/local/bin:/usr/bin:/bin"


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    for name in ("a.txt", "b.txt", "src/app.py", "src/util.py", "docs/read me.md", "data.json", ".env", "certs/x.key"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x\n")
    (root / ".git").mkdir()
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (root / ".git/config").write_text('[core]\n\tbare = false\n[remote "origin"]\n\turl = /x\n')
    return root


def is_approved(command, project, *, roots=(), path=PATH):
    try:
        return bool(prove_command(command, str(project), (str(project), *roots), "/home/ann", path))
    except Unproven:
        return False


READS = """
ls -la
ls -la src | head -20
cat a.txt b.txt | sort -u | wc -l
grep -rn "def main" src --include='*.py'
rg -n 'foo|bar' src -g '*.ts' | head -40
find . -name '*.py' -not -path './node_modules/*' | sort
find src -type f -name '*.py' -exec grep -l foo {} +
sed -n '10,20p' src/app.py
sed -n '/def a/,/def b/p' src/app.py
sed 's/a/b/g; 3d' a.txt
awk '{print $1, $NF}' a.txt
awk -F: '$3 >= 5 {print $1}' a.txt
awk 'NR==1 || NR==3' a.txt
jq -r '.scripts | keys[]' data.json
cd src && ls && wc -l *.py
cd src; cat app.py
for f in src/*.py; do echo "== $f"; head -3 $f; done
for n in 1 2 3; do echo $n; done
diff <(sort a.txt) <(sort b.txt)
if [ -f a.txt ]; then cat a.txt; else echo none; fi
[[ -d src ]] && ls src
git log --oneline -5
git -C src log -p --stat -- app.py
git diff main..HEAD --stat | tail -1
git log @{u}..HEAD
git branch -a --sort=-committerdate
git show HEAD:src/app.py | head
git ls-files | grep test
date +%F; uname -a; pwd
cat < a.txt 2>/dev/null
ls nothing 2>&1 | cat
LC_ALL=C sort a.txt
cat 'docs/read me.md'
/usr/bin/wc -l a.txt
stat -c %s .env
tree -L 2 src
(cd src && ls)
cat <<'EOF'
text
EOF
command -v python3
test -e a.txt || echo missing
echo "done: $?"
""".strip()
# One per line; the here-document is one command.
READ_COMMANDS = READS.replace("cat <<'EOF'\ntext\nEOF", "cat <<'EOF'\x01text\x01EOF").split("\n")


@pytest.mark.parametrize("command", [line.replace("\x01", "\n") for line in READ_COMMANDS])
def test_everyday_reading_is_proven(command, project):
    assert is_approved(command, project)


def unsafe_examples():
    for file in ("read_only.toml", "git_read_only.toml"):
        for row in tomllib.loads((FOLDER / file).read_text()).values():
            yield from row.get("unsafe", ())


@pytest.mark.parametrize("command", list(unsafe_examples()))
def test_a_call_that_can_do_more_than_read_is_not(command, project):
    assert not is_approved(command, project)


NOT_PROVEN = """
ls > out
ls >> out
ls 2> errors
ls &> out
ls >| out
cat a.txt | tee b.txt
ls &
rm a.txt
cat .env
cat ./.env
grep KEY .env
cat certs/x.key
cat certs/*
head -1 < .env
cat /etc/passwd
cat ../other/x
cat ~/.ssh/id_rsa
ls ~/.ssh
cat $FILE
cat "$FILE"
cat $(ls)
cat `ls`
echo $(rm a.txt)
echo "$(rm a.txt)"
diff <(rm a.txt) b.txt
cat >(rm a.txt)
PAGER=./x git log
GIT_EXTERNAL_DIFF=./x git diff
LD_PRELOAD=./x.so ls
LESSOPEN='|./x %s' cat a.txt
PATH=. ls
X=1
X=1 ls
LANG=$(rm x) ls
f() { rm a.txt; }; f
ls() { rm a.txt; }; ls
alias ls=rm; ls
eval ls
bash -c ls
sh x.sh
. ./x
source x
exec ls
env
env ls
printenv
set
export -p
xargs ls
ls | xargs rm
find . | xargs cat
man ls
less a.txt
more a.txt
vim a.txt
./ls
src/ls
unknown --version
python3 -c 'print(1)'
python3 --version
node -e 1
sqlite3 x.db 'select 1'
psql -c 'select 1'
curl localhost
ssh host ls
sudo ls
while true; do ls; done
case x in x) ls;; esac
coproc ls
select x in a; do ls; done
for PATH in .; do ls; done
for f in *; do cat $f > $f.bak; done
ls {a,b}
cat a.tx[t]
cat **/x
git -c core.pager=./x log
git --git-dir=/x log
git --exec-path=/x log
git status; git commit -m x
git checkout main
git fetch
git pull
git
cd
cd -
cd /
cd .. && ls
cd $DIR && ls
sed -n '1,5p' .env
awk 1 .env
base64 .env
sort -o a.txt a.txt
tail -f a.txt
ls | tac
ps auxe
type -x
time -o out ls
ls; rm a.txt
ls && rm a.txt
ls || rm a.txt
ls | rm a.txt
! rm a.txt
{ rm a.txt; }
(rm a.txt)
if rm a.txt; then ls; fi
[[ -f $(rm a.txt) ]]
[[ -f a.txt ]] > out
cat <<EOF
$(rm a.txt)
EOF
git show HEAD:.env
git diff -- .env
git log -p .env
git blame /etc/passwd
find / -name x
find ~ -name x
find -L . -name x -exec cat {} +
find . -name '*.key' -type f -exec cat {} +
find . -type f -exec cat {} +
grep -r KEY .
grep -R KEY src
cat a.txt\x00b
ls \u202e
""".strip()
NOT_COMMANDS = NOT_PROVEN.replace("cat <<EOF\n$(rm a.txt)\nEOF", "cat <<EOF\x01$(rm a.txt)\x01EOF").split("\n")


@pytest.mark.parametrize("command", [line.replace("\x01", "\n") for line in NOT_COMMANDS])
def test_whatever_is_not_proven_is_left_to_the_person(command, project):
    command = command.encode("latin-1", "backslashreplace").decode("unicode_escape") if "\\u" in command else command
    assert not is_approved(command, project)


SAFE = [line for line in READ_COMMANDS if "\x01" not in line]
TOKENS = ["> out", ">> out", "&", "; rm a.txt", "| sh", "| tee out", "$(rm a.txt)", "`rm a.txt`", ".env", "-o out",
          "--output=out", "-exec rm {} +", "-delete", "| xargs rm", "-i", "&& touch x", "<(rm x)", "--pre=./x",
          "--ext-diff", "../x", "/etc/shadow", "~/.ssh/id_rsa", "$SECRET"]  # fmt: skip
# Tokens that are text to the program in the place where they are put, and so change nothing.
HARMLESS_ADDITIONS = {"-i", ".env", "-delete", "-o out", "--output=out", "--pre=./x", "--ext-diff", "../x",
                      "/etc/shadow", "~/.ssh/id_rsa", "-exec rm {} +"}  # fmt: skip


@pytest.mark.parametrize("token", TOKENS)
def test_one_token_more_takes_the_approval_away(token, project):
    approved = [command for command in SAFE if is_approved(f"{command} {token}", project)]
    if token in HARMLESS_ADDITIONS:  # only for programs that print their words, or take them as options that read
        kept = {
            shlex.split(command.replace("<(", "").replace("`", ""))[-len(command.split()) :][0] for command in approved
        }
        assert len(approved) < len(SAFE) / 2, kept
    else:
        assert not approved


def test_a_link_counts_as_what_it_points_to(project, tmp_path):
    (tmp_path / "secret").write_text("x")
    (project / "link").symlink_to(tmp_path / "secret")
    (project / "inside").symlink_to(project / "a.txt")
    (project / "to-env.txt").symlink_to(project / ".env")
    assert is_approved("cat inside", project)
    assert not is_approved("cat link", project)
    assert not is_approved("cat to-env.txt", project)
    assert not is_approved("cat *", project)


def test_directories_that_the_user_names_may_be_read_too(project, tmp_path):
    (tmp_path / "other").mkdir()
    assert not is_approved(f"ls {tmp_path}/other", project)
    assert is_approved(f"ls {tmp_path}/other", project, roots=(f"{tmp_path}/other",))


def test_a_file_whose_name_is_an_option_stops_its_pattern(project):
    assert is_approved("sort *.txt", project)
    (project / "-oout.txt").write_text("")
    assert not is_approved("sort *.txt", project)
    assert is_approved("sort ./*.txt", project)


def test_a_name_with_blanks_needs_quotes(project):
    assert is_approved('for f in docs/*.md; do cat "$f"; done', project)
    assert not is_approved("for f in docs/*.md; do cat $f; done", project)


@pytest.mark.parametrize("line", ["[diff]\n\texternal = ./x", "[core]\n\tfsmonitor = ./x", "[include]\n\tpath = x",
                                  '[diff "x"]\n\ttextconv = ./x', "[LOG]\n\tshowSignature = true"])  # fmt: skip
def test_a_repository_that_can_make_git_run_something_is_not_read(project, line):
    assert is_approved("git log", project)
    (project / ".git/config").write_text(line + "\n")
    assert not is_approved("git log", project)


@pytest.mark.parametrize("path", [".:/usr/bin", ":/usr/bin", "PROJECT/bin:/usr/bin"])
def test_a_program_that_the_project_puts_before_the_systems_is_not_run(project, path):
    (project / "bin").mkdir()
    (project / "bin/ls").write_text("")
    assert not is_approved("ls", project, path=path.replace("PROJECT", str(project)))
    assert is_approved("ls", project, path=f"/opt/x:{PATH}")


@pytest.mark.parametrize(
    ("name", "pattern", "expected"),
    [
        ("a.py", "*.py", True),
        ("a.pyc", "*.py", False),
        ("ab", "a?", True),
        ("abc", "a?", False),
        ("abcabc", "a*c", True),
        ("x", "*", True),
        ("aXbYc", "a*b*c", True),
        ("acb", "a*b*c", False),
        ("a", "a", True),
        ("", "*", True),
    ],
)
def test_patterns_match_as_in_the_shell(name, pattern, expected):
    assert matches(name, pattern) is expected
