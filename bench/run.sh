#!/usr/bin/env bash
# run.sh - what steps cost, counted by callgrind; writes docs/performance.md.
#
#   make bench
set -eu
cd "$(dirname "$0")/.."
export LD_BIND_NOW=1 # no symbol is looked up while we count
export TAKT=${TAKT:-build/takt}
out=${1:-docs/performance.md}
steps=${BENCH_STEPS:-1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v valgrind >/dev/null || { echo "bench: valgrind is needed" >&2; exit 77; }

# counted FUNCTION PROGRAM ARG...: instructions inside FUNCTION
counted() {
    local function=$1
    shift
    valgrind --tool=callgrind --toggle-collect="$function*" \
        --callgrind-out-file="$work/cg" "$@" >/dev/null 2>&1
    sed -n 's/^totals: //p' "$work/cg" | tail -1
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

factor_rows() {
    for matrix in pipe heat heat2d; do
        build/bench/bench_num $matrix emit >"$work/$matrix.c"
        cc -O2 -ffp-contract=off -DMAIN "$work/$matrix.c" -o "$work/$matrix"
        klu=$(counted measured_klu build/bench/bench_num $matrix klu)
        table=$(counted measured_table build/bench/bench_num $matrix table)
        unrolled=$(counted solve "$work/$matrix")
        echo "| $matrix | $klu | $unrolled ($(ratio "$unrolled" "$klu")) | $table ($(ratio "$table" "$klu")) |"
    done
}

# Error of a step function: lie against the same method iterated and refined.
error_of() {
    "$TAKT" sim "$1" --method be --step "$2" --stop "$3" --quiet -o "$work/be.csv" &&
        "$TAKT" sim "$1" --method lie --static --step "$2" --stop "$3" \
            --compare "$work/be.csv" --tube 1 2>/dev/null |
        sed -n 's/.*largest error \([^ ]*\) of its range.*/\1/p' |
        sort -g | tail -1
}

step_row() {
    local model=$1 step=$2 stop=$3
    read -r name low mean high < <(bench/count_steps.sh "$model" "$steps" --step "$step" --stop "$stop")
    read -r _ tlow _ thigh < <(bench/count_steps.sh "$model" "$steps" --step "$step" --stop "$stop" --math takt)
    read -r _ flow _ fhigh < <(bench/count_steps.sh "$model" "$steps" --step "$step" --stop "$stop" --math takt --scalar float)
    echo "| $name | $step | $mean | $tlow to $thigh | $flow to $fhigh | $(error_of "$model" "$step" "$stop") |"
}

{
    echo "# Performance"
    echo
    echo "Made by \`make bench\`: instructions counted by callgrind, $(cc --version | head -1), -O2."
    echo
    echo "## Factor and solve"
    echo
    echo "New values in a fixed pattern; in brackets the ratio to"
    echo "\`klu_refactor\` and \`klu_solve\`."
    echo
    echo "| matrix | KLU | straight-line | tables |"
    echo "|---|---|---|---|"
    factor_rows
    echo
    echo "## Whole steps"
    echo
    echo "Linearly implicit Euler, one Newton iteration, status and restore"
    echo "included; over $steps steps. With \`--math takt\` the least and the"
    echo "largest count must be equal. The error is the largest difference from"
    echo "backward Euler iterated to convergence at the same step, over the"
    echo "range of the signal: it does not include the error of the step size."
    echo
    echo "| model | step | libm, mean | takt, least to largest | takt, float | error |"
    echo "|---|---|---|---|---|---|"
    step_row models/gallery/ExhaustPipe.mo 1ms 1
    step_row bench/models/Heat50.mo 1ms 1
    # bench/models/HeatPlate.mo: gcc -O2 needs too long for its step yet
    step_row models/gallery/DiodeLadder.mo 1us 1ms
    step_row models/gallery/DiodeLadderLoop.mo 1us 1ms
    step_row bench/models/Ladder100.mo 100us 0.1
} >"$work/performance.md"
cat "$work/performance.md"
cp "$work/performance.md" "$out"
