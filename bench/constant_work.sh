#!/usr/bin/env bash
# constant_work.sh [STEPS] - is the work of a step the same always?
#
# Counts every one of 1,000 steps of each model of bench/models/list with
# --math takt, in double and float (some by ros2 too): the least and the largest number of
# instructions must be equal, and at most the limits below. The models of other
# tools' benches must agree with backward Euler iterated to convergence to 1e-3
# of the range of each variable. Exits 1 if anything is not as promised.
set -eu
cd "$(dirname "$0")/.."
export LD_BIND_NOW=1 TAKT=${TAKT:-build/takt}
steps=${1:-1000}
only=${BENCH_MODELS:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v valgrind >/dev/null || { echo "valgrind is needed" >&2; exit 77; }
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# instructions per step in double that are promised
limit_of() {
    case $1 in
    heat50) echo 4500 ;;
    ladder100) echo 13000 ;;
    robot78) echo 12000 ;;
    peer_ladder) echo 35000 ;;
    peer_ladderloop) echo 60000 ;;
    *) echo 0 ;;
    esac
}

count() { # NAME SCALAR MODEL STEP STOP OPTION...
    local name=$1 scalar=$2 model=$3 step=$4 stop=$5 low high limit
    shift 5
    read -r _ low _ high < <(bench/count_steps.sh "$model" "$steps" \
        --step "$step" --stop "$stop" --math takt --scalar "$scalar" "$@") ||
        { fail "$name $scalar: not counted"; return; }
    printf '%-16s %-7s %7d to %7d\n' "$name" "$scalar" "$low" "$high"
    [ "$low" = "$high" ] || fail "$name $scalar: the work varies"
    limit=$(limit_of "$name")
    [ "$scalar" = float ] || [ "$limit" = 0 ] || [ "$high" -le "$limit" ] ||
        fail "$name: $high instructions, $limit are promised"
}

# Largest distance from converged backward Euler, in ranges of the variables.
distance() { # MODEL STEP STOP OPTION...
    local model=$1 step=$2 stop=$3
    shift 3
    "$TAKT" sim "$model" "$@" --method be --step "$step" --stop "$stop" \
        --quiet -o "$work/be.csv"
    "$TAKT" sim "$model" "$@" --method lie --static --step "$step" \
        --stop "$stop" --compare "$work/be.csv" --tube 1 2>/dev/null |
        sed -n 's/.*largest error \([^ ]*\) of its range.*/\1/p' | sort -g |
        tail -1
}

while read -r name model step stop options <&3; do
    case "$name" in '' | '#'*) continue ;; esac
    case " ${only:-$name} " in *" $name "*) ;; *) continue ;; esac
    for scalar in double float; do
        # shellcheck disable=SC2086
        count "$name" $scalar "$model" "$step" "$stop" $options
    done
    case $name in
    pipe25 | ladder100 | robot78)
        # shellcheck disable=SC2086
        count "$name-ros2" double "$model" "$step" "$stop" --method ros2 $options ;;
    esac
    case $name in
    heat50 | peer_*)
        # shellcheck disable=SC2086
        error=$(distance "$model" "$step" "$stop" $options)
        echo "$name: ${error:-?} of the range from converged backward Euler"
        awk -v e="${error:-1}" 'BEGIN { exit !(e <= 1e-3) }' ||
            fail "$name strays by ${error:-?}" ;;
    esac
done 3<bench/models/list
[ "$failures" = 0 ]
