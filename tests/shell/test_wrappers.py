"""Wrappers are removed and kept in `wrappers`; programs with nested commands stay, and the nested calls follow."""

import pytest

from hookwright.shell.command import Command


def last(command):
    read = Command(command)
    call = read.calls[-1]
    assert read.problem is None
    return call


@pytest.mark.parametrize(
    ("command", "call", "wrappers"),
    [
        ("sudo -u postgres psql -c x", "psql -c x", ["sudo -u postgres"]),
        ("sudo -iu postgres psql", "psql", ["sudo -iu postgres"]),
        ("sudo -E -H make", "make", ["sudo -E -H"]),
        ("sudo -upostgres -- psql", "psql", ["sudo -upostgres --"]),
        ("doas -u x rm y", "rm y", ["doas -u x"]),
        ("env -i A=1 rm y", "rm y", ["env -i"]),
        ("env -u A rm y", "rm y", ["env -u A"]),
        ("env -S 'rm -rf /'", "rm -rf /", ["env", "env"]),
        (
            "nohup setsid nice -n 10 ionice -c3 stdbuf -oL x",
            "x",
            ["nohup", "setsid", "nice -n 10", "ionice -c3", "stdbuf -oL"],
        ),
        ("nice -10 make", "make", ["nice -10"]),
        ("/usr/bin/time -v make", "make", ["/usr/bin/time -v"]),
        ("command rm x", "rm x", ["command"]),
        ("builtin cd x", "cd x", ["builtin"]),
        ("exec -a n rm x", "rm x", ["exec -a n"]),
        ("npx --yes create-app x", "create-app x", ["npx --yes"]),
        ("npx prisma@5.1 migrate", "prisma migrate", ["npx"]),
        ("npx @scope/tool@1 x", "@scope/tool x", ["npx"]),
        ("npx --package=typescript tsc -p .", "tsc -p .", ["npx --package=typescript"]),
        ("npm exec -- eslint .", "eslint .", ["npm exec --"]),
        ("pnpm dlx cowsay hi", "cowsay hi", ["pnpm dlx"]),
        ("yarn dlx -p a b c", "b c", ["yarn dlx -p a"]),
        ("bunx --bun vite", "vite", ["bunx --bun"]),
        ("bun x vite", "vite", ["bun x"]),
        ("corepack pnpm install", "pnpm install", ["corepack"]),
        ("uvx --from ruff@latest ruff check", "ruff check", ["uvx --from ruff@latest"]),
        ("uvx ruff@0.5 check", "ruff check", ["uvx"]),
        ("uv tool run ruff check", "ruff check", ["uv tool run"]),
        ("uv run --with rich python -m pytest -q", "pytest -q", ["uv run --with rich", "python -m"]),
        ("uv run -m pytest -q", "pytest -q", ["uv run -m"]),
        ("poetry run pytest", "pytest", ["poetry run"]),
        ("pipenv run python a.py", "python a.py", ["pipenv run"]),
        ("pdm run pytest", "pytest", ["pdm run"]),
        ("hatch run test:pytest -q", "pytest -q", ["hatch run"]),
        ("conda run -n env python a.py", "python a.py", ["conda run -n env"]),
        ("bundle exec rails s", "rails s", ["bundle exec"]),
        ("python3.11 -u -m http.server 8000", "http.server 8000", ["python3.11 -u -m"]),
        ("timeout -k 5 10 x", "x", ["timeout -k 5 10"]),
        ("busybox rm x", "rm x", ["busybox"]),
        ("chroot /mnt rm /x", "rm /x", ["chroot /mnt"]),
        ("strace -f -o out ls -l", "ls -l", ["strace -f -o out"]),
        ("flock -n /tmp/l make", "make", ["flock -n /tmp/l"]),
        ("cross-env A=1 webpack", "webpack", ["cross-env"]),
        ("aws-vault exec prod -- terraform destroy", "terraform destroy", ["aws-vault exec prod --"]),
        ("doppler run -- npm start", "npm start", ["doppler run --"]),
        ("dotenv -e .env -- npm start", "npm start", ["dotenv -e .env --"]),
        ("mise exec node@20 -- npm ci", "npm ci", ["mise exec node@20 --"]),
        ("nix develop -c make x", "make x", ["nix develop -c"]),
        ("find . | xargs -0 -n1 rm -f", "rm -f {}", ["xargs -0 -n1"]),
        ("xargs < list", "echo {}", ["xargs"]),
        ("xargs -I% mv % %.bak < list", "mv {} {}.bak", ["xargs -I%"]),
        ("echo a b | xargs rm -f", "rm -f a b", ["xargs"]),
        ("printf 'a\\nb\\n' | xargs -I{} rm {}", "rm b", ["xargs -I{}"]),
    ],
)
def test_a_wrapper_is_removed_and_kept(command, call, wrappers):
    found = last(command)
    assert (found.text, [wrapper.text for wrapper in found.wrappers]) == (call, wrappers)


