#!/usr/bin/env bash
# No crying wolf: runs that are right are not called doubtful. Models of the gallery
# (all with TAKT_LONG=1) with four methods at its own step: where a run is within 1 % of a reference,
# at most 1 % of its steps are doubtful and none fails, at the desk and in C.
#
#   TAKT=build/takt TAKT_SOURCE=. TAKT_CC=gcc tests/cli/no_wolf.sh [-v] [MODEL...]
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE" || exit 4
verbose=
[ "${1:-}" != -v ] || { verbose=1; shift; }
some="MotorDrive HeatDiffusion Pendulum QuarterCar SampledControl HeatedRoom RlcIndex2"
[ -z "${TAKT_LONG:-}" ] || some=$(cd models/gallery && ls *.mo | sed 's/\.mo$//')
models=${*:-$some}
export TAKT TAKT_CC work
checks=1
sanitized && skip "the release build shows it"

cat >"$work/main.c" <<'C'
/* main STEPS: how many steps were doubtful and failed, by cause. */
#include <stdio.h>
#include <stdlib.h>
#include "model.h"
static const char *const word[] = {
#define STATUS(NAME, code, severity, fmi, of, word, text, hint) #severity " " word,
#include "base/status.def"
};
int main(int argc, char **argv)
{
    static model m;
    static long count[sizeof word / sizeof word[0]];
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    int status = model_init(&m);
    for (long k = 0; k < n && status >= 0 && status != MODEL_TERMINATED; k++) {
        status = model_step(&m);
        for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
            count[i] += m.causes >> i & 1;
    }
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
        if (count[i])
            printf("%s %ld\n", word[i], count[i]);
    if (status < 0)
        printf("FAILED stopped 1\n");
    return 0;
}
C

# one MODEL: a line MODEL METHOD WAY STEPS INSIDE(yes/no) DOUBTFUL FAILED CAUSES
one() {
    local model=$1 file=models/gallery/$1.mo at=$work/$1 method inside steps code step stop
    mkdir "$at"
    timeout 60 "$TAKT" sim "$file" --method radau5 --tolerance 1e-8 --events exact --quiet \
        -o "$at/ref.csv" >/dev/null 2>"$at/err" ||
        timeout 60 "$TAKT" sim "$file" --method ida --tolerance 1e-8 --quiet -o "$at/ref.csv" \
            >/dev/null 2>"$at/err" || { echo "$model - - 0 none 0 0 -"; return; }
    for method in be lie ros2 radau5; do
        timeout 60 "$TAKT" sim "$file" --method $method --compare "$at/ref.csv" --tube 0.01 --json \
            >"$at/json" 2>"$at/err"
        code=$?
        inside=yes
        grep -q E1330 "$at/err" && inside=no
        [ $code -le 1 ] || inside=no
        steps=$(sed -n 's/^\t"steps":\t\([0-9]*\),/\1/p' "$at/json")
        # causes: "word": count
        sed -n '/"causes":/,/}/p' "$at/json" | sed -n 's/^\t\t"\(.*\)":\t\([0-9]*\),*/\1 \2/p' >"$at/causes"
        awk -v head="$model $method sim ${steps:-0} $inside" '
            NR == FNR { severity[$1] = $2; next }
            { n[severity[$1]] += $2; all = all "," $1 "=" $2 }
            END { print head, n["DOUBTFUL"] + 0, n["FAILED"] + 0, all == "" ? "-" : substr(all, 2) }' \
            "$work/severity" "$at/causes"
        step=$(sed -n 's/^\t"step":\t\([^,]*\),/\1/p' "$at/json")
        [ $inside = yes ] || continue
        timeout 60 "$TAKT" build "$file" --method $method --step "$step" --name model --quiet \
            -o "$at/c" >/dev/null 2>"$at/err" || { echo "$model $method c 0 none 0 0 -"; continue; }
        "$TAKT_CC" -O1 -w "-I$at/c" -Isrc "$work/main.c" "$at/c/model.c" -lm -o "$at/run" &&
            "$at/run" "$steps" | awk -v head="$model $method c $steps $inside" '
                { n[$1] += $3; all = all "," $2 "=" $3 }
                END { print head, n["DOUBTFUL"] + 0, n["FAILED"] + 0, all == "" ? "-" : substr(all, 2) }'
    done
}
export -f one
tr -d '\n' <src/base/status.def | grep -o 'STATUS([A-Z_]*, -*[0-9]*, [A-Z]*, [A-Z]*, [A-Z]*, *"[a-z_]*"' |
    sed 's/STATUS([A-Z_]*, -*[0-9]*, \([A-Z]*\), [A-Z]*, [A-Z]*, *"\(.*\)"/\2 \1/' >"$work/severity"
[ "$(wc -l <"$work/severity")" -ge 9 ] || fail "the table of causes is not understood"
echo "$models" | tr ' ' '\n' | xargs -P 2 -L 1 bash -c 'one "$0"' >"$work/table"
sort "$work/table" >"$work/sorted"
[ -z "$verbose" ] || cat "$work/sorted"
awk '$5 == "yes" { n[$3]++; steps[$3] += $4; doubtful[$3] += $6 }
    END { for (w in n) printf "%-4s %4d runs within 1 %%, %8d steps, %d causes of doubt\n", w, n[w], steps[w], doubtful[w] }' \
    "$work/sorted"
# what is known to cry, with its reason
grep -v '^#' tests/pathology/wolves.txt >"$work/known"
awk '$5 == "yes" && ($6 > 0.01*$4 || $7 > 0)' "$work/sorted" |
    grep -v -F -f "$work/known" >"$work/wolves"
[ ! -s "$work/wolves" ] || { fail "$(wc -l <"$work/wolves") runs are right and called doubtful:"; cat "$work/wolves"; }
n=$(awk '$5 == "yes" && $3 == "sim"' "$work/sorted" | wc -l)
[ "$n" -ge 40 ] || [ -z "${TAKT_LONG:-}" ] || fail "only $n runs are within 1 %"
finish
