#!/usr/bin/env bash
# Exact events (--events exact, ida, cvode), against times computed by hand.
# Each model says in its description what must come out.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/events.sh"

exact() { # like expect, for fixed steps with located events and for references
    local model=$1 want=$2
    shift 2
    for method in be trapezoid radau5 rk4 bdf3 sdirk4; do
        expect "$model" "$want" --events exact --method $method "$@"
    done
    for method in ida cvode; do
        expect "$model" "$want" --method $method --tolerance 1e-10 "$@"
    done
}

# methods that integrate a parabola without error, and the references
smooth() {
    local model=$1 want=$2
    shift 2
    for method in trapezoid radau5 rk4 bdf3 bdf2 am3; do
        expect "$model" "$want" --events exact --method $method "$@"
    done
    for method in ida cvode; do
        expect "$model" "$want" --method $method --tolerance 1e-10 "$@"
    done
}

# --- more than one event in a step ----------------------------------------------

model <<'M'
model Mains "50 Hz and 500 points in 10 s: the same at each of them"
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = if sin(314.1592653589793*time) > 0.5 then 1 else 0;
  when sin(314.1592653589793*time) > 0.5 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 10));
end Mains;
M
for method in ida cvode radau5; do
    expect Mains "x 3.3333333 1e-4 n 500 0" --method $method --step 0.02 --events exact
done
expect Mains "x 3.3333333 1e-4 n 500 0"
timeout 60 "$TAKT" sim "$dir/Mains.mo" --method be --step 20ms 2>&1 | grep -q 'sin.*changes 2 times in the step of 0.02.*' ||
    { echo "Mains on the grid: no word of W1335"; bad=1; }

model <<'M'
model Dips "a vertex just beyond the limit, between two points of output"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  when x > 0.9999 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 100, Interval = 0.5));
end Dips;
M
for method in ida cvode; do
    expect Dips "n 16 0" --method $method --tolerance 1e-8
done
expect Dips "n 16 0"

# --- events of time ------------------------------------------------------------

model <<'M'
model Timer "time relations between grid points, met to the last bit"
  Real x(start = 0, fixed = true);
  discrete Real t1(start = 0, fixed = true), t2(start = 0, fixed = true);
  discrete Real x1(start = 0, fixed = true);
  parameter Real p = 0.123456789;
equation
  der(x) = if time < p then 1 else 3;
  when time >= p then
    t1 = time;
    x1 = x;
  end when;
  when time > 0.7 then
    t2 = time;
  end when;
end Timer;
M
exact Timer "t1 0.123456789 0 x1 0.123456789 1e-13 t2 0.7 2e-16 x 2.753086422 1e-9" \
    --step 0.1 --stop 1

model <<'M'
model Samples "instants 0.05 + 0.07 k between grid points: x is sampled at each"
  Real x(start = 0, fixed = true);
  discrete Real sum(start = 0, fixed = true), last(start = 0, fixed = true);
  discrete Integer k(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0.05, 0.07) then
    k = pre(k) + 1;
    last = time;
    sum = pre(sum) + x;
  end when;
end Samples;
M
# k = 0 .. 13: sum of 0.05 + 0.07 k = 14*0.05 + 0.07*91, the last at 0.96
exact Samples "k 14 0 last 0.96 1e-15 sum 7.07 1e-9" --step 0.1 --stop 1
exact Samples "k 14 0 last 0.96 1e-15 sum 7.07 1e-9" --step 0.5 --stop 1

model <<'M'
model SampledLag "u holds x from instants off the grid: x(1) = 0.93^14 * 0.98"
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = -u;
  when sample(0, 0.07) then
    u = x;
  end when;
end SampledLag;
M
# x falls by 7 per cent in each of 14 intervals, then by 0.02 u
exact SampledLag "x 0.35480305893610944 1e-12" --step 0.1 --stop 1

model <<'M'
model Floors "floor and mod of time: x = 1/2 + 1/2 + 0.09/2 at 2.3"
  Real x(start = 0, fixed = true);
  Integer k = integer(floor(time/0.3));
equation
  der(x) = mod(time, 1);
end Floors;
M
smooth Floors "x 1.045 1e-9 k 7 0" --step 0.25 --stop 2.3

