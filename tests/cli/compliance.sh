#!/usr/bin/env bash
# The Modelica-Compliance suite, where there is a checkout: the score of set A,
# and no crash. With sanitizers only as a long test.
[ -n "${TAKT_COMPLIANCE:-}" ] || { echo "skipped: no TAKT_COMPLIANCE"; exit 77; }
case $TAKT in *asan*)
    [ -n "${TAKT_LONG:-}" ] || { echo "skipped: TAKT_LONG"; exit 77; } ;;
esac
TAKT_COMPLIANCE_PASS=85 TAKT_COMPLIANCE_REJECT=65 \
    bash "${TAKT_SOURCE:?}/tests/compliance/run.sh" "$TAKT_COMPLIANCE"
