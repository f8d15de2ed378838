#!/usr/bin/env bash
# Invariants that join the iterations of a step as least squares, or correct its
# end: the pendulum of Cellier and Kofman 8.10, a double pendulum, the charge of a
# node. Figures to four digits, generated C to the last bit, and what is refused.
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
cd "$TAKT_SOURCE/models/gallery" || exit 4

cat >"$work/acc.json" <<'P'
{"takt_plan": 1, "algebraic": "tear", "tearing": {"acc": ["acc"]}}
P

# last NAME: the last value of a column of run.csv
last() {
    awk -F, -v name="\"$1\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i }
        END { print $k }' "$work/run.csv"
}

# is VALUE EXPECTED TOLERANCE WHAT
is() {
    awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { d = a - b; exit !(d <= t && -d <= t) }' ||
        fail "$4: $1, expected $2"
}

# ends MODEL NAME EXPECTED TOLERANCE OPTION...: the last value of a run
ends() {
    local model=$1 name=$2 expected=$3 tolerance=$4
    shift 4
    run_takt sim "$model.mo" --quiet -o "$work/run.csv" "$@"
    [ "$code" = 0 ] || { fail "$model $*: $code"; head -3 "$work/err"; return; }
    is "$(last "$name")" "$expected" "$tolerance" "$model $*"
}

# --- the four results of 8.10, energy after 10 s with h = 0.01 -----------------
p=PendulumEnergy
ends $p Ef 37.3065 5e-5 --method fe
ends $p Ef -17.2991 5e-5 --method be
ends $p Ef -0.002364 5e-7 --method bi2
ends $p Ef -0.67165 5e-6 --method be --plan "$work/acc.json" --invariant Ef
ends $p phi 0.2984559 5e-8 --method be --plan "$work/acc.json" --invariant Ef

# --- every kind of method: joined where it iterates, projected in any case -----
for row in "radau3 1e-3" "radau5 1e-9" "lobatto4 1e-6" "sdirk4 1e-6" "bdf2 1e-2" \
    "bdf3 2e-3" "am3 1e-3" "trapezoid 1e-3" "midpoint 1e-3" "lie 1"; do
    read -r method bound <<<"$row"
    ends $p Ef 0 "$bound" --method "$method" --invariant Ef
done
for method in fe rk4 be bdf3 radau3 bi2 rodas4 liex3 midpoint; do
    ends $p Ef 0 1e-9 --method "$method" --invariant Ef --invariant-by project
done
# the projected step is as accurate as the method was
ends $p phi 0.2135638701716457 1e-6 --method rk4 --invariant Ef --invariant-by project

