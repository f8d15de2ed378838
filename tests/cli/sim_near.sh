#!/usr/bin/env bash
# A crest that comes nearer to a limit than the run is off: an event hangs on the
# error, whether it happened or not, and that is said (W1382).
# build: release
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4
cat >Ledge.mo <<'M'
model Ledge "h(t) = 10 t - 4.905 t^2 has its crest at 5.0968400"
  Real h(start = 0, fixed = true), v(start = 10, fixed = true);
  parameter Real ledge = 5.0968;
  Boolean caught(start = false, fixed = true);
equation
  caught = pre(caught) or h > ledge;
  der(h) = if caught then 0 else v;
  der(v) = if caught then 0 else -9.81;
  annotation(experiment(StopTime = 2, Interval = 0.001));
end Ledge;
M
cat >Swing.mo <<'M'
model Swing "x = sin(t)"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  parameter Real limit = 0.9;
  discrete Real n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  when x > limit then n = pre(n) + 1; end when;
  annotation(experiment(StopTime = 3, Interval = 0.001));
end Swing;
M
# the run is below it and the truth above
for way in "" "--static"; do
    expect 0 "1.0188.* h > ledge has not changed by less than .*W1382" sim Ledge.mo --method be $way
    expect 0 "h > ledge has not changed .*W1382" sim Ledge.mo --method lie $way
done
for target in c fmu2; do expect 0 W1382 build Ledge.mo --step 1ms --target $target -o c.$target; done
expect 0 W1382 run Ledge.mo --step 1ms --no-wait
# the run is above it and the truth below: explicit Euler swings too far
expect 0 "x > limit has changed by less than .*W1382" sim Swing.mo --method fe --step 1ms --set limit=1.0005
# exact events: a crest of 9 ms between points of the grid is found, and one within
# the error is said
for options in "rk4 --step 0.1" "radau5 --step 0.2" "rodas4 --step 0.1"; do
    expect 0 trust sim Swing.mo --method $options --events exact --set limit=0.99 -o run.csv
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^"?n"?$/) c = i } END { exit $c != 1 }' run.csv ||
        fail "Swing $options: the crest is passed over"
    expect 0 "x > limit has .*changed by less than .*W1382" sim Swing.mo --method $options --events exact --set limit=0.9999999
    expect 0 "x > limit has .*changed by less than .*W1382" sim Swing.mo --method $options --events exact --set limit=1.000001
done
# silent FILE OPTIONS: it is not said
silent() {
    checks=$((checks + 1))
    "$TAKT" sim "$@" >out 2>&1 || fail "$*: fails"
    ! grep -q W1382 out || fail "$*: $(grep W1382 out)"
}
# clear of the error
silent Ledge.mo --method be --set ledge=5.0
silent Ledge.mo --method be --set ledge=5.2
silent Ledge.mo --method radau5
silent Swing.mo --method be
silent Swing.mo --method fe --set limit=1.2
for options in "rk4 --step 0.1" "radau5 --step 0.2" "rodas4 --step 0.1"; do
    for limit in 0.9 0.999 1.001 1.1; do silent Swing.mo --method $options --events exact --set limit=$limit; done
done
# a ball that bounces passes its limit by little and would by far
cat >Ball.mo <<'M'
model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then reinit(v, -0.8*pre(v)); end when;
  annotation(experiment(StopTime = 3, Interval = 0.001));
end Ball;
M
for method in be lie radau5 rk4; do silent Ball.mo --method $method; done
# a relation that leaves nothing behind
cat >Passing.mo <<'M'
model Passing
  Real h(start = 0, fixed = true), v(start = 10, fixed = true), m(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  der(m) = if h > 5.0968 then 1 else 0;
  annotation(experiment(StopTime = 2, Interval = 0.001));
end Passing;
M
silent Passing.mo --method be

# with step-size control: what another tolerance makes of the crest is the error
sed -e 's/Swing/Grazes/' -e 's/StopTime = 3, Interval = 0.001/StopTime = 10/' Swing.mo >Grazes.mo
# right_or_said NAME VALUE FILE OPTIONS: the last value of a variable is this, or it is said that it hangs on errors
right_or_said() {
    checks=$((checks + 1))
    local name=$1 value=$2
    shift 2
    "$TAKT" sim "$@" -o run.csv >out 2>&1 || fail "$*: fails"
    grep -Eq 'W1382|W1378' out ||
        awk -F, -v name="$name" -v value="$value" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name || $i == "\"" name "\"") c = i }
            END { exit ($c - value)^2 > 1e-4 }' run.csv || fail "$*: $name is not $value, and nothing is said"
}
for options in "" "--method ida" "--method bdf --tolerance 1e-6" "--method rodas4 --tolerance 1e-6"; do
    right_or_said n 2 Grazes.mo $options --set limit=0.9999999
    for limit in 1 1.0000001; do right_or_said n 0 Grazes.mo $options --set limit=$limit; done
    for limit in 0.9 0.999 0.9999 1.0001 1.001; do silent Grazes.mo $options --set limit=$limit; done
done
expect 0 "1.5708 x > limit has not changed by .*less than the run may be off there.*W1382" sim Grazes.mo --set limit=0.9999999
expect 0 "x > limit has not changed by .*W1382" sim Grazes.mo --method radau5 --tolerance 1e-6 --set limit=1.0000001
# steps that end at points of output agree with those of any larger tolerance
for tolerance in 1e-3 1e-4; do expect 0 W1378 sim Grazes.mo --method fe --tolerance $tolerance; done
# a state that is set, a run that ends; the crest of something algebraic
cat >Thrown.mo <<'M'
model Thrown "y of a throw with drag; its crest is at 5 log(1 + 10/9.81)"
  Real y(start = 0, fixed = true), v(start = 10, fixed = true), z;
  discrete Integer n(start = 0, fixed = true);
  parameter Real ledge = 3.5;
equation
  der(y) = v;
  der(v) = -9.81 - 0.1*v*abs(v);
  z = y^3;
  when z > ledge^3 then reinit(v, 5); n = pre(n) + 1; end when;
  annotation(experiment(StopTime = 1.5));
end Thrown;
M
top=$(awk 'BEGIN { printf "%.12f", 5*log(1 + 10/9.81) }')
for off in -1e-7 1e-7; do
    right_or_said n "$(awk "BEGIN { print $off < 0 }")" Thrown.mo --set ledge="$(awk "BEGIN { printf \"%.12f\", $top + $off }")"
done
for off in -1e-3 1e-3; do
    silent Thrown.mo --set ledge="$(awk "BEGIN { printf \"%.12f\", $top + $off }")"
done
# sides that touch by their structure, or by time alone
cat >Touches.mo <<'M'
model Touches
  Real x(start = 0.5, fixed = true), y = sin(time), u = min(x, 1);
  discrete Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true);
equation
  der(x) = if x >= 1 and cos(time) > 0 then 0 else cos(time);
  when y > 1 then n = pre(n) + 1; end when;
  when u >= 1 then m = pre(m) + 1; end when;
  when y >= 0.99999999 then k = pre(k) + 1; end when;
  annotation(experiment(StopTime = 3));
end Touches;
M
silent Touches.mo
silent Ball.mo
silent Passing.mo
for model in BouncingMass BacklashDrive BuckConverter SampledControl HeatedRoom TankControl; do
    for method in be radau5; do silent "$TAKT_SOURCE/models/gallery/$model.mo" --method $method --stop 0.05; done
done
finish
