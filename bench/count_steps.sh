#!/usr/bin/env bash
# count_steps.sh MODEL [STEPS [OPTION...]] - callgrind instructions of a step.
#
# Prints the name of the model and the least, mean and largest number of
# instructions of a step. $TAKT is the program, $CFLAGS those of the C.
set -eu
model=$1
steps=${2:-1000}
shift; [ $# = 0 ] || shift
takt=${TAKT:-build/takt}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$takt" build "$model" --name model --quiet -o "$work" "$@" 2>"$work/log" ||
    { cat "$work/log" >&2; exit 1; }
# One dump of the counters per step. The first one has the steps before them in
# it: CALLGRIND_ZERO_STATS would leave some jumps of theirs to the next step.
cat >"$work/count.c" <<'C'
#include <stdlib.h>
#include <valgrind/callgrind.h>
#include "model.h"
int main(int argc, char **argv)
{
    static model m;
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
    model_init(&m);
    for (int k = 0; k < 10; k++)
        model_step(&m);
    CALLGRIND_DUMP_STATS;
    for (long k = 0; k < n; k++) {
        if (model_step(&m) < 0)
            return 1;
        CALLGRIND_DUMP_STATS;
    }
    return 0;
}
C
cc -std=c99 ${CFLAGS:--O2 -fno-math-errno} -ffp-contract=off "-I$work" \
    "$work/model.c" "$work/count.c" -lm -o "$work/count"
(cd "$work" && valgrind --tool=callgrind --callgrind-out-file=out \
    --toggle-collect=model_step ./count "$steps" >/dev/null 2>valgrind.log) ||
    { echo "$model: a step failed" >&2; exit 1; }
rm -f "$work/out.1"
for file in "$work"/out.[0-9]*; do
    sed -n 's/^totals: //p' "$file"
done | awk -v model="$(basename "$model" .mo)" '
    $1 > 0 { n++; sum += $1; if (!low || $1 < low) low = $1
             if ($1 > high) high = $1 }
    END { printf "%s %d %.0f %d\n", model, low, sum / n, high }'
