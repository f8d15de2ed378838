#!/usr/bin/env bash
# build: release
# cost: 2
# Features of the language, one model each, with assertions on the values that
# the specification gives them: overloaded operators, streams with three ports,
# expandable connectors, redeclarations, clocks, external C, functions as
# arguments, records in arrays, and others (tests/cli/language).
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4
for model in "$TAKT_SOURCE"/tests/cli/language/*.mo; do
    run_takt sim "$model" --external --stop 1 --step 10ms --method rk4 --quiet -o out.csv
    [ "$code" = 0 ] || { fail "$(basename "$model"): $code"; head -4 "$work/err"; }
done
finish
