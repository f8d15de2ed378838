#!/usr/bin/env bash
# rq.sh [BUILD] - instructions of the structured RQ, and of a QR of the whole
# matrix, for n = m = 10 and index 1 to 10 (callgrind): a row of a table each.
set -eu
build=${1:-build}
cmake --build "$build" --target bench_array >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count() { # count INDEX WHAT FUNCTION
    valgrind --tool=callgrind --callgrind-out-file="$work/out" \
        --toggle-collect="$3" \
        "$build/bench/bench_array" "$1" "$2" >/dev/null 2>"$work/log" ||
        { cat "$work/log" >&2; exit 1; }
    sed -n 's/^\(totals\|summary\): //p' "$work/out" | head -1
}
echo "| index | RQ | QR | QR/RQ |"
echo "|---|---|---|---|"
for index in 1 2 3 4 5 6 7 8 9 10; do
    rq=$(count $index rq rq_factor)
    qr=$(count $index qr count_qr)
    echo "$index $rq $qr" |
        awk '{ printf "| %d | %d | %d | %.2f |\n", $1, $2, $3, $3/$2 }'
done
