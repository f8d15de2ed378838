#!/usr/bin/env bash
# The sizes of the examples of the standard library that need Tier 1 only, where
# there is a checkout of 4.0.0 and a table of sizes.
[ -n "${TAKT_MSL:-}" ] && [ -n "${TAKT_MSL_EXAMPLES:-}" ] ||
    { echo "skipped: no TAKT_MSL or TAKT_MSL_EXAMPLES"; exit 77; }
case $TAKT in *asan*)
    [ -n "${TAKT_LONG:-}" ] || { echo "skipped: TAKT_LONG"; exit 77; } ;;
esac
TAKT_MSL_SIZES=50 bash "${TAKT_SOURCE:?}/tests/msl-sizes.sh" "$TAKT_MSL"
