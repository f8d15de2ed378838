#!/usr/bin/env bash
# Parameters and start values changed in generated code, before NAME_start: the
# run is that of takt sim --set.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
cd "$TAKT_SOURCE" || exit 4
strict="-std=c99 -Wall -Wextra -Wconversion -pedantic -Werror"

cat >"$work/main.c" <<'C'
/* main STEPS [NAME VALUE]...: sets, starts, steps, prints. */
#include <stdio.h>
#include <stdlib.h>
#include "model.h"
int main(int argc, char **argv)
{
    static model m;
    model_default(&m);
    for (int i = 2; i + 1 < argc; i += 2) {
        int k = model_find(argv[i]);
        if (k < 0)
            return printf("no %s\n", argv[i]), 2;
        model_set(&m, k, strtod(argv[i + 1], NULL));
    }
    if (model_start(&m) < 0)
        return printf("no start: %s\n", model_where(&m)), 1;
    for (long k = strtol(argv[1], NULL, 10); k > 0; k--)
        if (model_step(&m) < 0)
            return printf("%s: %s\n", model_status_text(m.status),
                          model_where(&m)), 1;
    for (int i = 0; i < MODEL_NVAR; i++)
        printf("%s %.17g\n", model_name(i), model_get(&m, i));
    return 0;
}
C

# near VALUES CSV: equal to 1e-7 of the value or 1e-9
near() { same "$1" "$2" 1e-9 1e-7; }

# changed MODEL STEP STOP "C: NAME VALUE ..." "SIM: NAME=VALUE ...": 100 steps
changed() {
    local out=$work/model option=() set
    run_takt build "$1" --step "$2" --stop "$3" --all --quiet --name model \
        -o "$out"
    [ "$code" = 0 ] || { fail "build $1"; head -3 "$work/err"; return; }
    $TAKT_CC $strict -O1 -ffp-contract=off "-I$out" "$out/model.c" \
        "$work/main.c" -lm -o "$work/run" 2>"$work/cc" ||
        { fail "$1: compiler"; head -5 "$work/cc"; return; }
    for set in $5; do option+=(--set "$set"); done
    run_takt sim "$1" --static --estimate off --defect off --method lie --step "$2" --stop "$3" --quiet \
        --every 100 "${option[@]}" -o "$work/sim.csv"
    [ "$code" = 0 ] || { fail "sim $1"; head -3 "$work/err"; return; }
    # shellcheck disable=SC2086
    "$work/run" 100 $4 >"$work/values" ||
        { fail "$1: $(tail -1 "$work/values")"; return; }
    near "$work/values" "$work/sim.csv" >"$work/diff" ||
        { fail "$1 with $5 differs:"; head -5 "$work/diff"; return; }
    # and it makes a difference
    "$work/run" 100 >"$work/default"
    ! cmp -s "$work/default" "$work/values" || fail "$1: $4 changes nothing"
}

g=models/gallery
changed $g/VanDerPol.mo 1ms 0.1 "mu 3 start(x) 1.5" "mu=3 x=1.5"
changed $g/HeatDiffusion.mo 1ms 0.1 "k 0.5" "k=0.5"
changed $g/BouncingMass.mo 1ms 0.1 "floor.c 2000 start(ball.s) 0.5" \
    "floor.c=2000 ball.s=0.5"
changed $g/MotorDrive.mo 1ms 0.1 "motor.R 2" "motor.R=2"
changed $g/HotResistor.mo 1ms 0.1 "filament.alpha 0.01" "filament.alpha=0.01"
# systems of equations, linear and not
changed $g/CommonEmitter.mo 10us 1ms "collector.R 3000" "collector.R=3000"
changed $g/Rectifier.mo 100us 10ms "cable.R 3" "cable.R=3"
changed $g/FourBar.mo 1ms 0.1 "coupler.m 2 start(crank.phi) 0.8" \
    "coupler.m=2 crank.phi=0.8"
# nonlinear initial equations: at rest; a parameter that they find
cat >"$work/Rest.mo" <<'M'
model Rest
  parameter Real p = 2, q = 2*p "Depends on p";
  parameter Real k(fixed = false, start = 1);
  Real x(start = 1), y(start = 1);
  Boolean high;
initial equation
  der(x) = 0;
  der(y) = 0;
  k^3 + k = q;
equation
  der(x) = p - x - x^3 + 0.1*y;
  der(y) = exp(-y) - k*y*x;
  high = x > 1.2;
end Rest;
M
changed "$work/Rest.mo" 1ms 0.1 "p 5" "p=5"
changed "$work/Rest.mo" 1ms 0.1 "p 20" "p=20"

# what cannot be solved is said, with its place
run_takt build "$work/Rest.mo" --quiet --name model -o "$work/model"
sed -i 's/model_get(&m, i)/(double)model_get(\&m, i)/' "$work/main.c"
$TAKT_CC -O1 "-I$work/model" "$work/model/model.c" "$work/main.c" -lm \
    -o "$work/run" || fail "Rest: compiler"
"$work/run" 1 p 1e300 >"$work/values" && fail "Rest starts with 1e300"
grep -q "no start: ." "$work/values" || fail "no place: $(cat "$work/values")"

# where the start has many solutions the code begins with that of the desk
cat >"$work/Rank.mo" <<'M'
model Rank
  Real x, y;
equation
  der(x) = -x;
  der(y) = x - y;
initial equation
  x + y = 2;
  2*x + 2*y = 4;
end Rank;
M
expect 0 W1338 sim "$work/Rank.mo" --static --method lie --step 10ms --stop 1 \
    --every 100 -o "$work/sim.csv"
expect 0 W1338 build "$work/Rank.mo" --step 10ms --stop 1 --all --name model -o "$work/model"
$TAKT_CC -O1 -ffp-contract=off "-I$work/model" "$work/model/model.c" "$work/model/example/main.c" \
    -lm -o "$work/run" && "$work/run" 100 >"$work/values" &&
    same "$work/values" "$work/sim.csv" || fail "Rank: the code begins elsewhere"

# which of many: as many of the model's own start values are kept as are missing (those that
# leave the others nearest), none of them where it gives none
cat >"$work/Kept.mo" <<'M'
model Kept "on a line through (1, -2); the condition repeats the line"
  Real x(start = 0), y(start = 0), u(start = 0), v, w;
equation
  0.8*(x - 1) = 0.6*(y + 2);
  u = 0.6*(x - 1) + 0.8*(y + 2);
  der(u) = -u;
  der(v) = -v;
  der(w) = -w;
initial equation
  x - 0.6*u = 1;
  v + 3*w = 10;
  2*v + 6*w = 20;
end Kept;
M
expect 0 W1338 sim "$work/Kept.mo" --step 10ms --stop 0.01 -o "$work/sim.csv"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    function off(name, x, d) { d = $at["\"" name "\""] - x; return d > 1e-9 || d < -1e-9 }
    NR == 2 { exit off("u", 0) || off("x", 1) || off("y", -2) || off("v", 1) || off("w", 3) }' \
    "$work/sim.csv" || fail "Kept: $(sed -n 1,2p "$work/sim.csv")"

# initial values as numbers: no code, whatever the parameters are
expect 0 . build "$work/Rest.mo" --init values --name model -o "$work/model"
grep -q newton "$work/model/model.c" && fail "--init values still solves"
"$TAKT_CC" $strict -c "$work/model/model.c" -o "$work/model.o" ||
    fail "--init values: compiler"
expect 2 "init takes" build "$work/Rest.mo" --init no -o "$work/model"
finish