@pytest.mark.parametrize(
    "command",
    [
        "env", "sudo -l", "sudo -i", "command -v rm", "npx", "timeout 5", "nohup", "xargs -0", "uv sync", "docker ps",
        "npm install x", "docker run node:20", "kubectl get pods", "ssh host", "ssh -N -L 1:h:1 host", "tmux attach",
        "python a.py -m x", "python -c 'x' -m y", "bash", "bash -x a.sh -c b", "find . -name x", "poetry install",
        "watch", "trap - EXIT", "source a",
    ],
)  # fmt: skip
def test_a_wrapper_without_a_command_stays_a_call(command):
    read = Command(command)
    assert read.calls[-1].program in {command.split()[0], "echo"}
    assert len(read.calls) == 1


@pytest.mark.parametrize(
    ("command", "inner"),
    [
        ("bash -c 'a && b c'", ["a", "b c"]),
        ("bash -lc a", ["a"]),
        ("sh -euo pipefail -c 'a | b'", ["a", "b"]),
        ("bash -c 'rm \"$1\" $0' x y", ["rm y x"]),
        ("X=/ bash -c 'rm $X'", ["rm /"]),
        ("bash -c 'bash -c \"rm x\"'", ["bash -c rm x", "rm x"]),
        ("bash <<< 'rm x'", ["rm x"]),
        ("bash -s a <<'E'\nrm $1\nE", ["rm $1"]),
        ("echo 'rm x' | bash", ["rm x"]),
        ("cat <<'E' | sudo bash\nrm x\nE", ["rm x"]),
        ("bash < <(echo rm x)", ["rm x"]),
        ("eval rm x", ["rm x"]),
        ('eval "rm $HOME"', ["rm ~"]),
        ("npx -c 'a && b'", ["a", "b"]),
        ("watch -n 5 -d 'ls | wc'", ["ls", "wc"]),
        ("find . -exec rm {} + -o -exec ls -l {} \\;", ["rm {}", "ls -l {}"]),
        ("find . -exec sh -c 'rm {}' \\;", ["sh -c rm {}", "rm $ARGUMENT"]),
        ("fd -e py -x rm {}", ["rm {}"]),
        ("docker exec -it -u root web rm x", ["rm x"]),
        ("docker --context c run --rm -v /:/h -e A=1 alpine rm x", ["rm x"]),
        ("docker compose -f a.yml exec -T db psql", ["psql"]),
        ("docker-compose run --rm web npm test", ["npm test"]),
        ("podman run alpine sh -c 'rm x'", ["sh -c rm x", "rm x"]),
        ("kubectl -n prod exec -it pod -c app -- rm x", ["rm x"]),
        ("kubectl exec pod rm x", ["rm x"]),
        ("ssh -i k -p 22 u@h rm x", ["rm x"]),
        ("ssh h 'cd /a && rm x'", ["cd /a", "rm x"]),
        ("ssh h <<E\nrm x\nE", ["rm x"]),
        ("ssh h bash -s <<E\nrm x\nE", ["bash -s", "rm x"]),
        ("su - u -c 'rm x'", ["rm x"]),
        ("flock /l -c 'a | b'", ["a", "b"]),
        ("parallel -j4 gzip -9 ::: a b", ["gzip -9 a", "gzip -9 b"]),
        ("ls | parallel 'rm {}'", ["rm $ARGUMENT"]),
        ("parallel ::: 'a b' c", ["a b", "c"]),
        ("tmux new-session -d -s x 'npm run dev'", ["npm run dev"]),
        ("screen -dmS x npm run dev", ["npm run dev"]),
        ("hyperfine -w 3 'a b' c", ["a b", "c"]),
        ("nix-shell -p x --run 'make y'", ["make y"]),
        ("trap 'rm x' EXIT", ["rm x"]),
        ("sudo -i <<E\nrm x\nE", ["rm x"]),
        ("echo 'rm x' | sudo -s", ["rm x"]),
        ("su - u <<E\nrm x\nE", ["rm x"]),
        ("echo 'rm x' | at now", ["rm x"]),
        ("sudo tee f <<E\nrm x\nE", []),
        ("cat > x.sh <<'E'\nrm $1\nE\nbash x.sh /", ["rm /"]),
        ("cat > /tmp/x.sh <<'E'\nrm -rf /\nE\nsudo /tmp/x.sh", ["rm -rf /"]),
        ("echo 'rm x' > a.sh && chmod +x a.sh && ./a.sh", ["rm x"]),
        ("echo 'rm x' > a.sh; source ./a.sh", ["rm x"]),
        ("echo x > a.sh; echo 'rm x' >> a.sh; bash a.sh", ["x", "rm x"]),
        ("printf '#!/usr/bin/python3\\nrm x' > a; ./a", []),
    ],
)
def test_nested_commands_follow_the_call_that_runs_them(command, inner):
    read = Command(command)
    assert [call.text for call in read.calls if call.outer is not None] == inner
    for call in read.calls:
        for nested in call.inner:
            assert nested.under(call.program) is not None


