#!/usr/bin/env bash
# takt build --fixed: parameters are numbers, results are those of takt sim
# --static --tunable none to the last bit and those with parameters that can be set but
# for roundings, and there is less to do.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
cd "$TAKT_SOURCE" || exit 4

fixed() { # MODEL [ABSOLUTE]
    local out=$work/$1
    run_takt build "models/gallery/$1.mo" --fixed --all --step 1ms --stop 1 \
        --name model --quiet -o "$out"
    [ "$code" = 0 ] || { fail "build $1: $code"; head -3 "$work/err"; return; }
    "$TAKT_CC" -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror -O1 -ffp-contract=off \
        "-I$out" "$out/model.c" "$out/example/main.c" -lm -o "$out/run" \
        2>"$work/cc" || { fail "$1: compiler"; head -5 "$work/cc"; return; }
    "$out/run" 1000 >"$work/values" || fail "$1: the example failed"
    run_takt sim "models/gallery/$1.mo" --static --tunable none --estimate off --defect off --method lie --step 1ms \
        --stop 1 --quiet --every 1000 -o "$work/sim.csv"
    same "$work/values" "$work/sim.csv" >"$work/differs" ||
        { fail "$1 differs:"; head -3 "$work/differs"; }
    run_takt sim "models/gallery/$1.mo" --static --estimate off --defect off --method lie --step 1ms \
        --stop 1 --quiet --every 1000 -o "$work/sim.csv"
    # C der(v) = i: 1e-16 A are 1e-11 V/s
    same "$work/values" "$work/sim.csv" "${2:-1e-10}" 1e-8 >"$work/differs" ||
        { fail "$1 differs from parameters that can be set:"; head -3 "$work/differs"; }
}

# L der(i) = v of 1e-3 H: behind a switch of 1e-5 Ohm 1e-12 of 24 V are rounded away
fixed BuckConverter 1e-7
for name in FourBar Rectifier HeatedRoom SampledControl \
    TransistorAmplifier ExhaustPipe; do
    fixed $name
done

total() { # KEYS OPTION...: a sum of what a step needs
    local keys=$1
    shift
    run_takt cost models/gallery/ExhaustPipe.mo --step 1ms --json "$@"
    tr ',{}' '\n\n\n' <"$work/out" | awk -F: -v keys="$keys" '
        $1 ~ "\"(" keys ")\"" && !seen[$1]++ { n += $2 } END { print n + 0 }'
}
# what parameters can be combined is combined by update in any case
few=$(total "add|mul|div" --fixed) many=$(total "add|mul|div")
[ "$few" -gt 0 ] && [ "$few" -le "$many" ] ||
    fail "$few operations with fixed parameters, $many with others"
few=$(total data_bytes --fixed) many=$(total data_bytes)
[ "$few" -gt 0 ] && [ "$few" -lt "$many" ] ||
    fail "$few bytes with fixed parameters, $many with others"
finish
