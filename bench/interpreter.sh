#!/usr/bin/env bash
# interpreter.sh [MODEL [STEP]] - what a step costs in takt sim and in C.
#
# Callgrind instructions of a step with backward Euler, and in brackets the
# ratio to the C: the generated C; takt sim --static, which runs the same tape;
# takt sim as it comes, with pivoting. Of the runs first all that a step takes,
# with checks and bookkeeping but no result file, then the interpreter of the
# tape alone. Differences of runs of 400 and 200 steps. Exit code 1 where a
# whole step takes more than 15 times the C.
set -eu
cd "$(dirname "$0")/.."
model=${1:-bench/models/Heat50.mo}
step=${2:-1e-3}
takt=${TAKT:-build/takt}
export LD_BIND_NOW=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# inside STEPS OPTION...: instructions of the run, and of exec_run in it
inside() {
    local stop
    stop=$(awk -v n="$1" -v h="$step" 'BEGIN { printf "%.17g", n * h }')
    shift
    valgrind --tool=callgrind --toggle-collect=sim_run \
        --callgrind-out-file="$work/cg" "$takt" sim "$model" --method be \
        --step "$step" --stop "$stop" --quiet "$@" >/dev/null 2>"$work/err" ||
        { cat "$work/err" >&2; exit 1; }
    callgrind_annotate --inclusive=yes --auto=no --threshold=100 "$work/cg" |
        tr -d ',' | awk '/PROGRAM TOTALS/ { all = $1 }
            /:exec_run / { exec = $1 } END { print all, exec }'
}

read -r _ _ c _ < <(TAKT=$takt bench/count_steps.sh "$model" 20 --method be --step "$step" --stop 1)
bad=0
row() { # OPTION...
    local all exec more again
    read -r all exec < <(inside 200 "$@")
    read -r more again < <(inside 400 "$@")
    awk -v t="\`takt sim${*:+ $*}\`" -v w=$(((more - all) / 200)) \
        -v i=$(((again - exec) / 200)) -v c="$c" 'BEGIN {
        printf "| %s | %d (%.1f) | %d (%.1f) |\n", t, w, w / c, i, i / c
        exit w > 15 * c }' || bad=1
}
echo "| generated C | $c | |"
row --static
row
exit $bad