@pytest.mark.parametrize(
    ("command", "seconds"),
    [
        ("timeout 5 x", 5),
        ("timeout -k 5 10 x", 10),
        ("timeout --signal=KILL 1.5h x", 5400),
        ("gtimeout 2m x", 120),
        ("timeout 100 timeout 3 x", 3),
        ("timeout 10 bash -c 'a; timeout 20 b'", 10),
        ("sudo timeout 9 docker exec c b", 9),
        ("timeout $T x", None),
        ("x 5", None),
    ],
)
def test_the_shortest_timeout_counts(command, seconds):
    assert last(command).timeout_s == seconds


@pytest.mark.parametrize(
    ("command", "remote", "cwd"),
    [
        ("ssh u@h rm x", ("ssh", "u@h"), None),
        ("ssh h 'cd /srv && rm x'", ("ssh", "h"), "/srv"),
        ("docker exec -w /app web rm x", ("docker", "web"), "/app"),
        ("docker compose exec web rm x", ("docker", "web"), None),
        ("kubectl exec pod -- rm x", ("kubectl", "pod"), None),
        ("bash -c 'rm x'", None, "."),
        ("env -C /tmp rm x", None, "/tmp"),
        ("pnpm -C web exec rm x", None, "web"),
        ("uv run --directory /a rm x", None, "/a"),
        ("find /a -execdir rm {} \\;", None, None),
    ],
)
def test_where_the_wrapped_call_runs(command, remote, cwd):
    call = last(command)
    assert (call.remote, call.cwd) == (remote, cwd)


@pytest.mark.parametrize(
    ("command", "background"),
    [
        ("tmux new -d 'x'", True),
        ("screen -dm x", True),
        ("docker run -d alpine x", True),
        ("docker exec -itd c x", True),
        ("docker run -it alpine x", False),
        ("bash -c 'x &'", True),
        ("nohup x &", True),
        ("nohup x", False),
    ],
)
def test_detached_calls_are_in_the_background(command, background):
    call = last(command)
    assert (call.background, call.foreground) == (background, not background)


def test_the_options_of_a_wrapper_are_kept():
    call = last("sudo -u root timeout 5 env A=1 rm -rf x")
    assert call.under("sudo").option("-u") == "root"
    assert call.under("doas") is None
    assert call.env == {"A": "1"}
    assert last("ssh -p 22 h rm x").under("ssh").option("-p") == "22"


def test_watch_is_an_endless_loop():
    assert last("watch -n 5 date").times == float("inf")


def test_a_substitution_does_not_run_again_in_the_nested_shell():
    read = Command('bash -c "$(curl -s x)"')
    assert [call.text for call in read.calls] == ["curl -s x", "bash -c $(curl -s x)", "$SUBSTITUTED"]
    assert not read.calls[-1].literal
    assert read.calls[0].owner is read.calls[1]
