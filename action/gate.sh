#!/usr/bin/env bash
# gate.sh: hold a candidate against the approved baseline. What it is told is in the
# environment; what it found is in GITHUB_OUTPUT and GITHUB_STEP_SUMMARY, whatever the
# verdict. It ends with 0 where there is a verdict, else with the exit code of jevdb.
set -euo pipefail

: "${WAREHOUSE:?a warehouse file, or a bundle}" "${BENCHMARK:?}" "${PREDICTIONS:?}" "${MODEL:?}"
place=${RUNNER_TEMP:-$(mktemp -d)}

if [ -d "$WAREHOUSE" ]; then
    export JEVDB_DB="$place/jevdb-gate.duckdb"
    rm -f "$JEVDB_DB"
    jevdb restore "$WAREHOUSE"
else
    export JEVDB_DB="$WAREHOUSE"
fi

named=(--benchmark "$BENCHMARK" --model "$MODEL")
[ -z "${REVISION:-}" ] || named+=(--revision "$REVISION")
run=$(jevdb ingest run "${named[@]}" -- "$PREDICTIONS")

asked=()
for metric in ${METRICS:-}; do
    asked+=(--metric "$metric")
done
[ ${#asked[@]} = 0 ] || asked+=(--margin "${MARGIN:-0}")
while IFS= read -r rule; do
    [ -z "${rule// /}" ] || asked+=(--rule "$rule")
done <<< "${RULES:-}"

code=0
jevdb gate --candidate "$run" --require "${REQUIRE:-not-worse}" "${asked[@]}" \
    --junit "$place/gate.xml" --markdown "$place/gate.md" || code=$?
case $code in
    0) outcome=passed ;;
    5) outcome=failed ;;
    7) outcome=inconclusive ;;
    *) exit "$code" ;;
esac

{
    echo "outcome=$outcome"
    echo "run=$run"
    echo "junit=$place/gate.xml"
    echo "markdown=$place/gate.md"
} >> "${GITHUB_OUTPUT:-/dev/null}"
cat "$place/gate.md" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
