#!/bin/sh
# Runs every generator: scripts/generate.sh PYTHON [--check]. Each writes its files, or with --check says that they differ.
python=$1
shift
status=0
for script in "$(dirname "$0")"/generate_*.py; do
    "$python" "$script" "$@" || status=1
done
exit $status
