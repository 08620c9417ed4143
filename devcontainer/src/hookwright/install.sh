#!/bin/sh
# Devcontainer feature: install hookwright into /opt/hookwright and register its hooks for the container's user.
# Runs as root while the image is built; again is fine. Options come as variables: VERSION, HOOKS.
#     HOOKWRIGHT_PACKAGE   what pip installs in place of the released package, e.g. a checkout
#     HOOKWRIGHT_PREFIX    in place of /opt/hookwright and /usr/local/bin (tests)
set -eu
user=${_REMOTE_USER:-$(id -un)}
home=${_REMOTE_USER_HOME:-$HOME}
prefix=${HOOKWRIGHT_PREFIX:-}
package=${HOOKWRIGHT_PACKAGE:-hookwright}
[ "$package" != hookwright ] || [ "${VERSION:-latest}" = latest ] || package="hookwright==$VERSION"

find_python() {
    for python in python3 python3.14 python3.13 python3.12 python3.11 /usr/local/python/current/bin/python3; do
        command -v "$python" >/dev/null || continue
        # Its venv module has to be whole, and the user must be able to start it.
        "$python" -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
        as_user "$python" -c pass 2>/dev/null && return 0
    done
    return 1
}

as_user() {
    if [ "$(id -un)" = "$user" ]; then
        HOME="$home" "$@"
    else
        su "$user" -s /bin/sh -c 'HOME="$1"; export HOME; shift; exec "$@"' sh "$home" "$@"
    fi
}

if ! find_python; then
    command -v apt-get >/dev/null || { echo "hookwright needs Python 3.11 or newer with venv; add the python feature" >&2; exit 1; }
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 python3-venv
    find_python || { echo "hookwright needs Python 3.11 or newer; add the python feature" >&2; exit 1; }
fi

venv="$prefix/opt/hookwright"
umask 022
"$venv/bin/python" -m pip --version >/dev/null 2>&1 || "$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade "$package"
mkdir -p "$prefix/usr/local/bin"
ln -sf "$venv/bin/hookwright" "$prefix/usr/local/bin/hookwright"

# shellcheck disable=SC2086 - one word a hook
set -- ${HOOKS:-}
for hook; do
    shift
    set -- "$@" --only "$hook"
done
# In the home directory: a project in the image has no say in what the user gets.
cd "$home"
as_user "$venv/bin/hookwright" install --scope user --yes "$@"
