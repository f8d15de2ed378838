#!/usr/bin/env bash
# Events on the grid, against results known by hand. Each model says in its
# description what must come out.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/events.sh"

# --- sample ------------------------------------------------------------------

model <<'M'
model Counter "counts 0, 0.1, ..., 1: eleven instants"
  discrete Integer k(start = 0, fixed = true);
equation
  when sample(0, 0.1) then
    k = pre(k) + 1;
  end when;
end Counter;
M
for step in 0.001 0.01 0.03 0.1; do
    expect Counter "k 11 0" --step $step --stop 1
done
expect Counter "k 101 0" --step 0.1 --stop 10

model <<'M'
model LateSample "begins later: 0.25, 0.75, 1.25, 1.75"
  discrete Integer k(start = 0, fixed = true);
equation
  when sample(0.25, 0.5) then
    k = pre(k) + 1;
  end when;
end LateSample;
M
expect LateSample "k 4 0" --step 0.05 --stop 2
expect LateSample "k 0 0" --step 0.05 --stop 0.2

model <<'M'
model Hold "u holds x for 0.1: x(1) = 0.9^10"
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = -u;
  when sample(0, 0.1) then
    u = x;
  end when;
end Hold;
M
for method in be radau5 trapezoid rk4; do
    expect Hold "x 0.3486784401 1e-12" --step 0.01 --stop 1 --method $method
done

expect Hold "x 0.3486784401 1e-9" --step 0.1 --stop 1 --method ida

model <<'M'
model Between "crossings of x between instants of sample: both are counted"
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
end Between;
M
expect Between "k 11 0 m 3 0" --step 0.01 --stop 1
expect Between "k 11 0 m 3 0" --step 0.1 --stop 1 --method ida
expect Between "k 11 0 m 3 0" --step 0.1 --stop 1 --method cvode

model <<'M'
model Recursion "y = 1 + y/2 at 0, 1, ..., 9: 2 - 2/2^10"
  discrete Real y(start = 0, fixed = true);
equation
  when sample(0, 1) then
    y = 1 + pre(y)/2;
  end when;
end Recursion;
M
expect Recursion "y 1.998046875 0" --step 0.25 --stop 9.5

model <<'M'
model FirstChain "a sample at 0 causes further events at 0"
  discrete Integer k(start = 0, fixed = true);
  Boolean a(start = false, fixed = true);
  discrete Real ta(start = -1, fixed = true);
equation
  when sample(0, 10) then
    k = pre(k) + 1;
  end when;
  a = k > 0;
  when a then
    ta = time;
  end when;
end FirstChain;
M
expect FirstChain "k 1 0 ta 0 0" --step 0.125 --stop 1

# --- reinit ------------------------------------------------------------------

model <<'M'
model Ball "falls from 1 with g = 2: hits at 1, then peaks of 1/4 and 1/16"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -2;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
end Ball;
M
for method in radau5 trapezoid rk4; do
    expect Ball "h 0.25 1e-3 v 0 2e-3" --step 1e-4 --stop 1.5 --method $method
    expect Ball "h 0.0625 1e-3" --step 1e-4 --stop 2.25 --method $method
done
expect Ball "h 0.25 1e-3" --step 1e-4 --stop 1.5 --method be
expect Ball "h 0.25 1e-5" --step 0.01 --stop 1.5 --method ida --tolerance 1e-9
expect Ball "h 0.25 1e-5" --step 0.01 --stop 1.5 --method cvode --tolerance 1e-9

model <<'M'
model Reset "x goes back to 0 at 0.5: x(1) = 0.5, y(1) = 0.625"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = 3*x^2*2;
  when time >= 0.5 then
    reinit(x, 0);
    reinit(y, 0.375);
  end when;
end Reset;
M
for method in radau5 rk4 bdf3 bdf4 am3 lobatto4; do
    expect Reset "x 0.5 1e-9 y 0.625 1e-9" --step 0.015625 --stop 1 \
        --method $method
done
expect Reset "x 0.5 1e-9" --step 0.015625 --stop 1 --method be

# --- relations ---------------------------------------------------------------

model <<'M'
model Jump "a source that jumps on a grid point acts from there on"
  Real x(start = 0, fixed = true);
  Real u = if time < 0.5 then 0 else 1;
equation
  der(x) = u;
