#!/usr/bin/env bash
# verdict.sh: end as the gate did, once everybody was told.
set -euo pipefail
case ${OUTCOME:?passed, failed or inconclusive} in
    passed) exit 0 ;;
    inconclusive) [ "${INCONCLUSIVE:-fail}" != pass ] || exit 0; exit 7 ;;
    *) exit 5 ;;
esac
