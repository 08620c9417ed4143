"""What a command can have written: named files, and whether others too."""

import pytest

from hookwright.hooks.command_writes import find_writes


@pytest.mark.parametrize(
    ("command", "paths", "others"),
    [
        ("ls -la", [], False),
        ("cat a | grep b | sort", [], False),
        ("echo a > b.txt", ["/p/b.txt"], False),
        ("echo a >> /abs/b.txt 2>&1", ["/abs/b.txt"], False),
        ("make 2> /dev/null", [], True),
        ("cat > x.py <<'EOF'\nhi > no\nEOF", ["/p/x.py"], False),
        ("cd sub && echo 1 > y", ["/p/sub/y"], False),
        ("sed -i 's/a/b/' src/a.py", ["/p/src/a.py"], False),
        ("sed -i -e s/a/b/ f g", ["/p/f", "/p/g"], False),
        ("sed -n 1p a", [], False),
        ("perl -pi -e 's/a/b/' f.pl", ["/p/f.pl"], False),
        ("tee -a log < in", ["/p/log"], False),
        ("mv a.py b/c.py", ["/p/a.py", "/p/b/c.py", "/p/b/c.py/a.py"], False),
        ("cp -r a b", ["/p/b", "/p/b/a"], False),
        ("cp -t b a", ["/p/b", "/p/b/a"], False),
        ("rm -rf build", ["/p/build"], False),
        ("rm *.tmp", ["/p/*.tmp"], True),
        ("dd if=/dev/zero of=disk.img", ["/p/disk.img"], False),
        ("{ echo a; echo b; } > out.txt", ["/p/out.txt"], False),
        ("for f in a b; do echo x > $f.txt; done", ["/p/a.txt", "/p/b.txt"], False),
        ('echo x > "$UNKNOWN"', [], True),
        ("python gen.py", [], True),
        ("npm run build", [], True),
        ("git status && git commit -am x", [], False),
        ("git stash pop", [], False),
        ("git apply a.diff", [], True),
        ("patch -p1 < a.diff", [], True),
        ("find . -delete", [], True),
        ("find . -name '*.py'", [], False),
        ("echo 'a > b'", [], False),
        ("ssh host 'echo a > b'", [], False),
        ("echo 'unclosed", [], True),
        ("", [], True),
    ],
)
def test_the_paths_that_a_command_writes_are_found(command, paths, others):
    found = find_writes(command, "/p")
    assert (sorted(found.paths), found.others) == (paths, others)
