#!/usr/bin/env bash
# formulations.sh - networks as circuit simulators formulate them: size, cost, and
# whether the trajectories are the same.
#
#   bench/formulations.sh [-r ROWS] [MODEL.mo ...]
#
# For each formulation: iteration variables of a step of backward Euler, instructions
# of that step as `takt cost` counts them, and the largest difference of potentials,
# voltages, flows and states from the run with takt's own tearing, over ROWS steps
# (300), of the largest value of that name (v, i, T, ...) in the model. Newton iterations
# go to 1e-13. TAKT names the program. Prints a table in Markdown; exit code 1 if a
# trajectory differs by more than 1e-10.
set -u
takt=${TAKT:-build/takt}
root=$(cd "$(dirname "$0")/.." && pwd)
rows=300
while getopts r: option; do
    case $option in
    r) rows=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
gallery=$root/models/gallery models=$root/bench/models
[ $# -gt 0 ] || set -- "$gallery"/{ActiveFilter,Rectifier,BuckConverter,CommonEmitter,HotMirror,MotorDrive}.mo \
    "$models"/{ResistorGrid,CapacitorLoop,MotherBoard,CoilBridge}.mo
forms="tearing tableau mna mna-reduced mesh cutset"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# difference A B: largest over potentials, voltages, flows and states
difference() {
    for file in "$1" "$2"; do
        sed -E -e ':a' -e '1 s/("[^",]*[[(][^",]*),([^"]*")/\1;\2/' -e 'ta' "$file" >"$file.plain"
    done
    awk -F, 'FNR == 1 { file++; gsub(/"/, ""); for (i = 1; i <= NF; i++) { name[file, i] = $i; has[$i] = 1
                 n = split($i, part, "[.]"); kind[$i] = part[n] } ; next }
        FNR == 2 { for (v in has) wanted[v] = kind[v] ~ /^(v|i|T|Q|phi|tau|s|f)$/ || (("der(" v ")") in has) }
        file == 1 { for (i = 1; i <= NF; i++) { v = name[1, i]; a[FNR, v] = $i; x = $i < 0 ? -$i : $i
                 if (x > most[kind[v]]) most[kind[v]] = x } }
        file == 2 { for (i = 1; i <= NF; i++) { v = name[2, i]
                 if (!wanted[v] || !((FNR, v) in a)) continue
                 compared++
                 d = a[FNR, v] - $i
                 if (d < 0) d = -d
                 if (most[kind[v]] > 0 && d / most[kind[v]] > worst) worst = d / most[kind[v]] } }
        END { printf "%.1e", compared ? worst : 1 }' "$1.plain" "$2.plain"
}

echo "| network | ${forms// / | } |"
echo "|---|---|---|---|---|---|---|"
for model in "$@"; do
    name=$(basename "$model" .mo)
    step=$(sed -n 's/.*Interval = \([0-9.e-]*\).*/\1/p' "$model" | head -1)
    stop=$(awk "BEGIN { print $rows * $step }")
    line="| $name"
    for form in $forms; do
        text=$("$takt" check "$model" --method be --step "$step" --formulation "$form" 2>"$dir/err")
        size=$(awk '/difference equations/ { on = 1 } on && /iteration variables/ { sub(/.*iteration variables /, ""); print; exit }' <<<"$text")
        cost=$(awk '/work of every step/ { print $5; exit }' <<<"$text")
        if ! "$takt" sim "$model" --method be --step "$step" --stop "$stop" --formulation "$form" \
            --newton-tolerance 1e-13 -o "$dir/$form.csv" >/dev/null 2>"$dir/err"; then
            line="$line | failed: $(tail -1 "$dir/err")"
            failed=1
            continue
        fi
        far=$(difference "$dir/tearing.csv" "$dir/$form.csv")
        awk "BEGIN { exit !($far <= 1e-10) }" || failed=1
        if [ "$form" = tearing ]; then line="$line | $size, $cost"; else line="$line | $size, $cost, $far"; fi
    done
    echo "$line |"
done
exit $failed
