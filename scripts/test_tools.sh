#!/bin/sh
# Names the programs that tests drive and that are missing here: their tests are skipped then.
#     scripts/test_tools.sh              says what to install (`make test` begins with it)
#     scripts/test_tools.sh --install    installs it on Debian and Ubuntu, as root (CI)
missing=
for tool in git jq make strace tmux valgrind; do
    command -v "$tool" >/dev/null || missing="$missing $tool"
done
command -v chromium >/dev/null || command -v chromium-headless-shell >/dev/null || missing="$missing chromium"
command -v unshare >/dev/null || [ "$(uname)" != Linux ] || missing="$missing util-linux"
[ -n "$missing" ] || exit 0
if [ "$1" != --install ]; then
    echo "not installed:$missing (tests that need them are skipped). Debian, Ubuntu: sudo apt install$missing"
    exit 0
fi
apt-get update -qq
# shellcheck disable=SC2086 - one word a package
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
