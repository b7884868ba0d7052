#!/bin/sh
# One sitting of this machine with nothing changed on it, for the real error rates of the judge of change.
# Usage: tests/rates/collect.sh FOLDER NAME: four cases on one core, three launches each, about 40 s, as the sitting NAME.
# Sittings are at least 20 minutes apart, since what neighbours and heat do to the machine belongs to its noise; 16 prove something.
# tests/rates/collect.sh --keep FOLDER "the machine in words" adds those of the folder to the file of their node class in
# sittings/ and writes docs/judge-rates.md; then FOLDER may be removed.
set -eu
tree="$(cd "$(dirname "$0")/../.." && pwd)"
export PYTHONPATH="$tree/python:$tree/tests"
python="${TENKEN_PYTHON:-python3}"
if [ "$1" = --keep ]; then
    "$python" -m rates.frozen "$2" "$3"
    exec "$python" "$tree/tests/rates/page.py" --kept
fi
if [ -n "$(find "$1" -mindepth 1 -maxdepth 1 -name '2*' -mmin -20 2>/dev/null)" ]; then
    echo "collect: the last run in $1 is not 20 minutes old; wait." >&2
    exit 3
fi
TENKEN_SITTING="$2" "$tree/tenken" run fma_peak:one_core stream:all_cores dgemm:one_and_all_cores lqcd:small --ranks 1 --threads 1 \
    --launches 3 --set seconds=0.3 --runs "$1" --baselines "$1/none" || [ $? -le 4 ]