# --- events of state -----------------------------------------------------------

model <<'M'
model Crossing "x = t - t^2/4 crosses 0.1 and 0.6, and back at 4 - those"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  discrete Real ta(start = 0, fixed = true), tb(start = 0, fixed = true);
  discrete Real tc(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -0.5;
  when x > 0.1 then
    ta = time;
  end when;
  when x > 0.6 then
    tb = time;
  end when;
  when x < 0.6 then
    tc = time;
  end when;
end Crossing;
M
# 2 - sqrt(4 - 4 c), 2 + sqrt(4 - 4 c)
smooth Crossing "ta 0.10263340389897246 1e-9 tb 0.7350889359326482 1e-9
    tc 3.264911064067352 1e-8" --step 0.3 --stop 3.5

model <<'M'
model Ball "g = 2, from 1: hits at 1, 2, 2.5, 2.75 with half the speed"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true), sum(start = 0, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -2;
  when h <= 0 then
    n = pre(n) + 1;
    last = time;
    sum = pre(sum) + time;
    reinit(v, -0.5*pre(v));
  end when;
end Ball;
M
smooth Ball "n 1 0 last 1 1e-9 h 0.25 1e-8 v 0 1e-8" --step 0.1 --stop 1.5
smooth Ball "n 4 0 last 2.75 1e-8 sum 8.25 1e-8" --step 0.07 --stop 2.8
smooth Ball "n 4 0 last 2.75 1e-8 sum 8.25 1e-8" --step 0.2 --stop 2.8

model <<'M'
model Two "three crossings, one of them at an instant where the value is exact"
  Real x(start = 0, fixed = true);
  discrete Integer k(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0, 0.1) then
    k = pre(k) + 1;
  end when;
  when {x > 0.17, x > 0.23, x > 0.26} then
    m = pre(m) + 1;
  end when;
end Two;
M
exact Two "k 11 0 m 3 0" --step 0.1 --stop 1
exact Two "k 11 0 m 3 0" --step 0.01 --stop 1

model <<'M'
model Zero "the relation of an event is at its zero again when the next comes"
  Real x(start = -1, fixed = true), s(start = 1, fixed = true);
  discrete Integer up(start = 0, fixed = true), down(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true);
equation
  der(x) = s;
  der(s) = 0;
  when x > 0 then
    up = pre(up) + 1;
    last = time;
    reinit(s, -1);
  end when;
  when x < -1 then
    down = pre(down) + 1;
    reinit(s, 1);
  end when;
end Zero;
M
# up at 1, 3, 5, 7; down at 2, 4, 6
# each event lies 1e-10 (1 + |x|) after its zero (bands.c), and there are seven
exact Zero "up 4 0 down 3 0 last 7 3e-9 x -0.5 3e-9" --step 0.3 --stop 7.5

model <<'M'
model Rectifier "x follows |sin|: the integral over two periods is 8"
  Real x(start = 0, fixed = true);
  Real u = sin(time);
equation
  der(x) = if u > 0 then u else -u;
end Rectifier;
M
for method in radau5 rk4 bdf4; do
    expect Rectifier "x 8 2e-4" --events exact --method $method \
        --step 0.1 --stop 12.566370614359172
done
expect Rectifier "x 8 1e-7" --method ida --tolerance 1e-10 --step 0.1 \
    --stop 12.566370614359172

model <<'M'
model Roots "a level in a root: no step may look past the event"
  Real h(start = 1, fixed = true);
  Boolean empty(start = false, fixed = true);
  discrete Real t(start = 0, fixed = true);
equation
  der(h) = if empty then 0 else -sqrt(h + 1e-12);
  empty = pre(empty) or h < 1e-4;
  when empty then
    t = time;
  end when;
end Roots;
M
# sqrt(h) = 1 - t/2: at 2 (1 - 0.01)
expect Roots "t 1.98 1e-6 h 1e-4 1e-8" --events exact --method radau5 \
    --step 0.03 --stop 3
expect Roots "t 1.98 1e-6" --method ida --tolerance 1e-9 --step 0.03 --stop 3

# --- the order of a method is kept over events -----------------------------------

model <<'M'
model Order "x' = -x until x = 1/2, then x' = x: back at 1 at 2 ln 2"
  Real x(start = 1, fixed = true);
  Boolean up(start = false, fixed = true);
equation
  up = pre(up) or x < 0.5;
  der(x) = if up then x else -x;
end Order;
M
for row in "trapezoid 2 10 20" "rk4 4 10 20" "radau5 5 2 4" "sdirk4 4 10 20" \
    "bdf2 2 40 80" "bdf3 3 40 80" "bdf4 4 80 160" "bdf5 5 20 40"; do
    read -r method order counts <<<"$row"
    for k in $counts; do
        "$TAKT" sim "$dir/Order.mo" --events exact --method "$method" \
            --stop 1.38629436111989062 --json \
            --step "$(awk -v k=$k 'BEGIN{printf "%.17g", 1.38629436111989062/k}')" |
            sed -n 's/^[[:space:]]*"x":[[:space:]]*\([-0-9.e+]*\),*$/\1/p'
    done >"$dir/pair"
    n=$((n + 1))
    awk -v order="$order" -v method="$method" '
        { e[NR] = $1 - 1; if (e[NR] < 0) e[NR] = -e[NR] }
        END {
            p = log(e[1]/e[2])/log(2)
            if (NR != 2 || p < order - 0.5) {
                printf "%s: order %.2f over an event, not %d\n", method, p, order
                exit 1
            }
        }' "$dir/pair" || bad=1
done

# --- an event on a grid point breaks the history of multistep methods ------------

model <<'M'
model Jump "a source that jumps on a grid point acts from there on"
  Real x(start = 0, fixed = true);
equation
  der(x) = if time < 0.5 then 0 else 1;
end Jump;
M
for method in bdf2 bdf3 bdf4 bdf5 am3; do
    expect Jump "x 0.5 1e-12" --step 0.125 --stop 1 --method $method
done

# --- limits ----------------------------------------------------------------------

model <<'M'
model Chatter "slides along 0: too many events, and an end"
  Real x(start = 0.25, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
end Chatter;
M
expect Chatter "x 0 0.0101" --events exact --method be --step 0.01 --stop 0.5
grep -q W1333 "$dir/err" || { echo "Chatter: no warning W1333"; bad=1; }

for wrong in "--events sometimes" "--events exact --static" \
    "--events grid --method ida"; do
    # shellcheck disable=SC2086
    "$TAKT" sim "$dir/Ball.mo" $wrong >"$dir/out" 2>"$dir/err"
    [ $? = 2 ] || { echo "$wrong: accepted"; bad=1; }
    grep -q -e --events "$dir/err" || { echo "$wrong: no message"; bad=1; }
done

# --- what references count ---------------------------------------------------------

for method in ida cvode; do
    n=$((n + 1))
    "$TAKT" sim "$TAKT_SOURCE/models/gallery/RcNetwork.mo" --method $method |
        sed -n 's/.*: \([0-9]*\) steps, \([0-9]*\) evaluations.*/\1 \2/p' \
            >"$dir/pair"
    # one run without restarts; no step is made without an evaluation
    awk '$1 >= 1 && $2 >= $1 { fine = 1 } END { exit !fine }' "$dir/pair" ||
        { echo "$method: steps and evaluations: $(cat "$dir/pair")"; bad=1; }
done

# --- inputs that jump --------------------------------------------------------------

model <<'M'
model Lag "u jumps to 1 at 0.3"
  input Real u;
  Real x(start = 0, fixed = true);
equation
  der(x) = u;
end Lag;
M
printf 'time,u\n0,0\n0.3,0\n0.3,1\n2,1\n' >"$dir/u.csv"
for method in fe be trapezoid radau5 rk4 bdf2 bdf3 am3 lie; do
    expect Lag "x 0.7 1e-12 u 1 0" --input "$dir/u.csv" --step 0.1 --stop 1 \
        --method $method
    expect Lag "x 0 0 u 1 0" --input "$dir/u.csv" --step 0.1 --stop 0.3 \
        --method $method
done
printf 'time,u\n0,0\n0.234,0\n0.234,1\n0.6,1\n0.6,-1\n2,-1\n' >"$dir/u.csv"
exact Lag "x -0.034 1e-9" --input "$dir/u.csv" --step 0.1 --stop 1

echo "$n runs"
exit $bad