# --- weights: the more it counts, the better it is kept ------------------------
d=DoublePendulumEnergy
before=9
for weight in 1 10 100 1000; do
    run_takt sim $d.mo --method be --invariant "Ef:$weight" --quiet -o "$work/run.csv"
    now=$(last Ef)
    now=${now#-}
    awk -v a="$now" -v b="$before" 'BEGIN { exit !(a < b) }' ||
        fail "$d, weight $weight: $now after $before"
    before=$now
done
is "$before" 0 0.01 "$d, weight 1000"
ends $d Ef 0 1e-9 --method be --invariant Ef --invariant-by project

# --- the charge of a node: lost by capacitances, kept as an invariant ----------
c=FloatingNode
run_takt sim $c.mo --method be --quiet -o "$work/run.csv"
lost=$(last dQ)
awk -v x="$lost" 'BEGIN { exit !(x < -0.5) }' || fail "$c loses $lost V only"
ends $c dQ 0 1e-9 --method be --invariant dQ:1000
ends $c dQ 0 1e-9 --method be --invariant dQ --invariant-by project

# --- by annotation, with a weight: the same steps as by option -----------------
sed 's/annotation(/annotation(__takt(invariant = {Ef}, invariantWeight = {2}), /' \
    $p.mo >"$work/$p.mo"
run_takt sim "$work/$p.mo" --method radau3 --quiet -o "$work/annotated.csv"
run_takt sim $p.mo --method radau3 --invariant Ef:2 --quiet -o "$work/run.csv"
cmp -s "$work/annotated.csv" "$work/run.csv" || fail "annotation and option differ"

# --- generated C: the same to the last bit, 10 s and 1,000 s -------------------
# agree MODEL STEPS OPTION...
agree() {
    local model=$1 steps=$2
    shift 2
    run_takt sim "$model.mo" --static --estimate off --defect off --every "$steps" \
        --quiet -o "$work/run.csv" "$@"
    [ "$code" = 0 ] || { fail "$model --static $*: $code"; head -3 "$work/err"; return; }
    run_takt build "$model.mo" --all --init values --quiet --name model \
        -o "$work/model" "$@"
    [ "$code" = 0 ] || { fail "build $model $*: $code"; head -3 "$work/err"; return; }
    "$TAKT_CC" -std=c99 -O0 -ffp-contract=off "-I$work/model" "$work/model/model.c" \
        "$work/model/example/main.c" -lm -o "$work/run" &&
        "$work/run" "$steps" >"$work/values" &&
        same "$work/values" "$work/run.csv" >"$work/diff" ||
        { fail "$model $* differs:"; head -3 "$work/diff"; }
}
agree $p 1000 --method be --plan "$work/acc.json" --invariant Ef --newton 3
is "$(awk '$1 == "Ef" { print $2 }' "$work/values")" -0.67165 5e-6 "Ef of the C"
joined="radau3 bdf2 midpoint lie" projected="rk4 rodas3 be"
sanitized && joined=midpoint projected=rodas3 # which are slow
for method in $joined; do
    agree $p 1000 --method $method --invariant Ef
done
for method in $projected; do
    agree $p 1000 --method $method --invariant Ef --invariant-by project
done
agree $d 1000 --method radau3 --invariant Ef:100
agree $c 10000 --method be --invariant dQ:10

# the energy stays within its band from 10 s to 1,000 s
run_takt build $p.mo --method be --plan "$work/acc.json" --invariant Ef --newton 3 \
    --step 10ms --all --init values --quiet --name model -o "$work/model"
cat >"$work/band.c" <<'C'
#include <stdio.h>
#include <string.h>
#include "model.h"
int main(void)
{
    static model m;
    double low = 1e9, high = -1e9;
    int energy = 0;
    while (strcmp(model_name(energy), "Ef"))
        energy++;
    if (model_init(&m) < 0)
        return 1;
    for (long k = 1; k <= 100000; k++) {
        if (model_step(&m) < 0)
            return 2;
        double e = model_get(&m, energy);
        low = k >= 1000 && e < low ? e : low;
        high = k >= 1000 && e > high ? e : high;
    }
    printf("%.6f %.6f\n", low, high);
    return 0;
}
C
"$TAKT_CC" -std=c99 -O1 -ffp-contract=off "-I$work/model" "$work/model/model.c" \
    "$work/band.c" -lm -o "$work/run" && band=$("$work/run") || fail "the band: compiler or step"
is "${band% *}" -1.4075 5e-4 "lowest energy"
is "${band#* }" -0.6530 5e-4 "highest energy"

# --- step control: by halves of a step ----------------------------------------
ends $p Ef 0 1e-4 --method radau3 --tolerance 1e-6 --invariant Ef

# --- what cannot be done is refused --------------------------------------------
for method in fe rk4 pece bi2; do
    expect 1 "no invariant can join a step of $method\|of fe: nothing that it depends on" \
        sim $p.mo --method $method --invariant Ef
done
expect 1 'cannot join the stages of rodas4.*invariant-by project' sim $p.mo --method rodas4 --invariant Ef
expect 1 'cannot join the stages of liex2.*invariant-by project' build $p.mo --method liex2 --invariant Ef -o "$work/model"
expect 1 "no Real variable 'Eg'" sim $p.mo --invariant Eg
expect 1 "positive weight.*'Ef:0'" sim $p.mo --invariant Ef:0
expect 1 "positive weight.*'Ef:x'" sim $p.mo --invariant Ef:x
expect 1 "nothing to keep" sim $p.mo --invariant-by project
expect 1 "says not to look at" sim $p.mo --invariant Ef --invariant-by off
expect 1 "no 'estimate' of the error" sim $p.mo --invariant Ef --estimate local
expect 2 'invariant needs a method with a fixed step' sim $p.mo --method ida --invariant Ef
expect 1 'no invariant can join a step of be: nothing' sim $p.mo --method be --invariant g
expect 0 "ida and cvode keep no invariant.*W0902" sim "$work/$p.mo" --method ida
expect 1 'cannot be tuned.*E1503' tune "$work/$p.mo"
sed 's/annotation(/annotation(__takt(invariant = {Ef}, invariantWeight = {-2}), /' $p.mo >"$work/Bad.mo"
expect 1 'positive number for each.*E0939' sim "$work/Bad.mo"
sed 's/annotation(/annotation(__takt(invariant = {Ef > 0}), /' $p.mo >"$work/Bad.mo"
expect 1 'must be Real expressions.*E0939' sim "$work/Bad.mo"
finish
