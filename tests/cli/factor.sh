#!/usr/bin/env bash
# Kinds of static factorisations: every kind gives the same results here and in
# generated C, to the last bit; singular matrices are seen in the same step.
# build: release
# cost: 21
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
cd "$TAKT_SOURCE" || exit 4
strict="-std=c99 -Wall -Wextra -Wconversion -pedantic -Werror -ffp-contract=off"

# agree MODEL METHOD OPTION...: 200 steps of 1 ms
agree() {
    local model=$1 method=$2 out=$work/c
    shift 2
    rm -rf "$out"
    expect 0 . build "$model" --method "$method" --step 1ms --stop 0.2 --all \
        --name model -o "$out" "$@"
    sanitized && return # the other build compiles and compares
    $TAKT_CC $strict -O1 -c "$out/model.c" -o "$out/model.o" 2>"$work/cc" ||
        { fail "$model $*: compiler"; head -5 "$work/cc"; return; }
    $TAKT_CC -O1 "-I$out" "$out/example/main.c" "$out/model.o" -lm \
        -o "$out/run" || { fail "$model $*: example"; return; }
    run_takt sim "$model" --static --estimate off --defect off --method "$method" --step 1ms --stop 0.2 \
        --quiet --every 200 -o "$work/sim.csv" "$@"
    "$out/run" 200 >"$work/values" || fail "$model $*: the example failed"
    same "$work/values" "$work/sim.csv" || fail "$model $method $*: differs"
}

for kind in unroll table qr dense; do
    for model in Pendulum TransistorAmplifier FourBar; do
        agree models/gallery/$model.mo lie --factor $kind
    done
    agree models/gallery/VanDerPol.mo be --factor $kind
    agree models/gallery/BouncingMass.mo radau3 --factor $kind --refine
    agree models/gallery/TransistorAmplifier.mo lie --factor $kind --refine \
        --no-monitor
done

# A pendulum swings through: whatever pivot is chosen, it vanishes somewhere.
# There takt sim --static takes rotations, says so, and finds what takt sim finds.
# Of bdf2 also the steps after a new choice of states must start from the present.
swing() { # METHOD STEP
    run_takt sim models/gallery/Pendulum.mo --method "$1" --step "$2" --quiet \
        -o "$work/host.csv"
    expect 0 . sim --static models/gallery/Pendulum.mo --method "$1" \
        --step "$2" --compare "$work/host.csv" --tube 1e-5
    grep -q "W1406" "$work/err" || fail "$1 $2: fixed pivots for a full swing"
}
swing radau3 5ms
swing radau3 10ms
swing radau5 1ms
swing bdf2 5ms
swing sdirk4 10ms

# the matrix of a plate depends on parameters only: it is factorised by update
agree bench/models/HeatPlate.mo lie --algebraic solve --factor table
grep -q 'takt_lu_factor16(.*m->d' "$work/c/model.c" ||
    fail "the plate's matrix is not factorised by tables"
awk '/_step\(/ { on = 1 } on && /takt_lu_factor/ { bad = 1 } END { exit bad }' \
    "$work/c/model.c" || fail "a constant matrix is factorised in each step"
expect 0 . build bench/models/HeatPlate.mo --algebraic solve --scalar float \
    --step 1ms --factor table -o "$work/float"
$TAKT_CC $strict -O2 -c "$work/float/HeatPlate.c" -o "$work/float.o" ||
    fail "tables in float"

# the size rule: more than 3,000 operations per step are done by tables
expect 0 . build models/gallery/SixAxisRobot.mo --algebraic keep --step 1ms \
    -o "$work/robot"
grep -q takt_lu_factor16 "$work/robot/SixAxisRobot.c" || fail "no tables"
grep -q takt_ "$work/robot/takt_rt_factor.h" || fail "no runtime of tables"

# choices of a plan
echo '{"takt_plan": 1, "method": "lie", "factor": {"*": "qr"}}' >"$work/p.json"
expect 0 . build models/gallery/TransistorAmplifier.mo --plan "$work/p.json" \
    --step 1ms -o "$work/qr"
grep -q takt_qr_factor "$work/qr/TransistorAmplifier.c" || fail "plan: no QR"
echo '{"takt_plan": 1, "method": "lie", "factor": {"nobody": "qr"}}' >"$work/p.json"
expect 1 E1205 build models/gallery/TransistorAmplifier.mo \
    --plan "$work/p.json" --step 1ms -o "$work/qr"
expect 2 "unroll, table, qr or dense" cost models/gallery/VanDerPol.mo \
    --factor nonsense

# two equations become one at time 0.5
cat >"$work/Singular.mo" <<'M'
model Singular
  parameter Real width = 1;
  Real x(start = 1, fixed = true), y[4];
  Real a = 1 + width*(time - 0.5);
equation
  der(x) = -x;
  y[1] + y[2] + y[3] + y[4] = x;
  y[1] - y[2] + 2*y[3] - y[4] = x;
  y[1] + y[2] - y[3] + 3*y[4] = 2*x;
  a*y[1] + y[2] + y[3] + y[4] = 3*x;
end Singular;
M
cat >"$work/main.c" <<'C'
#include <stdio.h>
#include "model.h"
int main(void)
{
    static model m;
    model_init(&m);
    for (int k = 1; k <= 60; k++) {
        double before = m.s.x;
        int status = model_step(&m);
        if (status != 0) {
            printf("step %d status %d %s %s\n", k, status,
                   model_block_name(m.block)[0] ? "named" : "unnamed",
                   m.s.x == before ? "kept" : "moved");
            return 0;
        }
    }
    printf("nothing\n");
    return 0;
}
C
# first_alarm WIDTH KIND: what the generated code says first
first_alarm() {
    rm -rf "$work/s"
    run_takt build "$work/Singular.mo" --set width="$1" --factor "$2" \
        --algebraic keep --step 10ms --stop 0.4 --name model --quiet \
        --all --init values -o "$work/s"
    $TAKT_CC -O1 "-I$work/s" "$work/s/model.c" "$work/main.c" -lm \
        -o "$work/s/run" && "$work/s/run"
}
for kind in unroll table qr dense; do
    said=$(first_alarm 1 $kind)
    case $said in
    "step 50 status -1 named kept" | "step 50 status 5 named moved") ;;
    *) fail "$kind, a singular matrix: $said" ;;
    esac
    said=$(first_alarm 1e-13 $kind)
    [ "$said" = "step 1 status 5 named moved" ] ||
        fail "$kind, a nearly singular matrix: $said"
    run_takt sim "$work/Singular.mo" --set width=1e-13 --factor $kind \
        --algebraic keep --static --method lie --step 10ms --stop 0.1
    grep -q W1407 "$work/err" || fail "$kind: takt sim does not warn"
done
finish
