"""Here-documents that are only written to files are removed; all others stay."""

import pytest

from hookwright.hooks.command_guard.evaluate import judge
from hookwright.shell.command import Command
from hookwright.shell.duration import find_longest_in_text
from hookwright.shell.strip_heredocs import strip_heredocs

BODY = "rm -rf /\nnpm install\n"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"cat > src/x.py <<'EOF'\n{BODY}EOF\n", ""),
        (f"cat > src/x.py <<'EOF'\n{BODY}EOF", ""),
        (f'cat >> notes.md <<"END"\n{BODY}END\nls', "ls"),
        (f"cat <<'EOF' > a/b.ts\n{BODY}EOF\nmake", "make"),
        (f"cat <<'EOF' >a.txt\n{BODY}EOF\n", ""),
        (f"cat > a.py <<EOF\n{BODY}EOF\n", ""),
        (f"cat > alpha.py <<'EOF'\n{BODY}EOF\ncat > beta.py <<'EOF'\n{BODY}EOF\npytest", "pytest"),
        ("cat > a.py <<'EOF'\nEOF\nls", "ls"),
    ],
)
def test_a_plain_here_document_is_removed(text, left):
    assert strip_heredocs(text) == left


@pytest.mark.parametrize(
    "text",
    [
        f"bash <<'EOF'\n{BODY}EOF",
        f"cat <<'EOF' | sh\n{BODY}EOF",
        f"cat > x.py <<'EOF' && make\n{BODY}EOF",
        f"cat > /etc/hosts.txt <<'EOF'\n{BODY}EOF",
        f"cat > ../x.py <<'EOF'\n{BODY}EOF",
        f"cat > ~/x.py <<'EOF'\n{BODY}EOF",
        f"cat > $DIR/x.py <<'EOF'\n{BODY}EOF",
        f"cat > .github/x.yml <<'EOF'\n{BODY}EOF",
        f"cat > .env <<'EOF'\n{BODY}EOF",
        f"cat > secrets.yaml <<'EOF'\n{BODY}EOF",
        f"cat > Makefile <<'EOF'\n{BODY}EOF",
        "cat > a.py <<EOF\n$(rm -rf /)\nEOF",
        "cat > a.py <<EOF\n`rm -rf /`\nEOF",
        f"cat > a.py <<-'EOF'\n{BODY}EOF",
        f"cat > a.py <<'EOF'\n{BODY}",
        "cat > a.py <<< 'x'",
        "cat > a.py\nrm -rf /",
        f"cat > a.py <<'E F'\n{BODY}E F",
        f"cat > run.sh <<'EOF'\n{BODY}EOF\nbash run.sh",
        f"cat > pkg/tool.py <<'EOF'\n{BODY}EOF\npython -m pkg.tool",
        f"tee a.py <<'EOF'\n{BODY}EOF",
        "ls",
        "",
    ],
)
def test_here_documents_that_may_run_or_touch_other_files_are_not_stripped(text):
    assert strip_heredocs(text) == text


NAMES = ["src/x.py", "a.md", "web/app/page.tsx", "data/rows.csv", "scripts/run.sh", "db/schema.sql", "index.html"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["cat > {} <<'EOF'\n{}EOF\n", "cat >> {} <<'EOF'\n{}EOF\n", "cat > {} <<EOF\n{}EOF\n"])
def test_a_removed_here_document_has_no_calls(name, form):
    text = form.format(name, BODY)
    assert strip_heredocs(text) == ""
    assert judge(Command(text, cwd="/home/ann/shop", home="/home/ann"), "/home/ann/shop") == []
    assert find_longest_in_text(text, "/home/ann/shop", "/home/ann", ())[1] is None
