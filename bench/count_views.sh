#!/usr/bin/env bash
# count_views.sh [METHOD [MODEL...]] - instructions per step that takt counts, with
# each view and with auto; what auto costs over the best view; and, with
# MEASURE=1, what callgrind counts with auto, and the share that takt counts.
set -eu
method=${1:-lie}
[ $# = 0 ] || shift
takt=${TAKT:-build/takt}
[ $# -gt 0 ] || set -- models/gallery/*.mo bench/models/*.mo
counted() { # MODEL VIEW
    "$takt" cost "$1" --method "$method" --algebraic "$2" --json 2>/dev/null |
        sed -n 's/.*"instructions":[[:space:]]*\([0-9]*\).*/\1/p' | head -1
}
printf '%-22s %8s %8s %8s %8s %8s %8s\n' model tear solve small keep auto over
for model in "$@"; do
    [ "$(basename "$model")" != package.mo ] || continue
    row=
    for view in tear solve keep-small keep auto; do
        n=$(counted "$model" $view)
        row="$row ${n:-0}"
    done
    measured=
    if [ "${MEASURE:-0}" = 1 ]; then
        measured=$("$(dirname "$0")/count_steps.sh" "$model" 5 --method "$method" |
            cut -d' ' -f3) || measured=
    fi
    echo "$(basename "$model" .mo)$row ${measured:-0}" | awk '
        { best = 0
          for (i = 2; i <= 5; i++) if ($i > 0 && (!best || $i < best)) best = $i
          printf "%-22s %8d %8d %8d %8d %8d %8.3f", $1, $2, $3, $4, $5, $6,
                 best ? $6 / best : 0
          if ($7 > 0) printf " %8d %6.2f", $7, $6 / $7
          printf "\n" }'
done
