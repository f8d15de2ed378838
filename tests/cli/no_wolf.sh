#!/usr/bin/env bash
# No crying wolf, and no silence: the gallery with five methods at its own step
# (1,000 steps at most, 5,000 where things happen later, all of them, and five slow
# models too, with TAKT_LONG=1),
# against radau5 at 1e-7 with exact events.
#   right  every state is within 1 % of its range at every row, and every signal in
#          the 1 % tube: then at most 1 % of the steps are doubtful and none fails
#   wrong  a state leaves the 1 % tube, which forgives 1 % of the time axis too: then a
#          warning or an error says so
# What is neither (out of phase, or an algebraic variable off) may be said or not. C is
# held to the first for a few models with lie, for all with TAKT_LONG=1.
#
#   TAKT=build/takt TAKT_SOURCE=. TAKT_CC=gcc tests/cli/no_wolf.sh [-v] [MODEL...]
# build: release
# cost: 48
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE" || exit 4
verbose=
[ "${1:-}" != -v ] || { verbose=1; shift; }
all=$(cd models/gallery && ls *.mo | sed 's/\.mo$//')
slow="RingModulator RobertsonDae SixAxisRobot DiodeLadder DiodeLadderLoop" # seconds each
[ -n "${TAKT_LONG:-}" ] || quick=$(echo "$all" | grep -v -x -F "$(echo $slow | tr ' ' '\n')")
models=${*:-${quick:-$all}}
export some_c="MotorDrive QuarterCar SampledControl HeatedRoom RlcIndex2"
export later="BouncingMass BacklashDrive BuckConverter MotorDrive ExhaustPipe QuarterCar HeatedRoom Rectifier"
[ -z "${TAKT_LONG:-}" ] || export some_c=$all
export TAKT TAKT_CC work
checks=1

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

# number MODEL NAME: of its experiment annotation.
number() { sed -n "s/.*[(, ]$2 *= *\([0-9.eE+-]*\).*/\1/p" "models/gallery/$1.mo" | head -1; }

# judge FILE STATES: "right", "wrong" or "between", by the JSON of a comparison.
judge() {
    awk -F '\t' -v states="$2" '
        BEGIN { n = split(states, name, "\n"); for (i = 1; i <= n; i++) state["\"" name[i] "\":"] = 1 }
        $3 == "\"error\":" || $3 == "\"deviation\":" { part = $3; next }
        /^\t\t}/ { part = "" }
        part == "" { next }
        { v = $5; sub(/,$/, "", v); bad = v == "null" || v + 0 > 0.01; is = ($4 in state) }
        part == "\"error\":" { tube += bad; lost += bad && is }
        part == "\"deviation\":" { off += bad && is }
        END { print lost ? "wrong" : tube || off ? "between" : "right" }' "$1"
}

# in_c MODEL METHOD STEP STEPS: the line of the generated code.
in_c() {
    local at=$work/$1
    timeout 60 "$TAKT" build "models/gallery/$1.mo" --method "$2" --step "$3" --name model --quiet \
        -o "$at/c" >/dev/null 2>"$at/err" || { echo "$1 $2 c 0 none 0 0 -"; return; }
    "$TAKT_CC" -O1 -w "-I$at/c" -Isrc "$work/main.c" "$at/c/model.c" -lm -o "$at/run" &&
        "$at/run" "$4" | awk -v head="$1 $2 c $4 right" '
            { n[$1] += $3; all = all "," $2 "=" $3 }
            END { print head, n["DOUBTFUL"] + 0, n["FAILED"] + 0, all == "" ? "-" : substr(all, 2) }'
}

# most MODEL: steps.
most() {
    [ -z "${TAKT_LONG:-}" ] || { echo 1e9; return; }
    case " $later " in *" $1 "*) echo 5000 ;; *) echo "1000" ;; esac
}

