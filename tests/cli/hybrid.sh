#!/usr/bin/env bash
# Models with events whose solutions are known (tests/hybrid): exact events come
# to 1e-6 of them, with radau5 and with IDA; generated C computes what sim
# --static computes, to the last bit, through all of their events.
# The first line of each: // check: VARIABLE STOP VALUE
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
cd "$TAKT_SOURCE" || exit 4
models=0

# ends_at FILE VARIABLE STOP VALUE OPTION...
ends_at() {
    local file=$1 var=$2 stop=$3 value=$4
    shift 4
    run_takt sim "$file" --stop "$stop" --step 0.05 --quiet "$@" \
        -o "$work/out.csv"
    [ "$code" = 0 ] ||
        { fail "$file $*: $code"; head -3 "$work/err"; return; }
    awk -F, -v name="\"$var\"" -v value="$value" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        { x = $c }
        END {
            d = x - value
            if (c && d < 1e-6 && d > -1e-6) exit 0
            print x ", not " value
            exit 1
        }' "$work/out.csv" >"$work/off" ||
        fail "$file $*: $var = $(cat "$work/off")"
}

# agree FILE: C over 1,000 steps of 2 ms; every other model without the
# instructions of one kind of processor
agree() {
    local out=$work/c portable=
    [ $((models % 2)) = 0 ] || portable=-DTAKT_PORTABLE
    run_takt build "$1" --method lie --step 2ms --stop 2 --all --quiet \
        --name model -o "$out"
    [ "$code" = 0 ] || { fail "build $1: $code"; head -3 "$work/err"; return; }
    sanitized && return
    $TAKT_CC -std=c99 -O1 -ffp-contract=off $portable "-I$out" "$out/model.c" \
        "$out/example/main.c" -lm -o "$out/run" || { fail "$1: compiler"; return; }
    run_takt sim "$1" --static --method lie --step 2ms --stop 2 --quiet \
        --every 1000 -o "$work/sim.csv"
    "$out/run" 1000 >"$work/values" || fail "$1: the example failed"
    same "$work/values" "$work/sim.csv" >"$work/diff" ||
        { fail "$1: C differs"; head -3 "$work/diff"; }
}

for file in tests/hybrid/*.mo; do
    read -r var stop value <<<"$(sed -n '1s/.*check: //p' "$file")"
    ends_at "$file" "$var" "$stop" "$value" --method radau5 --events exact
    ends_at "$file" "$var" "$stop" "$value" --method ida --tolerance 1e-10
    agree "$file"
    models=$((models + 1))
done
[ "$models" -ge 11 ] || fail "only $models models"
echo "$models models"
finish
