#!/usr/bin/env bash
# The results of the Tier 1 examples of the standard library against those it
# publishes, where there is a checkout of 4.0.0, its results and a table.
case $TAKT in *asan*)
    [ -n "${TAKT_LONG:-}" ] || { echo "skipped: TAKT_LONG"; exit 77; } ;;
esac
bash "${TAKT_SOURCE:?}/tests/msl-compare.sh"
