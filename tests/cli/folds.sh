#!/usr/bin/env bash
# Branches of equations that end between events, in folds and in corners: runs
# with step-size control go on on another branch where that is, and say so. What
# is steep but continuous is not taken for a jump. The values on the right were
# computed otherwise: by quadrature between the known times of the jumps
# (Cubic), by hand (Relaxation, Trigger), by RK4 with halved steps and the folds
# found by bisection (Tunnel, Ignition, Two).
# build: release
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/ends.sh"
cd "$work" || exit 4

cat >Cubic.mo <<'M'
model Cubic "y^3 - 3 y = x: a branch ends at x = 2, the other at x = -2"
  parameter Real w = 1;
  Real y(start = -2), x(start = 0, fixed = true), s(start = 0, fixed = true);
equation
  der(x) = 3*w*cos(w*time);
  y^3 - 3*y = x;
  der(s) = w*y;
end Cubic;
M
cat >Relaxation.mo <<'M'
model Relaxation "an amplifier with positive feedback, without events, charges c"
  parameter Real V0 = 1000;
  Real y(start = -1), c(start = 0.1, fixed = true);
equation
  y = noEvent(if V0*(0.5*y - c) > 1 then 1 else if V0*(0.5*y - c) < -1 then -1
              else V0*(0.5*y - c));
  der(c) = y - c;
end Relaxation;
M
cat >Trigger.mo <<'M'
model Trigger "a Schmitt trigger without events and its RC"
  Real y(start = 1), c(start = 0, fixed = true), e(start = 8);
equation
  e = 20*(0.4*y - c);
  y = noEvent(if e > 1 then 1 else if e < -1 then -1 else e);
  der(c) = (y - c)/0.7;
end Trigger;
M
cat >Tunnel.mo <<'M'
model Tunnel "a tunnel diode and a coil: its voltage jumps"
  Real v(start = 0), i(start = 0, fixed = true), s(start = 0, fixed = true);
equation
  i = v*(2*v^2 - 9*v + 12);
  der(i) = 2.5*(1.9 + 1.4*sin(0.5*time)) - i - v;
  der(s) = v;
end Tunnel;
M
cat >Ignition.mo <<'M'
model Ignition "a catalyst particle in warm gas ignites and goes out"
  Real T(start = 0.85), Tg(start = 0.8, fixed = true), c(start = 1, fixed = true);
equation
  T - Tg = c*0.1*exp(10*(1 - 1/T))/(1 + 0.1*exp(10*(1 - 1/T)));
  der(Tg) = 0.5*(0.85 + 0.35*sin(0.3*time) - Tg);
  der(c) = 0.3*(1 - c) - 0.02*(T - Tg);
end Ignition;
M
cat >Two.mo <<'M'
model Two "two cubic loops that drive each other"
  Real y1(start = -2), y2(start = 2);
  Real u(start = 0, fixed = true), v(start = 0, fixed = true), s(start = 0, fixed = true);
equation
  y1^3 - 3*y1 = 3*sin(time) + 0.3*v + 0.1*y2;
  y2^3 - 3*y2 = 3*cos(1.3*time) + 0.3*u + 0.1*y1;
  der(u) = y1 - u;
  der(v) = y2 - v;
  der(s) = y1*y2;
end Two;
M
cat >Steep.mo <<'M'
model Steep "unique and continuous, but nearly a jump at every zero of x"
  Real y, x(start = 0.3, fixed = true), s(start = 0, fixed = true);
equation
  der(x) = cos(time);
  y + 2*tanh(3000*(y - x)) = x;
  der(s) = y^2;
end Steep;
M

# ends MODEL STOP VARIABLE VALUE TOLERANCE JUMPS OPTION...
ends() {
    ends_with "${@:1:5}" "${@:7}" && jumps W1375 "the branch ended" "$1 ${*:7}" "$6"
}

ends Relaxation 8 c 0.2078924025836576 1e-5 7
ends Trigger 20 c -0.0646324620908 1e-5 39
ends Ignition 40 c 0.9915805196 1e-6 4
# IDA's algebraic unknowns are as exact as its iteration
ends Relaxation 8 c 0.2078924025836576 1e-3 7 --method ida --step 0.02
ends Trigger 20 c -0.0646324620908 1e-3 39 --method ida --step 0.02
ends Ignition 40 c 0.9915805196 1e-5 4 --method ida --step 0.02
ends Cubic 20 s -0.2243802971 1e-3 7
ends Cubic 400 s -0.2243802971 1e-3 7 --set w=0.05
ends Cubic 0.4 s -0.2243802971 1e-3 7 --set w=50
ends Tunnel 20 s 26.45508993 1e-3 4
ends Two 20 s 19.0633419 1e-3 '1[45]'
ends Steep 30 s 18.283651785 1e-4 0
# What an integrator that cannot go on says: what, where, when
cp "$TAKT_SOURCE/tests/pathology/FoldOfTwo.mo" .
expect 1 "FoldOfTwo.mo:6.*IDA gave up at time 1: its iterations do not converge.*fold.*'[yz]' moved furthest.*E1340" sim FoldOfTwo.mo --method ida --quiet -o out.csv
expect 1 "FoldOfTwo.mo:6.*CVODE gave up at time 1: the equations have no solution.*E1340" sim FoldOfTwo.mo --method cvode --quiet -o out.csv
finish