end Jump;
M
for method in fe be trapezoid radau3 radau5 rk4 lie; do
    expect Jump "x 0.5 1e-12 u 1 0" --step 0.125 --stop 1 --method $method
done
expect Jump "x 0.5 1e-6" --step 0.3 --stop 1 --method ida

model <<'M'
model Relay "up to 1, down to 0, ...: x(3.5) = 0.5, falling"
  Real x(start = 0, fixed = true);
  Boolean rising(start = true, fixed = true);
equation
  rising = if pre(rising) then x < 1 else x <= 0;
  der(x) = if rising then 1 else -1;
end Relay;
M
for method in be radau5 rk4; do
    expect Relay "x 0.5 0.005 rising 0 0" --step 0.001 --stop 3.5 \
        --method $method
done
expect Relay "x 0.5 1e-6 rising 0 0" --step 0.1 --stop 3.5 --method ida

model <<'M'
model Saw "mod jumps at 1 and 2: x(2.5) = 1.125"
  Real x(start = 0, fixed = true);
  Integer k = integer(floor(2*time));
equation
  der(x) = mod(time, 1);
end Saw;
M
for method in radau5 trapezoid rk4; do
    expect Saw "x 1.125 1e-12 k 5 0" --step 0.125 --stop 2.5 --method $method
done

