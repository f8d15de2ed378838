#!/usr/bin/env bash
# pde.sh - partial differential equations by lines: what equal errors cost.
#
#   bench/pde.sh [-g "GRID1D ..."] [-p "GRID2D ..."] [-e ERROR]
#
# For the heat equation on rods and plates each method gets the longest step
# T/2^k with which all states at T are within ERROR of a reference (radau5 with
# T/2^10). Its cost is the number of steps times the instructions of a step of
# the generated C (bench/count_steps.sh). For the wave equation am3 and bdf3
# have equal steps: error and energy that is left. Prints tables in Markdown.
# TAKT names the program.
set -u
here=$(cd "$(dirname "$0")" && pwd)
models=$here/models
export TAKT=${TAKT:-build/takt}
rods="20 40 80"
plates="4 5 6"
goal=1e-4
while getopts g:p:e: option; do
    case $option in
    g) rods=$OPTARG ;;
    p) plates=$OPTARG ;;
    e) goal=$OPTARG ;;
    *) exit 2 ;;
    esac
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# grid MODEL N: the model with so many points
grid() {
    sed "s/Integer n = [0-9]*/Integer n = $2/" "$models/$1.mo" >"$dir/$1.mo"
}

# final MODEL METHOD STEP STOP FILE: "name value" at the end
final() {
    "$TAKT" sim "$dir/$1.mo" --method "$2" --step "$3" --stop "$4" --estimate off --json \
        2>"$dir/err" | sed -n '/"final"/,$p' |
        sed -n 's/^[[:space:]]*"\(.*\)":[[:space:]]*\([-0-9.e+]*\),*$/\1 \2/p' >"$5"
    [ -s "$5" ]
}

distance() { # A B NAMES: the largest difference of variables
    awk -v names="$3" 'NR == FNR { a[$1] = $2; next }
        $1 ~ names { d = a[$1] - $2; if (d < 0) d = -d; if (d > m) m = d }
        END { printf "%.2e", m }' "$1" "$2"
}

# row MODEL N METHOD: step, error, instructions
row() {
    local stop=0.5 k h error count
    for ((k = 2; k <= 9; k++)); do
        h=$(awk "BEGIN { printf \"%.17g\", $stop / 2^$k }")
        final "$1" "$3" "$h" $stop "$dir/run" || { echo "| $1 $2 | $3 | failed |"; return; }
        error=$(distance "$dir/ref" "$dir/run" '^x')
        awk "BEGIN { exit !($error <= $goal) }" && break
    done
    count=$(bash "$here/count_steps.sh" "$dir/$1.mo" 20 --method "$3" --step "$h" 2>"$dir/err" | awk '{ print $3 }')
    awk -v m="$1 $2" -v n="$3" -v k=$k -v e="$error" -v c="${count:-0}" 'BEGIN {
        printf "| %s | `%s` | %d | %s | %d | %.3f |\n", m, n, 2^k, e, c, 2^k * c / 1e6 }'
}

echo "| model, points | method | steps | error | instructions of a step | million in all |"
echo "|---|---|--:|--:|--:|--:|"
for model in HeatRod SquarePlate; do
    [ $model = HeatRod ] && grids=$rods || grids=$plates
    for n in $grids; do
        grid $model "$n"
        final $model radau5 "$(awk 'BEGIN { print 0.5 / 1024 }')" 0.5 "$dir/ref" || { echo "| $model $n | no reference |"; continue; }
        for method in bdf3 radau3 sdirk4; do
            row $model "$n" $method
        done
    done
done
echo
echo "| string, points | method | step | error of u | energy at 3.75, of 1 |"
echo "|---|---|--:|--:|--:|"
for n in 20 40 80; do
    grid WaveString "$n"
    final WaveString radau5 0.00048828125 3.75 "$dir/ref" || continue
    start=$(awk -v n="$n" 'BEGIN { w = 2*(n+1)*sin(3.14159265358979/(2*(n+1))); print w*w/4 }')
    for method in am3 bdf3 trapezoid; do
        final WaveString $method 0.0078125 3.75 "$dir/run" || { echo "| $n | $method | failed |"; continue; }
        echo "| $n | \`$method\` | 1/128 | $(distance "$dir/ref" "$dir/run" '^u') | $(awk -v s="$start" '$1 == "energy" { printf "%.6g", $2 / s }' "$dir/run") |"
    done
done
