"""Sleeps and loops: computed where they are literal, endless where nothing ends them."""

import pytest

from hookwright.shell.command import Command
from hookwright.shell.sleeps_and_loops import classify_waits


@pytest.mark.parametrize(
    ("command", "verdict", "evidence"),
    [
        ("sleep 29", None, None),
        ("sleep 30", "force", "sleeps"),
        ("sleep 1m 30s", "force", "sleeps"),
        ("sleep 10; a; sleep 20", "force", "sleeps 30 s in all"),
        ("sleep $N", None, None),
        ("sleep infinity", "force", "sleeps"),
        ("for i in 1 2 3; do sleep 5; done", None, None),
        ("for i in {1..60}; do sleep 5; done", "force", "sleeps 5 min in all"),
        ("for f in *.log; do sleep 1; done", None, None),
        ("for f in *.log; do sleep 9; done", "suggest", "may wait 90 s in all"),
        ("for i in $(seq 20); do a && break; sleep 2; done", "suggest", "may wait 40 s in all"),
        ("for i in $(seq 60); do a && break; sleep 10; done", "force", "may wait 10 min in all"),
        ("a || sleep 40", "suggest", "may wait 40 s in all"),
        ("while true; do a; done", "force", "is in a loop without end"),
        ("while true; do a && break; sleep 2; done", "force", "is in a loop that waits for something"),
        ("while true; do a && break; done", "suggest", "is in a loop that waits for something"),
        ("until a; do sleep 1; done", "force", "is in a loop that waits for something"),
        ("while [ ! -f x ]; do sleep 1; done", "force", "is in a loop that waits for something"),
        ("while [[ $(a) != b ]]; do sleep 5; done", "force", "is in a loop that waits for something"),
        ("n=0; until [ $n -ge 5 ]; do sleep 2; n=$((n+1)); done", None, None),
        ("until [ $n -ge 50 ]; do sleep 2; done", "suggest", "may wait 100 s in all"),
        ("while (( i < 3 )); do sleep 1; done", None, None),
        ("while read -r x; do sleep 1; done < f", None, None),
        ("while true; do a; done | head -3", None, None),
        ("(while true; do a; done) &", None, None),
        ("timeout 20 sh -c 'while true; do a; done'", None, None),
        ("f() { while true; do a; done; }", None, None),
        ("watch a", "force", "runs again and again under watch"),
    ],
)
def test_waiting_is_added_up(command, verdict, evidence):
    found = classify_waits(Command(command).calls)
    assert (found[1], found[3]) == (verdict, evidence) if found else (verdict, evidence) == (None, None)
