#!/usr/bin/env bash
# late.sh [MODEL...] - errors of the models of tests/hybrid on a grid of 0.5 ms,
# with events that act late and with states that catch up. $TAKT is the program
# (default build/takt).
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
takt=${TAKT:-$here/../build/takt}
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- "$here"/../tests/hybrid/*.mo

# error FILE METHOD LATE
error() {
    local var stop value
    read -r var stop value <<<"$(sed -n '1s/.*check: //p' "$1")"
    "$takt" sim "$1" --method "$2" --late "$3" --step 0.5ms --stop "$stop" \
        --quiet -o "$work/out.csv" 2>"$work/err" || { echo fails; return; }
    awk -F, -v name="\"$var\"" -v value="$value" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        { x = $c }
        END { d = x - value; printf "%.1e", d < 0 ? -d : d }' "$work/out.csv"
}

format='| %-16s | %8s | %8s | %8s | %8s |\n'
# shellcheck disable=SC2059
printf "$format" model lie catch-up ros2 catch-up
echo '|---|---:|---:|---:|---:|'
for file; do
    # shellcheck disable=SC2059
    printf "$format" "$(basename "$file" .mo)" "$(error "$file" lie leave)" \
        "$(error "$file" lie catch-up)" "$(error "$file" ros2 leave)" \
        "$(error "$file" ros2 catch-up)"
done