# one MODEL: lines MODEL METHOD WAY STEPS VERDICT DOUBTFUL FAILED CAUSES CODES
one() {
    local model=$1 file=models/gallery/$1.mo at=$work/$1 method verdict steps code step stop codes
    mkdir "$at"
    stop=$(awk -v stop="$(number "$model" StopTime)" -v h="$(number "$model" Interval)" -v most="$(most "$model")" '
        BEGIN { if (stop == "") stop = 1; if (h == "") h = stop/500
            print (stop + 0 > most*h ? most*h : stop + 0) }')
    timeout 60 "$TAKT" sim "$file" --stop "$stop" --method radau5 --tolerance 1e-7 --events exact --quiet \
        -o "$at/ref.csv" >/dev/null 2>"$at/err" ||
        timeout 60 "$TAKT" sim "$file" --stop "$stop" --method ida --tolerance 1e-7 --quiet -o "$at/ref.csv" \
            >/dev/null 2>"$at/err" || { echo "$model - - 0 none 0 0 -"; return; }
    for method in be lie radau5 rk4 bdf2; do
        (ulimit -t 5 && exec "$TAKT" sim "$file" --stop "$stop" --method $method --compare "$at/ref.csv" \
            --tube 0.01 --estimates "$at/est.csv" --json) >"$at/json" 2>"$at/err"
        code=$?
        steps=$(sed -n 's/^\t"steps":\t\([0-9]*\),/\1/p' "$at/json")
        codes=$(grep -o '\[[EW][0-9]*\]' "$at/err" | grep -v E1330 | sort -u | tr -d '[]\n')
        verdict=failed
        [ $code -gt 1 ] || ! grep -q '"compared"' "$at/json" || verdict=$(judge "$at/json" \
            "$(head -1 "$at/est.csv" | grep -o 'local([^"]*)"' | sed 's/^local(//; s/)"$//')")
        # causes: "word": count
        sed -n '/"causes":/,/}/p' "$at/json" | sed -n 's/^\t\t"\(.*\)":\t\([0-9]*\),*/\1 \2/p' >"$at/causes"
        awk -v head="$model $method sim ${steps:-0} $verdict" -v codes="${codes:--}" '
            NR == FNR { severity[$1] = $2; next }
            { n[severity[$1]] += $2; all = all "," $1 "=" $2 }
            END { print head, n["DOUBTFUL"] + 0, n["FAILED"] + 0, all == "" ? "-" : substr(all, 2), codes }' \
            "$work/severity" "$at/causes"
        step=$(sed -n 's/^\t"step":\t\([^,]*\),/\1/p' "$at/json")
        case " $(echo $some_c) " in *" $model "*) ;; *) continue ;; esac
        [ $verdict = right ] || continue
        [ $method = lie ] || [ -n "${TAKT_LONG:-}" ] || continue
        in_c "$model" $method "$step" "$steps"
    done
}
export -f number judge in_c most
export -f one
tr -d '\n' <src/base/status.def | grep -o 'STATUS([A-Z_]*, -*[0-9]*, [A-Z]*, [A-Z]*, [A-Z]*, *"[a-z_]*"' |
    sed 's/STATUS([A-Z_]*, -*[0-9]*, \([A-Z]*\), [A-Z]*, [A-Z]*, *"\(.*\)"/\2 \1/' >"$work/severity"
[ "$(wc -l <"$work/severity")" -ge 9 ] || fail "the table of causes is not understood"
echo "$models" | tr ' ' '\n' | xargs -P 2 -L 1 bash -c 'one "$0"' >"$work/table"
sort "$work/table" >"$work/sorted"
[ -z "$verbose" ] || cat "$work/sorted"
awk '$3 == "sim" { all[$2]++; n[$2, $5]++; said[$2] += $5 == "wrong" && $9 != "-"; cry[$2] += $5 == "right" && ($6 > 0.01*$4 || $7 > 0) }
    END { printf "%-7s %5s %6s %5s %6s %5s %8s %7s\n", "method", "runs", "right", "cried", "wrong", "said", "between", "failed"
        for (m in all) printf "%-7s %5d %6d %5d %6d %5d %8d %7d\n", m, all[m], n[m, "right"], cry[m], n[m, "wrong"], said[m], n[m, "between"], n[m, "failed"] }' \
    "$work/sorted"
awk '$5 == "right" && ($6 > 0.01*$4 || $7 > 0)' "$work/sorted" >"$work/wolves"
[ ! -s "$work/wolves" ] || { fail "$(wc -l <"$work/wolves") runs are right and called doubtful:"; cat "$work/wolves"; }
awk '$5 == "wrong" && $9 == "-"' "$work/sorted" >"$work/silent"
[ ! -s "$work/silent" ] || { fail "$(wc -l <"$work/silent") runs are wrong and say nothing:"; cat "$work/silent"; }
n=$(awk '$5 == "right" && $3 == "sim"' "$work/sorted" | wc -l)
[ $# -gt 0 ] || [ "$n" -ge 100 ] || fail "only $n runs are right"
finish
