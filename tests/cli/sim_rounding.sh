#!/usr/bin/env bash
# Cancellation is said, with the variable and its line; zeros, exact differences
# and the gallery are left alone.
# build: release
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4

# model NAME DECLARATIONS EQUATIONS
model() {
    printf 'model %s\n  parameter Real p = 1e17;\n  %s\nequation\n  %s\n  annotation(experiment(StopTime = 2, Interval = 0.01));\nend %s;\n' \
        "$1" "$2" "$3" "$1" >"$1.mo"
}
model State "Real z(start = 1e17, fixed = true); Real w;" "der(z) = 1; w = z - p;"
model Cosine "Real y; Real x(start = 1, fixed = true);" "y = (1 - cos(1e-9*x))/(1e-9*x)^2; der(x) = -y*x;"
model Derived "parameter Real b = p + 1; parameter Real c = b - p; Real y;" "y = c*cos(time);"
model Slope "Real s(start = 4e15, fixed = true); Real v(start = 0, fixed = true);" \
    "der(s) = v; der(v) = -100*(s - 4e15) + sin(3*time);"
model Decides "Real x(start = 1e17, fixed = true); Boolean b;" "der(x) = 1; b = x > 1.00000000000000002e17 + 1.5*time;"
model Turns "Real x(start = 1, fixed = true);
  function f input Real x; input Real big; output Real s; protected Real t;
  algorithm s := big; t := x; while t > 1e-3 loop s := s + t; t := t/2; end while; s := s - big; end f;" "der(x) = -f(x, p);"
# constants are folded before there is a run: by operators, in functions, in loops
model Folded "constant Real c = 1; Real x(start = 0, fixed = true);" "der(x) = (1e17 + c) - 1e17;"
model Constant "constant Real k = (1e17 + 3) - 1e17; Real y; Real z;" "y = k; z = 2*time;"
model Through "function f input Real a; output Real b; algorithm b := (1e17 + a) - 1e17; end f;
  final parameter Real k = f(3); Real x(start = 1, fixed = true);" "der(x) = -k*x;"
model Loop "function f input Real x; input Real big; output Real s; protected Real t;
  algorithm s := big; t := x; while t > 1e-3 loop s := s + t; t := t/2; end while; s := s - big; end f;
  Real x(start = 1, fixed = true);" "der(x) = f(1, 1e17);"
for options in "" "--method rk4 --step 10ms --static"; do
    expect 0 "Folded.mo:5:.*of 'der(x)'.*W1381" sim Folded.mo $options
    expect 0 "Constant.mo:3:.*of 'y'.*W1381" sim Constant.mo $options
    expect 0 "Through.mo:6:.*of 'der(x)'.*W1381" sim Through.mo $options
    expect 0 "Loop.mo:.*of 'der(x)'.*W1381" sim Loop.mo $options
done
for target in c fmu2 fmu3 exe; do
    expect 0 "of 'der(x)'.*W1381" build Folded.mo --step 10ms --target $target -o c.$target
done
expect 0 "of 'der(x)'.*W1381" run Folded.mo --step 10ms --no-wait
# in C of others, which is called in a process of its own
model Foreign "pure function f input Real x; output Real y;
  external \"C\" y = f(x) annotation(Include = \"static double f(double x) { volatile double b = x + 1e17; return b - 1e17; }\"); end f;
  Real x(start = 1, fixed = true); Real y;" "der(x) = -x; y = f(x);"
model Endless "pure function f input Real x; output Real y;
  external \"C\" y = f(x) annotation(Include = \"#include <fenv.h>
static double f(double x) { while (fegetround() != FE_TONEAREST) ; return x; }\"); end f;
  Real x(start = 1, fixed = true); Real y;" "der(x) = -x; y = f(x);"
expect 0 "of 'y'.*W1381" sim Foreign.mo --external
expect 0 "of 'y'.*W1381" sim Foreign.mo --external --method rk4 --step 10ms
expect 0 "trust" sim Endless.mo --external

for options in "" "--method be --step 10ms" "--method rk4 --step 10ms --static" "--method radau5 --tolerance 1e-6" "--method ida"; do
    expect 0 "State.mo:5:.*no digit of 'w'.*off by 16" sim State.mo $options
    expect 0 "Cosine.mo:5:.*no digit of 'y'" sim Cosine.mo $options
    expect 0 "Derived.mo:5:.*of 'y'.*W1381" sim Derived.mo $options
    expect 0 "Slope.mo:5:.*of 'der(v)'.*W1381" sim Slope.mo $options
    expect 0 "decides on x > .*W1381" sim Decides.mo $options
    expect 0 "of 'der(x)'.*W1381" sim Turns.mo $options
done
expect 0 "of 'w'.*W1381" build State.mo --step 10ms -o c

# a step that is lost in the rounding of time
sed 's/Interval/StartTime = 1e12, Interval/; s/StopTime = 2/StopTime = 1000000000002/' State.mo >Far.mo
expect 1 "lost in the rounding of time.*E1301" sim Far.mo
expect 1 E1301 sim Far.mo --method be --step 10ms
expect 0 "rtol" sim Far.mo --step 20ms --method ida

# what is right, or zero, is not named
model Zero "Real x(start = 3e8, fixed = true); Real y; Real d; Integer n;" \
    "der(x) = 1e8; y = x; d = 3*x - 2*x - y; n = integer(10*time);"
model Phases "Real a; Real b; Real c; Real s;" \
    "a = 1e6*sin(314*time); b = 1e6*sin(314*time - 2.0943951023931953); c = 1e6*sin(314*time + 2.0943951023931953); s = a + b + c;"
model Energy "Real x(start = 1, fixed = true); Real v(start = 0, fixed = true); Real e; Real d;" \
    "der(x) = v; der(v) = -1e4*x; e = 0.5*v^2 + 0.5e4*x^2; d = e - 0.5e4;"
model Same "constant Real a = 273.15 + 20; constant Real b = a - 293.15; Real y; Real z;" "y = b*time; z = (1e17 - 1e17) + time;"
model Digits "Real x(start = 1e9, fixed = true); Real d;" "der(x) = 1; d = x - 1e9;"
for name in Zero Phases Energy Digits Same; do
    for options in "--method radau5 --step 10ms" "--method ida"; do
        checks=$((checks + 1))
        "$TAKT" sim $name.mo $options >out 2>&1 || fail "$name $options fails"
        ! grep -q W1381 out || fail "$name $options: $(grep W1381 out)"
    done
done
for file in "$TAKT_SOURCE"/models/gallery/*.mo; do
    case $file in *RingModulator* | *SixAxisRobot* | *DiodeLadder*) continue ;; esac # seconds each
    checks=$((checks + 1))
    timeout 60 "$TAKT" sim "$file" --once --quiet >out 2>&1
    ! grep -q W1381 out || fail "$file: $(grep W1381 out)"
done
finish
