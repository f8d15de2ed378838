#!/usr/bin/env bash
# Slopes that jump without an event (noEvent): every controlled method ends a
# step there and says so, and its error follows the tolerance. What is
# continuous is no jump. The values on the right are known: Square, Saw, Wall
# and Relay piece by piece in closed form, Bend by quadrature with 50 digits.
# build: release
# cost: 10
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/ends.sh"
cd "$work" || exit 4

cat >Square.mo <<'M'
model Square "a slope that jumps 22 times, by time"
  Real x(start = 0, fixed = true);
equation
  der(x) = noEvent(if sin(7*time) > 0 then 1 else -1) - 0.1*x;
end Square;
M
cat >Saw.mo <<'M'
model Saw "mod() and floor() without events"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = noEvent(mod(time, 0.3)) - x;
  der(y) = noEvent(floor(time/0.7)) - y;
end Saw;
M
cat >Relay.mo <<'M'
model Relay "stiff before the jump, slow after it; the place depends on a state"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = noEvent(if x^2 < 2 then 50*(1 - y) else -0.5*y);
end Relay;
M
cat >Bend.mo <<'M'
model Bend "a kink and the guard of a root: continuous"
  Real x(start = 1, fixed = true), s(start = 0, fixed = true);
equation
  der(x) = -1;
  der(s) = noEvent(if x > 0 then x^1.5 else 0) + noEvent(abs(x));
end Bend;
M
cat >Slide.mo <<'M'
model Slide "pushed back and forth across the place where it jumps"
  Real x(start = 0.5, fixed = true);
equation
  der(x) = noEvent(if x > 0 then -1 else 1);
end Slide;
M

cat >Surface.mo <<'M'
model Surface "a relay that holds an oscillator on a line"
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), u;
equation
  der(x) = v;
  u = noEvent(if v + 2*x > 0 then -5 else 5);
  der(v) = u - x;
end Surface;
M
cat >Stick.mo <<'M'
model Stick "friction that holds it"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -x - 3*sign(v) + sin(time);
end Stick;
M

# ends MODEL STOP VARIABLE VALUE TOLERANCE JUMPS OPTION...
ends() {
    ends_with "${@:1:5}" "${@:7}" && jumps W1377 "slopes jump" "$1 ${*:7}" "$6"
}

controlled="radau5 radau3 lobatto4 sdirk4 rodas4 rosw3 be bdf liex liex4 rk4 trapezoid"
for m in $controlled; do
    ends Square 10 x -0.01337781437350847 5e-5 '2[23]' --method $m --tolerance 1e-6 --step 10
done
for m in sdirk4 bdf liex rk4; do
    ends Saw 5 x 0.14661050464722274 1e-5 '2[012]' --method $m --tolerance 1e-6 --step 1
    ends Saw 5 y 5.215984797820154 1e-5 '2[012]' --method $m --tolerance 1e-6 --step 1
    ends Relay 3 y 0.45253362065443035 1e-5 1 --method $m --tolerance 1e-6 --step 3
    ends Bend 2 s 1.4 1e-4 0 --method $m --tolerance 1e-6 --step 2
    # a tolerance a thousand times smaller, errors too
    ends Square 10 x -0.01337781437350847 5e-8 '2[23]' --method $m --tolerance 1e-9 --step 10
done
# Continuous, but steep, and a step begins on the very place where pieces change:
# w is 100 (1 - exp(-10)) at 0.021, whatever the pressures do
gallery="$TAKT_SOURCE/models/gallery"
cp "$gallery/HydraulicClutch.mo" .
for m in radau5 lobatto4 sdirk4 rodas4 bdf liex; do
    ends HydraulicClutch 0.021 w 99.995460007023752 1e-4 0 --method $m --tolerance 1e-8
    ends HydraulicClutch 0.26 pl 1053455.7901 0.02 0 --method $m --tolerance 1e-8
done

# Slides along the place where slopes jump: no solution, said soon, where and when.
# slides MODEL LINE TIME TOLERANCE METHOD...
slides() {
    local model=$1 line=$2 time=$3 tol=$4 m
    shift 4
    for m in "$@"; do
        TAKT_TIMEOUT=20 run_takt sim $model.mo --stop 5 --method $m --tolerance $tol --step 0.01 --quiet -o out.csv
        [ "$code" = 1 ] && grep -q "$model.mo:$line.*at time $time.*E1345" "$work/err" ||
            fail "$model $m $tol: $code $(head -1 "$work/err")"
    done
}
slides Slide 4 '0\.5[0 ].*jump to and fro.*that of x' 1e-6 $controlled ida cvode
slides Slide 4 '0\.5[0 ].*jump to and fro.*that of x' 1e-3 radau5 sdirk4 rodas4 bdf liex
slides Surface 5 '0\.266.*jump to and fro.*that of v' 1e-6 radau5 radau3 sdirk4 rodas4 bdf liex ida cvode
slides Stick 5 '0\.339.*jump to and fro.*that of v' 1e-6 radau5 lobatto4 sdirk4 rodas4 bdf liex cvode
run_takt sim Square.mo --stop 10 --method sdirk4 --tolerance 1e-6 --quiet -o out.csv
grep -q 'Square.mo:4.*that of x does.*W1377' "$work/err" || fail "no place: $(head -1 "$work/err")"
# cvode and ida see such jumps in their error tests
for m in cvode ida; do
    ends Square 10 x -0.01337781437350847 1e-4 0 --method $m --tolerance 1e-6
done
finish
