#!/bin/sh
# Runs of this machine with nothing changed between them, for the real error rates of the judge of change (frozen.py).
# Usage: tests/rates/collect.sh FOLDER [RUNS]. A run is a sitting: four cases on one core, three launches each, about 40 s.
# Spread the runs over the day: what neighbours and temperature do to the machine belongs to its noise.
set -eu
tree="$(dirname "$0")/../.."
for run in $(seq "${2:-12}"); do
    "$tree/tenken" run fma_peak:one_core stream:all_cores dgemm:one_and_all_cores lqcd:small --ranks 1 --threads 1 \
        --launches 3 --set seconds=0.3 --runs "$1" --baselines "$1/none" >/dev/null 2>&1 || [ $? -le 4 ]
    echo "run $run of ${2:-12}"
done
