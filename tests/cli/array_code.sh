#!/usr/bin/env bash
# Models that mislead structure as generated C: the same numbers as at the desk,
# to the last bit, over 1,000 steps.
source "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
own=$TAKT_SOURCE/tests/cli/index
models=0

# agree MODEL METHOD
agree() {
    local out=$work/code
    rm -rf "$out"
    run_takt build "$1" --method "$2" --step 1ms --stop 1 --all --quiet \
        --name model -o "$out"
    [ "$code" = 0 ] || { fail "build $1: $code"; head -3 "$work/err"; return; }
    models=$((models + 1))
    sanitized && return
    $TAKT_CC -std=c99 -Wall -Wextra -Werror -O1 -ffp-contract=off -c \
        "$out/model.c" -o "$out/model.o" || { fail "$1: compiler"; return; }
    $TAKT_CC -O1 "-I$out" "$out/example/main.c" "$out/model.o" -lm \
        -o "$out/run" || { fail "$1: example"; return; }
    run_takt sim "$1" --static --estimate off --defect off --method "$2" \
        --step 1ms --stop 1 --quiet --every 1000 -o "$work/sim.csv"
    "$out/run" 1000 >"$work/values" || fail "$1: the example failed"
    same "$work/values" "$work/sim.csv" >"$work/diff" ||
        { fail "$1 ($2) differs:"; head -3 "$work/diff"; }
}
agree "$TAKT_SOURCE/models/gallery/RotatedPendulum.mo" radau3
agree "$own/MixedIndex3.mo" lie
agree "$own/TightCoupling.mo" lie
agree "$own/CurrentLoop.mo" radau3
[ "$models" = 4 ] || fail "only $models of 4 models"
finish
