#!/usr/bin/env bash
# fixed_point.sh - Newton's iteration beside fixed points: iterations in a step.
#
#   bench/fixed_point.sh [MODEL.mo ...]
#
# Steps of backward Euler of three lengths, 20 of each, iterated to 1e-10: iterations
# per step (all blocks together) and the least work of one iteration of each kind, as
# `takt check` counts a step with one iteration. "no": the loop does not contract, and
# takt says so. TAKT names the program. Prints a table in Markdown.
set -u
takt=${TAKT:-build/takt}
root=$(cd "$(dirname "$0")/.." && pwd)
gallery=$root/models/gallery
[ $# -gt 0 ] || set -- "$gallery"/{RcNetwork,HeatDiffusion,Rectifier,HydraulicClutch,AkzoNobel,HotMirror}.mo
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cell() { # MODEL STEP ITERATION
    local stop
    stop=$(awk "BEGIN { print 20 * $2 }")
    timeout 60 "$takt" sim "$1" --method be --step "$2" --stop "$stop" --iteration "$3" >"$dir/text" 2>"$dir/err" || { echo no; return; }
    if grep -q 'in parts' "$dir/text"; then echo no; return; fi
    awk '/Newton iterations/ { printf "%.1f", $3 / $1; exit }' "$dir/text"
}
work() { # MODEL STEP ITERATION
    "$takt" check "$1" --method be --step "$2" --newton 1 --iteration "$3" 2>/dev/null |
        awk '/work of every step/ { print $5; exit }'
}
echo "| model | h | Newton, iterations | work of one | fixed points, iterations | work of one |"
echo "|---|--:|--:|--:|--:|--:|"
for model in "$@"; do
    base=$(sed -n 's/.*Interval = \([0-9.e-]*\).*/\1/p' "$model" | head -1)
    for factor in 10 1 0.1; do
        h=$(awk "BEGIN { print ${base:-0.01} * $factor }")
        echo "| $(basename "$model" .mo) | $h | $(cell "$model" "$h" newton) | $(work "$model" "$h" newton) | $(cell "$model" "$h" fixed-point) | $(work "$model" "$h" fixed-point) |"
    done
done
