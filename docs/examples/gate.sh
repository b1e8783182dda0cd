#!/usr/bin/env bash
# gate.sh PREDICTIONS MODEL REVISION: is this candidate good enough to release?
# Exit 0: yes. Exit 5: no, gate.md says why. Exit 7: these items cannot tell.
set -euo pipefail

predictions=$1 model=$2 revision=$3
: "${JEVDB_DB:?names the warehouse with the approved baseline}"
: "${BENCHMARK:?names the benchmark}"

# The run's id; the same answers again are the same run.
run=$(jevdb ingest run "$predictions" --benchmark "$BENCHMARK" \
    --model "$model" --revision "$revision")

jevdb gate --candidate "$run" \
    --metric accuracy --metric brier \
    --rule 'share(p_gold >= 0.5) >= 60%' \
    --junit gate.xml --markdown gate.md
