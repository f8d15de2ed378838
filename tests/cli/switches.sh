#!/usr/bin/env bash
# Slopes that jump without an event (noEvent): every controlled method ends a
# step there and says so, and its error follows the tolerance. What is
# continuous is no jump. The values on the right are known: Square, Saw, Wall
# and Relay piece by piece in closed form, Bend by quadrature with 50 digits.
# build: release
# cost: 5
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
for m in liex rk4; do # there is no solution after t = 0.5
    run_takt sim Slide.mo --stop 2 --method $m --tolerance 1e-4 --step 0.1 --quiet -o out.csv
    [ "$code" = 1 ] && grep -q 'at time 0.5.*to and fro.*E1345' "$work/err" || fail "Slide $m: $(head -1 "$work/err")"
done
run_takt sim Square.mo --stop 10 --method sdirk4 --tolerance 1e-6 --quiet -o out.csv
grep -q 'Square.mo:4.*that of x does.*W1377' "$work/err" || fail "no place: $(head -1 "$work/err")"
# cvode and ida see such jumps in their error tests
for m in cvode ida; do
    ends Square 10 x -0.01337781437350847 1e-4 0 --method $m --tolerance 1e-6
done
finish