model <<'M'
model Chatter "slides along 0: never further than a step, and never stuck"
  Real x(start = 0.25, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
end Chatter;
M
expect Chatter "x 0 0.0101" --step 0.01 --stop 2

# --- when --------------------------------------------------------------------

model <<'M'
model Edges "sine rises through 0 five times, changes sign nine times"
  Boolean b(start = false, fixed = true) = sin(6.283185307179586*time - 0.1) > 0;
  discrete Integer up(start = 0, fixed = true), all(start = 0, fixed = true);
  discrete Integer down(start = 0, fixed = true);
equation
  when edge(b) then
    up = pre(up) + 1;
  end when;
  when change(b) then
    all = pre(all) + 1;
  end when;
  when not b then
    down = pre(down) + 1;
  end when;
end Edges;
M
expect Edges "up 5 0 all 9 0 down 4 0" --step 0.01 --stop 4.3

model <<'M'
model Chain "one event causes the next, at the same time"
  Boolean a(start = false, fixed = true), b(start = false, fixed = true);
  discrete Real ta(start = -1, fixed = true), tb(start = -1, fixed = true);
  discrete Real tc(start = -1, fixed = true);
equation
  when time >= 0.5 then
    a = true;
    ta = time;
  end when;
  when a then
    b = true;
    tb = time;
  end when;
  when b then
    tc = time;
  end when;
end Chain;
M
expect Chain "ta 0.5 0 tb 0.5 0 tc 0.5 0" --step 0.125 --stop 1

model <<'M'
model Elsewhen "the first branch wins where both become true"
  discrete Integer k(start = 0, fixed = true);
equation
  when time >= 0.5 then
    k = 1;
  elsewhen time >= 0.25 then
    k = 2;
  elsewhen time >= 0.5 then
    k = 3;
  end when;
end Elsewhen;
M
expect Elsewhen "k 2 0" --step 0.125 --stop 0.375
expect Elsewhen "k 1 0" --step 0.125 --stop 1

model <<'M'
model Several "any of several conditions, and what was before the event"
  Real x(start = 0, fixed = true);
  discrete Integer k(start = 0, fixed = true);
  discrete Real before(start = 0, fixed = true), after(start = 0, fixed = true);
equation
  der(x) = 1;
  when {time >= 0.25, time >= 0.5, x >= 0.75} then
    k = pre(k) + 1;
  end when;
  when time >= 0.5 then
    reinit(x, 10);
    before = pre(x);
  end when;
  when x > 5 then
    after = x;
  end when;
end Several;
M
expect Several "k 3 0 before 0.5 1e-12 after 10 1e-12 x 10.5 1e-9" \
    --step 0.125 --stop 1

model <<'M'
model Algorithm "when in an algorithm, in its order"
  discrete Integer k(start = 0, fixed = true), twice(start = 0, fixed = true);
algorithm
  when sample(0, 0.25) then
    k := pre(k) + 1;
    twice := 2*k;
  end when;
end Algorithm;
M
expect Algorithm "k 5 0 twice 10 0" --step 0.05 --stop 1

model <<'M'
model Initial "initial() once, at the beginning"
  discrete Integer k(start = 0), m(start = 0, fixed = true);
equation
  when initial() then
    k = 5;
  end when;
  when {initial(), time >= 0.5} then
    m = pre(m) + 1;
  end when;
end Initial;
M
expect Initial "k 5 0 m 2 0" --step 0.125 --stop 1

model <<'M'
model Terminal "terminal() at the last point"
  Real x(start = 0, fixed = true);
  discrete Real last(start = -1, fixed = true);
equation
  der(x) = 1;
  when terminal() then
    last = x;
  end when;
end Terminal;
M
expect Terminal "last 1 1e-12" --step 0.125 --stop 1

model <<'M'
model Terminate "ends when x is 1"
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 1 then
    terminate("done");
  end when;
end Terminate;
M
expect Terminate "stop 1 0 x 1 1e-12" --step 0.125 --stop 5

# --- what sampling does to the steps before and after it -----------------------

model <<'M'
model Stair "der(x) = u, u grows by 1 at 0.1, 0.2, ...: x(0.55) = 1 + 0.25"
  Real x(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = u;
  when sample(0.1, 0.1) then
    u = pre(u) + 1;
  end when;
end Stair;
M
for method in fe be trapezoid radau5 rk4 bdf2 lie liex2 am3; do
    expect Stair "x 1.25 1e-12 u 5 0" --step 0.05 --stop 0.55 --method $method
    expect Stair "x 1.25 1e-12 u 5 0" --step 0.01 --stop 0.55 --method $method --events exact
done

model <<'M'
model Means "pre(x) is what x came with: y = 1 and w = 2 from each interval of 0.1"
  Real x(start = 0, fixed = true), z = 2*x;
  discrete Real y(start = 0, fixed = true), w(start = 0, fixed = true);
  discrete Real least(start = 9, fixed = true), last(start = 0, fixed = true);
equation
  der(x) = 10;
  when sample(0.1, 0.1) then
    y = pre(x);
    w = pre(z);
    least = min(pre(least), pre(x));
    reinit(x, 0);
  end when;
  when terminal() then
    last = pre(x);
  end when;
end Means;
M
# 0.07 and 0.03 have no grid point at most of the instants; 0.0002 has points
# that differ from them by rounding
for method in be radau5 rk4 bdf2 lie; do
    expect Means "y 1 1e-12 w 2 1e-12 least 1 1e-12 last 0.5 1e-12" --step 0.01 --stop 0.95 --method $method
    for step in 0.07 0.03 0.0002; do
        expect Means "y 1 1e-12 w 2 1e-12 least 1 1e-12 last 0.5 1e-12" \
            --step $step --stop 0.95 --method $method --events exact
    done
done
expect Means "y 1 1e-8 w 2 1e-8 least 1 1e-8 last 0.5 1e-8" --step 0.01 --stop 0.95 --method ida

model <<'M'
model Begins "b is true while initial() only: false in the first row already"
  Boolean b(start = false, fixed = true);
  Real x(start = 1, fixed = true);
  Integer k(start = 0, fixed = true);
equation
  der(x) = -1;
  b = pre(b) and x > 5 or initial() and x > 0;
  when b then
    k = pre(k) + 1;
  end when;
end Begins;
M
expect Begins "b 0 0 k 0 0 x 1 0" --step 0.1 --stop 0
expect Begins "b 0 0 k 0 0" --step 0.1 --stop 1

# --- functions that jump without an event ---------------------------------------

model <<'M'
model Arc "der(x) = 1 - x - 2 sign(x): after 0.5, x = 3 exp(0.5 - t) - 1 until it is 0"
  Real x(start = 2, fixed = true), v;
  Boolean off = time >= 0.5;
equation
  if off then
    v = 2*sign(x);
  else
    v = -1 + 0.1*(x - 2);
  end if;
  der(x) = 1 - x - v;
end Arc;
M
# the sign stands beside a term that is linear in x: no block with it is linear
for method in rk4 radau5 lobatto4 sdirk4; do
    expect Arc "x 0.8195919791379003 1e-9" --step 1ms --stop 1 --method $method
done
for method in be lie; do
    expect Arc "x 0.8196 1e-3" --step 1ms --stop 1 --method $method
done
expect Arc "x 0.8195919791379003 1e-5" --step 1ms --stop 1 --method ida

# --- switches ------------------------------------------------------------------

# A bridge of six ideal diodes (1e-5 Ohm, 1e-5 S), a load of 10 Ohm: the voltage is
# the difference between the largest and the smallest of three sines, so its
# mean is 3/pi sqrt(3) of their amplitude. What is torn with all diodes off must
# serve when two conduct.
model <<'M'
model Bridge "mean voltage of a three-phase bridge: 3/pi*sqrt(3)*10 = 16.5398669"
  parameter Real pi = 3.14159265358979;
  Real u[3], node[3], plus, minus, i[3], s[6], v[6], id[6];
  Boolean off[6];
  Real area(start = 0, fixed = true);
equation
  for k in 1:3 loop
    u[k] = 10*sin(2*pi*50*time - 2*pi*(k - 1)/3);
    u[k] - node[k] = 1e-3*i[k];
    v[k] = node[k] - plus;
    v[k + 3] = minus - node[k];
    i[k] = id[k] - id[k + 3];
  end for;
  for k in 1:6 loop
    off[k] = s[k] < 0;
    v[k] = s[k]*(if off[k] then 1 else 1e-5);
    id[k] = s[k]*(if off[k] then 1e-5 else 1);
  end for;
  plus - minus = 10*(id[1] + id[2] + id[3]);
  i[1] + i[2] + i[3] = 0;
  der(area) = plus - minus;
end Bridge;
M
for method in radau5 trapezoid; do
    expect Bridge "area 0.3307973 2e-4" --step 20us --stop 20ms --method $method
done

# --- delay -------------------------------------------------------------------

model <<'M'
model Delay "y(1) = x(0.75), z(1) = x(0.5); the first value before"
  Real x(start = 1, fixed = true), y = delay(x, 0.25);
  Real z = delay(y, 0.25), early = delay(x, 5);
equation
  der(x) = 2;
end Delay;
M
expect Delay "y 2.5 1e-12 z 2 1e-12 early 1 0" --step 0.125 --stop 1

model <<'M'
model DelayedLag "der(x) = -x(t-1), x = 1 before: 1-t, then 1-t+(t-1)^2/2"
  Real x(start = 1, fixed = true);
equation
  der(x) = -delay(x, 1);
end DelayedLag;
M
expect DelayedLag "x 0 1e-12" --step 0.125 --stop 1 --method trapezoid
expect DelayedLag "x -0.5 1e-12" --step 0.125 --stop 2 --method trapezoid

model <<'M'
model Lookup "a table read at a delayed place: 30 until 0.6, then 40"
  Integer place(start = 3, fixed = true), k;
  Real sent, y;
  parameter Real table[4] = {10, 20, 30, 40};
equation
  place = if time >= 0.5 then 4 else 3;
  sent = pre(place);
  k = integer(delay(sent, 0.125));
  y = table[integer(delay(sent, 0.125))];
end Lookup;
M
expect Lookup "y 30 0 k 3 0" --step 0.0625 --stop 0.5625
expect Lookup "y 40 0 k 4 0" --step 0.0625 --stop 1
expect Lookup "y 40 0 k 4 0" --step 0.0625 --stop 1 --events exact --method radau5

# a chain of forty gates, each a moment behind the one before
model <<'M'
model Gates "all forty gates are open when time is 0.5"
  Boolean b[40](each start = false, each fixed = true);
equation
  b[1] = time >= 0.5;
  for k in 2:40 loop
    b[k] = pre(b[k - 1]);
  end for;
end Gates;
M
expect Gates "b[40] 1 0" --step 0.125 --stop 0.5 --events exact --method be
# bounded work: the same bound at the desk and in generated code, and it is said
for how in "--method lie" --static "--events-max 3 --static"; do
    expect Gates "b[3] 1 0 b[4] 0 0" --step 0.125 --stop 0.5 $how
    grep -q "first at time 0.5; .*--events-max.*W1331" "$dir/err" ||
        { echo "Gates $how: no word of events that are left"; bad=1; }
done
for how in "--method lie" --static; do
    expect Gates "b[10] 1 0 b[11] 0 0" --step 0.125 --stop 0.5 $how \
        --events-max 10
done
expect Gates "b[40] 1 0" --step 0.125 --stop 0.5 --static --events-max 41
grep -q W1331 "$dir/err" && { echo "Gates: 41 are enough"; bad=1; }

echo "$n runs"
exit $bad
