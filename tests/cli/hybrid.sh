#!/usr/bin/env bash
# Models with events whose solutions are known (tests/hybrid): exact events come
# to 1e-6 of them, with radau5 and with IDA; on a grid of 0.5 ms `lie` comes as
# near as late events allow, and `ros2` with states that catch up to 2e-5;
# generated C computes what sim --static computes, to the last bit, through all
# of their events. And what has no solution says so.
# The first lines of each: // check: VARIABLE STOP VALUE
#                          // grid: TOLERANCE
# and, where what is asked for is the time at which an event was seen, or comes
# from floor():             // seen: TOLERANCE
# cost: 60
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/ends.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
cd "$TAKT_SOURCE" || exit 4
models=0

# ends_at FILE VARIABLE STOP VALUE TOLERANCE OPTION...
ends_at() {
    local file=$1 var=$2 stop=$3
    shift 3
    ends_with "${file%.mo}" "$stop" "$var" "$@"
}

# agree FILE: C over 1,000 steps of 2 ms; every other model without the
# instructions of one kind of processor, and with states that catch up
agree() {
    local out=$work/c portable= late=leave
    [ $((models % 2)) = 0 ] || { portable=-DTAKT_PORTABLE; late=catch-up; }
    run_takt build "$1" --method lie --step 2ms --stop 2 --all --quiet \
        --late $late --name model -o "$out"
    [ "$code" = 0 ] || { fail "build $1: $code"; head -3 "$work/err"; return; }
    sanitized && return
    $TAKT_CC -std=c99 -O0 -ffp-contract=off $portable "-I$out" "$out/model.c" \
        "$out/example/main.c" -lm -o "$out/run" || { fail "$1: compiler"; return; }
    run_takt sim "$1" --static --method lie --step 2ms --stop 2 --quiet \
        --late $late --every 1000 -o "$work/sim.csv"
    "$out/run" 1000 >"$work/values" || fail "$1: the example failed"
    same "$work/values" "$work/sim.csv" >"$work/diff" ||
        { fail "$1: C differs"; head -3 "$work/diff"; }
}

for file in tests/hybrid/*.mo; do
    # under sanitizers every second one
    if sanitized && [ -z "${TAKT_LONG:-}" ] && [ $((models % 2)) = 1 ]; then
        models=$((models + 1))
        continue
    fi
    read -r var stop value <<<"$(sed -n '1s/.*check: //p' "$file")"
    tol=$(sed -n '2s/.*grid: //p' "$file")
    seen=$(sed -n '3s/.*seen: //p' "$file")
    # under sanitizers each model has one of the four in turn: numbers are the other build's
    turn=$((models / 2 % 4))
    ! sanitized || [ $turn = 0 ] && ends_at "$file" "$var" "$stop" "$value" 1e-6 \
        --method radau5 --step 0.05 --events exact
    ! sanitized || [ $turn = 1 ] && ends_at "$file" "$var" "$stop" "$value" 1e-6 \
        --method ida --step 0.05 --tolerance 1e-10
    ! sanitized || [ $turn = 2 ] && ends_at "$file" "$var" "$stop" "$value" "$tol" \
        --method lie --step 0.5ms
    ! sanitized || [ $turn = 3 ] && ends_at "$file" "$var" "$stop" "$value" "${seen:-2e-5}" \
        --method ros2 --step 0.5ms --late catch-up
    agree "$file"
    models=$((models + 1))
done
[ "$models" -ge 94 ] || fail "only $models models"
echo "$models models"

# A condition that is false again once its clause has acted is no event of its own; what
# falls on the grid is not late
for row in "NextInstant 3" "PulseTrain 4"; do
    read -r name passes <<<"$row"
    run_takt sim "tests/hybrid/$name.mo" --method lie --step 50ms --stop 2
    [ "$code" = 0 ] && grep -q "at most $passes iterations" "$work/out" &&
        ! grep -q "W1331\|W1373" "$work/err" ||
        { fail "$name: its events do not come to rest"; cat "$work/out" "$work/err"; }
done

# homotopy() chooses the root for generated code too
ends_at tests/hybrid/ChosenRoot.mo y 2 "$(sed -n '1s/.*2 //p' tests/hybrid/ChosenRoot.mo)" 1e-5 \
    --static --method lie --step 0.5ms

# Each diode's own unknown is iterated on, whichever of them conduct: with others a current of
# 15 A left no digits of one of 1e-5 A, and no mode, or two, seemed to be consistent
for how in "" "--method radau5 --tolerance 1e-8"; do
    # shellcheck disable=SC2086
    ends_at tests/hybrid/BridgeCoils.mo L.i 6 14.5941283145 1e-4 $how
    ! grep -q "W1346\|W1376\|E1347" "$work/err" ||
        fail "BridgeCoils $how: $(head -1 "$work/err")"
done

# What modes switch is iterated on at events, so that the rest does not depend on
# them: in a pass the train takes no more work than two blocks without wheels.
run_takt check tests/hybrid/Train.mo --method lie --step 1ms --dump schedule
awk '/^schedule/ { at = $2 } at == "event:" && /iterate aA/ { found = 1 }
     END { exit !found }' "$work/out" || fail "Train: the acceleration is not iterated on"
flops() { # EVENTS-MAX: additions and products of a step
    run_takt cost tests/hybrid/Train.mo --method lie --step 1ms --events-max "$1"
    awk '/  in all$/ { print $1 + $2 }' "$work/out"
}
few=$(flops 2) more=$(flops 4)
[ "$((more - few))" -gt 0 ] && [ "$((more - few))" -le 200 ] ||
    fail "Train: two passes more take $((more - few)) additions and products"

# ---- two that hold one mass ----

# brake MODE: a friction as the library has it, which starts in this mode.
brake() {
    cat <<M
  model Brake "as the library has it"
    parameter Real mu;
    input Real v;
    Real a, f, s;
    Integer mode(start = $1, fixed = true) "1 forward, -1 backward, 0 stuck";
    Boolean forward(start = false, fixed = true), backward(start = false, fixed = true);
  equation
    forward = pre(mode) == 0 and (s > mu or pre(forward) and s > mu);
    backward = pre(mode) == 0 and (s < -mu or pre(backward) and s < -mu);
    f = if pre(mode) == 1 or forward then mu else if pre(mode) == -1 or backward then -mu else s;
    a = if pre(mode) == 1 then s - mu else if pre(mode) == -1 then s + mu
      else if forward then s - mu else if backward then s + mu else 0;
    mode = if (pre(mode) == 1 or forward) and v > 0 then 1
      else if (pre(mode) == -1 or backward) and v < 0 then -1 else 0;
  end Brake;
M
}

# Who holds how much is not determined: the one that comes to its limit changes
# and is taken back at equality. It stays there, and does so for three events.
cat >"$work/TwoHolds.mo" <<M
model TwoHolds "two brakes of the library's kind, limits 0.6 and 0.4, on one mass that comes to rest and is pushed the other way"
$(brake 1)
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), a;
  Brake b1(mu = 0.6, v = v), b2(mu = 0.4, v = v);
equation
  der(x) = v;
  der(v) = a;
  a = -0.5*time - b1.f - b2.f;
  b1.a = a;
  b2.a = a;
end TwoHolds;
M
for how in "" "--method cvode --step 0.05 --tolerance 1e-9"; do
    # at rest at -2 + sqrt 8, from 2 on backwards
    # shellcheck disable=SC2086
    ends_at "$work/TwoHolds.mo" x 4 -0.22876383367174652 1e-5 $how
    events=$(sed -n 's/ *\([0-9]*\) events were located.*/\1/p' "$work/out")
    [ "${events:-0}" -le 12 ] || fail "TwoHolds $how: $events events"
done

# Both hold it from the start, in steps of a fixed length and in generated code too: their
# closed form would be 0/0. From 1.17 on it slides.
cat >"$work/HeldByTwo.mo" <<M
model HeldByTwo "two brakes hold a mass from the start: what each of them holds is not determined; from 1.17 on it slides"
$(brake 0)
  parameter Real m = 1.3;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), a;
  Brake b1(mu = 0.7, v = v), b2(mu = 0.47, v = v);
equation
  der(x) = v;
  der(v) = a;
  m*a = time - b1.f - b2.f;
  b1.a = a;
  b2.a = a;
end HeldByTwo;
M
for row in "1e-6 --tolerance 1e-8" "1e-6 --method radau5 --step 0.05 --events exact" \
    "4e-4 --method lie --step 0.5ms" "4e-4 --static --method lie --step 0.5ms" \
    "2e-5 --method ros2 --step 0.5ms --late catch-up"; do
    # shellcheck disable=SC2086
    ends_at "$work/HeldByTwo.mo" v 2 0.26496153846153847 $row
    ! grep -q W1360 "$work/err" || fail "HeldByTwo $row: $(grep W1360 "$work/err")"
done
agree "$work/HeldByTwo.mo"

# Three and more: each stays at its limit once it has come to it, and they move as one with the sum of their limits does
# (0.6, pushed by sin(t): slides at 0.6435 s, rests at 3.5236). Whoever was sent back from its limit ended the run (E1341), and
# in generated code it began to slide too late.
several() { # NAME LIMIT...
    local name=$1 k=0 mu sum= parts= all=
    shift
    for mu in "$@"; do
        parts="$parts  Brake b$k(mu = $mu, v = v);
"
        sum="$sum - b$k.f" all="$all  b$k.a = a;
"
        k=$((k + 1))
    done
    cat >"$work/$name.mo" <<M
model $name "a mass that several hold"
$(brake 0)
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), a;
$parts
equation
  der(x) = v;
  der(v) = a;
  a = sin(time)$sum;
$all
end $name;
M
}
several HeldByThree 0.3 0.2 0.1
several HeldByTen 0.105 0.1 0.09 0.08 0.07 0.06 0.05 0.03 0.01 0.005
for row in "1e-4" "1e-6 --method radau5 --step 0.05 --events exact" \
    "2e-3 --method lie --step 1ms" "2e-3 --static --method lie --step 1ms"; do
    # shellcheck disable=SC2086
    ends_at "$work/HeldByThree.mo" x 10 0.7883721087480783 $row
    ! grep -q "E13\|W1331\|W1333\|W1346\|W1349" "$work/err" ||
        fail "HeldByThree $row: $(head -1 "$work/err")"
    grep -q W1338 "$work/err" || fail "HeldByThree $row: the split is open, and nobody says so"
done
several HeldByOne 0.6
run_takt sim "$work/HeldByOne.mo" --method lie --step 2ms --stop 3.4 --quiet -o "$work/out.csv"
one=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "\"x\"") c = i } { x = $c } END { print x }' "$work/out.csv")
ends_at "$work/HeldByTen.mo" x 3.4 "$one" 1e-12 --static --method lie --step 2ms
! grep -q "W1005\|W1708" "$work/err" || fail "HeldByTen: $(grep "W1005\|W1708" "$work/err")"
agree "$work/HeldByThree.mo"
run_takt build "$work/HeldByThree.mo" --step 1ms -o "$work/c"
grep -q "some modes do not determine b0.s, b1.s, b2.s" "$work/out" || fail "HeldByThree: build names no block"

# The matrix of such a block may depend on modes alone: nothing of it is left inside of the block, and its
# alarm was taken to be dead, which ended in a crash of build.
cat >"$work/SwitchPair.mo" <<'M'
model SwitchPair "two switches without resistance in parallel, from 0.2 and from 0.35 to 0.8: who carries how much is open"
  model Switch
    input Boolean on;
    Real v, i, s;
  equation
    v = if on then 0 else s;
    i = if on then s else 1e-6*s;
  end Switch;
  Switch s1(on = time >= 0.2), s2(on = time >= 0.35 and time < 0.8);
  Real u(start = 0, fixed = true), i;
equation
  0.5*der(u) = i;
  3 = s1.v + 2*i + u;
  s1.v = s2.v;
  i = s1.i + s2.i;
end SwitchPair;
M
for row in "1e-6 --tolerance 1e-8" "1e-6 --method radau5 --step 0.05 --events exact" \
    "5e-4 --static --method lie --step 0.5ms"; do
    # shellcheck disable=SC2086
    ends_at "$work/SwitchPair.mo" u 1 1.6520141860 $row
done
agree "$work/SwitchPair.mo"

# A brake that comes on is stuck until its mode is known, and when it stops the mass another one
# holds that to a belt that moves on: with these relations and pre values the equations contradict
# each other. The first lasts for an iteration, the second until the weaker one slides.
cat >"$work/SupportBrake.mo" <<'M'
model SupportBrake "a mass on a belt of speed t - 1, which a brake stops from 1/2 to 3/2: for an iteration both hold it"
  model Friction "as the library has it"
    parameter Real mu;
    input Boolean on;
    Real v, a, f, s;
    Integer mode(start = 3, fixed = true) "2 free, 1 forward, 0 stuck, -1 backward, 3 unknown";
    Boolean forward(start = false, fixed = true), backward(start = false, fixed = true), locked(start = false), free;
  equation
    free = not on;
    forward = pre(mode) == 0 and (s > mu or pre(forward) and s > mu) or pre(mode) == -1 and v > 1e-10 or initial() and v > 0;
    backward = pre(mode) == 0 and (s < -mu or pre(backward) and s < -mu) or pre(mode) == 1 and v < -1e-10 or initial() and v < 0;
    locked = not free and not (pre(mode) == 1 or forward or pre(mode) == -1 or backward);
    a = if locked then 0 else if free then s else if forward then s - mu else if backward then s + mu
      else if pre(mode) == 1 then s - mu else s + mu;
    f = if locked then s else if free then 0 else if forward or pre(mode) == 1 and not backward then mu else -mu;
    mode = if free then 2 else if (pre(mode) == 1 or pre(mode) == 2 or forward) and v > 0 then 1
      else if (pre(mode) == -1 or pre(mode) == 2 or backward) and v < 0 then -1 else 0;
  end Friction;
  Friction belt(mu = 2, on = true), brake(mu = 4, on = time >= 0.5 and time < 1.5);
  Real x(start = 0, fixed = true), v(start = -1, fixed = true), a;
equation
  der(x) = v;
  der(v) = a;
  a = -belt.f - brake.f;
  belt.v = v - (time - 1);
  belt.a = a - 1;
  brake.v = v;
  brake.a = a;
end SupportBrake;
M
for how in "--tolerance 1e-8" "--method radau5 --step 0.05 --events exact" \
    "--method rodas4 --step 0.02 --events exact" "--method ros2 --step 0.5ms"; do
    # shellcheck disable=SC2086
    ends_at "$work/SupportBrake.mo" x 2.5 0.4375 1e-6 $how
done

# ---- what has no solution, or not on the grid ----

cat >"$work/NoMode.mo" <<'M'
model NoMode "a relay that acts against itself: none of its modes from u = 1/2 on"
  model Relay
    input Real u;
    Real s, y;
  equation
    s = u - 0.5*y;
    y = if s > 0 then 1 else -1;
  end Relay;
  parameter Real u = 1;
  Relay relay(u = u - time);
  Real z(start = 0, fixed = true);
equation
  der(z) = relay.y;
end NoMode;
M
cat >"$work/Slide.mo" <<'M'
model Slide "slides along x = 0 from 1 on"
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
end Slide;
M
cat >"$work/Zeno.mo" <<'M'
model Zeno "comes to rest at 3"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -2;
  when h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
end Zeno;
M
cat >"$work/Ticks.mo" <<'M'
model Ticks
  discrete Real n(start = 0, fixed = true);
equation
  when sample(0, 1e-3) then
    n = pre(n) + 1;
  end when;
  when time > 0.905 then
    terminate("enough");
  end when;
end Ticks;
M
says() { # CODE PATTERN MODEL OPTION...
    local want=$1 pattern=$2 model=$3
    shift 3
    run_takt sim "$work/$model.mo" --quiet -o "$work/out.csv" "$@"
    [ "$code" = "$want" ] || fail "$model $*: exit code $code, not $want"
    grep -qE -- "$pattern" "$work/err" ||
        { fail "$model $*: no '$pattern'"; head -3 "$work/err"; }
}
for how in "" "--method ida --step 10ms" "--method radau5 --step 10ms --events exact"; do
    # shellcheck disable=SC2086
    says 1 "NoMode.mo:7:.*in 'relay' no mode is consistent at time 0.5: .*E1347" \
        NoMode --stop 2 $how
    # shellcheck disable=SC2086
    says 1 "no mode is consistent at time 0: .*E1347" NoMode --stop 2 --set u=0.2 $how
    # shellcheck disable=SC2086
    says 1 "Zeno.mo:6:.*h <= 0.0 becomes true ever faster.*time (3|2.9999).*E1348" \
        Zeno --stop 4 $how
done
# one of several modes that no path leads to
cat >"$work/Several.mo" <<'M'
model Several "from u = 1 on the relay acts against itself; either of two latches stops it"
  model Latch
    input Real y;
    Real w, v;
  equation
    w = v - 0.5 + 0.1*y^2;
    v = if w > 0 then 1 else 0;
  end Latch;
  Latch b(y = y), c(y = y);
  Real s, y, z(start = 0, fixed = true);
equation
  s = (2 - time - y)*(1 - b.v)*(1 - c.v) - b.v - c.v;
  y = if s > 0 then 1 else -1;
  der(z) = b.v + 2*c.v;
end Several;
M
for how in "--method ida --step 10ms" "--method radau5 --step 10ms --events exact"; do
    # shellcheck disable=SC2086
    says 0 "Several.mo:7:.*in 'c' several modes are consistent at time 1:.*W1376" \
        Several --stop 2 $how
done
# a run with the pivots of generated code cannot solve what contradicts itself, and says so
says 1 "in a step|at an event.*E1322" SupportBrake --stop 1 --static --method lie --step 0.5ms
# branches without events end at t1 = log(1.1/0.501) and every log(1.499/0.501)
# after it; there the solution jumps
cat >"$work/Relaxation.mo" <<'M'
model Relaxation "an amplifier with positive feedback, without events, charges c"
  parameter Real V0 = 1000;
  Real y(start = -1), c(start = 0.1, fixed = true);
equation
  y = noEvent(if V0*(0.5*y - c) > 1 then 1 else if V0*(0.5*y - c) < -1 then -1
              else V0*(0.5*y - c));
  der(c) = y - c;
end Relaxation;
M
for how in "--method radau5 --step 0.05 --events exact" \
    "--method sdirk4 --step 0.01 --events exact"; do
    # shellcheck disable=SC2086
    ends_at "$work/Relaxation.mo" c 8 0.2078924025836576 1e-6 $how
    grep -q '7 times the branch ended.*time 0.786459.*W1375' "$work/err" ||
        fail "Relaxation $how: $(head -1 "$work/err")"
done
# the piece between its limits is thinner than a step
for row in "15000 0.19398118144137266" "1e6 0.19299262032323639"; do
    read -r gain value <<<"$row"
    ends_at "$work/Relaxation.mo" c 8 "$value" 1e-6 --set "V0=$gain" \
        --method radau5 --step 0.05 --events exact
    grep -q '7 times the branch ended.*W1375' "$work/err" ||
        fail "Relaxation $gain: $(head -1 "$work/err")"
done
cat >"$work/Squeeze.mo" <<'M'
model Squeeze "between the floor and a plate that comes down: ever faster up to 2"
  Real h(start = 0.5, fixed = true), v(start = 1, fixed = true);
  Real plate = 1 - 0.5*time;
equation
  der(h) = v;
  der(v) = 0;
  when {h <= 0, h >= plate} then
    reinit(v, -pre(v));
  end when;
end Squeeze;
M
for how in "" "--method radau5 --step 10ms --events exact"; do
    # shellcheck disable=SC2086
    says 1 "Squeeze.mo:7:.*E134[18]" Squeeze --stop 3 $how
done
says 0 "Squeeze.mo:7:.*W1349" Squeeze --stop 3 --method lie --step 10ms
says 1 "Slide.mo:4:.*x > 0.0 changed more than .* at first at time 1, .*E1341" Slide --stop 2
says 0 "Slide.mo:4:.*x > 0.0 changes in every step from time 1 on.*W1349" \
    Slide --stop 2 --method lie --step 10ms
says 0 "Zeno.mo:6:.*ever faster.*W1349" Zeno --stop 4 --method lie --step 10ms
run_takt build "$work/Zeno.mo" --quiet --stop 4 --method lie --step 10ms -o "$work/zeno"
grep -q "Zeno.mo:6:.*ever faster.*W1349" "$work/err" || { fail "build Zeno"; head -3 "$work/err"; }
# one side is three times as fast: a step over, three back
cat >"$work/Uneven.mo" <<'M'
model Uneven "slides along x + y/2 = 0 from 1/2 on"
  Real x(start = 1, fixed = true), y(start = -0.5, fixed = true);
equation
  der(x) = if x + y/2 > 0 then -1 else 1;
  der(y) = -1;
end Uneven;
M
for how in "--step 10ms" "--step 1ms --late catch-up"; do
    # shellcheck disable=SC2086
    says 0 "Uneven.mo:4:.*every few steps from time 0.5.*W1349" Uneven --stop 2 --method lie $how
done
says 0 "Ticks.mo:4:.*sample\(0, 0.001\).*0.1: 99 of 100 are lost.*W1335" \
    Ticks --stop 1 --method lie --step 0.1
for how in "--method ida" "--method radau5 --events exact"; do
    # shellcheck disable=SC2086
    run_takt sim "$work/Ticks.mo" --stop 1 --step 0.1 --quiet $how -o "$work/out.csv"
    tail -1 "$work/out.csv" | grep -qE '^0\.905(0000*1)?,906$' ||
        fail "terminate $how: $(tail -1 "$work/out.csv")"
done
# a long step passes several points of output: those before terminate() have their rows
cat >"$work/Half.mo" <<'M'
model Half "each turn is faster; ended by the fourth, at 0.3 (1 + 1/1.1 + 1/1.2 + 1/1.3)"
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1 + 0.1*n;
  when x >= 0.3*(pre(n) + 1) then
    n = pre(n) + 1;
  end when;
  when n >= 4 then
    terminate("four");
  end when;
end Half;
M
for how in "--method radau5 --tolerance 1e-6" "--method bdf" "--method rodas4 --tolerance 1e-6" \
    "" "--method radau5 --step 4ms --events exact"; do
    # shellcheck disable=SC2086
    run_takt sim "$work/Half.mo" --stop 2 --quiet --filter n $how -o "$work/out.csv"
    awk -F, 'NR > 2 && $1 - last > 0.0040001 { gap = 1 } { last = $1; n = $2 }
             END { d = last - 1.0534965034965035; exit gap || n != 4 || d > 1e-7 || d < -1e-7 }' \
        "$work/out.csv" || fail "terminate $how: $(tail -1 "$work/out.csv")"
done
# and with --every the row of terminate() is the last one
run_takt sim "$work/Half.mo" --stop 2 --quiet --method lie --step 1ms --every 500 --filter n \
    -o "$work/out.csv"
tail -1 "$work/out.csv" | grep -qE "^1.05[45],4$" ||
    fail "terminate with --every: $(tail -1 "$work/out.csv")"
# the text of an assertion has the values that it failed with
cat >"$work/Said.mo" <<'M'
model Said
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  parameter Boolean in_clause = true;
equation
  der(x) = 1;
  when x > 0.25*(pre(n) + 1) then
    n = pre(n) + 1;
    assert(n < 2 or not in_clause, "turn " + String(n) + (if x < 0.4 then " early" else " late"));
  end when;
  assert(x < 0.75, "x is " + String(x) + ", " + String(in_clause));
end Said;
M
for how in "" "--method ida --step 10ms" "--method lie --step 10ms"; do
    # shellcheck disable=SC2086
    says 1 "Said.mo:9:.*at time 0.5[0-9]*: turn 2 late .E1320" Said $how
    # shellcheck disable=SC2086
    says 1 "Said.mo:11:.*: x is 0.75[0-9]*, false .E1320" Said --set in_clause=false $how
done
# a condition that its own clause makes false again acts late as any other
cat >"$work/Next.mo" <<'M'
model Next "each tenth doubles the push"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  discrete Real next(start = 0.1, fixed = true), push(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = push - v;
  when x > pre(next) then
    next = x + 0.1;
    push = 1.2*pre(push);
  end when;
end Next;
M
run_takt sim "$work/Next.mo" --stop 1 --method lie --step 1ms
grep -q "events acted up to 0.000[0-9]* s late, which may cost" "$work/out" ||
    { fail "Next: its events are not said to be late"; cat "$work/out"; }
# what only a clause asks the clock for is late too: 0.6 ms at the first instant, 0.9 at the second
cat >"$work/Instants.mo" <<'M'
model Instants "speed 3 from 0.1234 to 0.4321, else 1"
  Real x(start = 0, fixed = true);
  discrete Real u(start = 1, fixed = true);
equation
  der(x) = u;
  when time >= 0.1234 then
    u = 3;
  elsewhen time >= 0.4321 then
    u = 1;
  end when;
end Instants;
M
for how in "" "--late catch-up"; do
    # shellcheck disable=SC2086
    run_takt sim "$work/Instants.mo" --stop 1 --method lie --step 1ms $how
    grep -q "events acted up to 0.0009 s late, which may cost 0.074 % of the range of x" "$work/out" ||
        { fail "Instants $how: its events are not said to be late"; cat "$work/out"; }
done
# and a condition of time that its own clause makes false again
run_takt sim tests/hybrid/SelfTimed.mo --stop 6 --method lie --step 1ms
grep -q "events acted up to 0.0009[0-9]* s late" "$work/out" ||
    { fail "SelfTimed: its events are not said to be late"; cat "$work/out"; }
# generated code names who has not come to rest
cat >"$work/Chain.mo" <<'M'
model Chain "each waits for the one before"
  model Relay
    input Boolean u;
    Boolean on(start = false, fixed = true);
  equation
    on = pre(u);
  end Relay;
  Boolean go = x > 0.5;
  Relay a(u = go), b(u = a.on), c(u = b.on);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
end Chain;
M
cat >"$work/main.c" <<'C'
#include <stdio.h>
#include "chain.h"
int main(void)
{
    static chain m;
    chain_init(&m);
    for (int i = 0; i < 100; i++)
        if (chain_step(&m) == CHAIN_EVENTS)
            printf("%s ", chain_where(&m));
    return 0;
}
C
run_takt build "$work/Chain.mo" --step 10ms --stop 1 --events-max 1 --quiet \
    --name chain -o "$work/chain"
[ "$code" = 0 ] || fail "build Chain: $code"
if ! sanitized; then
    $TAKT_CC -std=c99 -O0 "-I$work/chain" "$work/chain/chain.c" "$work/main.c" \
        -lm -o "$work/chain/run" || fail "Chain: compiler"
    [ "$("$work/chain/run")" = "go b.on " ] ||
        fail "Chain: $("$work/chain/run"), not go b.on"
fi

# A corner without an event: IDA's matrix has a 0 on the other side where it had its pivot
cat >"$work/Gap.mo" <<M
model Gap "backlash, spring and damper in a row, which cannot pull"
  parameter Real c = 2000, d = 3, b = 0.05;
  Real p(start = -0.2, fixed = true), w(start = 1, fixed = true), fc, fd, f;
equation
  der(p) = w;
  0.05*der(w) = 5*cos(3*time) - f;
  fc = if p > b/2 then c*(p - b/2) else if p < -b/2 then c*(p + b/2) else 0;
  fd = d*w;
  f = if p > b/2 then noEvent(if fc + fd <= 0 then 0 else fc + min(fc, fd))
    else if p < -b/2 then noEvent(if fc + fd >= 0 then 0 else fc + max(fc, fd)) else 0;
end Gap;
M
for tolerance in 1e-6 1e-8 1e-9 1e-10; do
    ends_at "$work/Gap.mo" p 4 0.02713695547 2e-7 --method ida --step 8ms --tolerance $tolerance
done

# It starts on a corner, where its polynomials stay: the next side is where the model goes
cat >"$work/Wedge.mo" <<M
model Wedge "a force that grows with its own amount, from 0 on"
  Real x(start = 0, fixed = true), y;
equation
  der(x) = y - x;
  y = sin(time) + 0.95*abs(y);
end Wedge;
M
for tolerance in 1e-6 1e-8 1e-10; do
    ends_at "$work/Wedge.mo" x 3 11.80899573028 2e-6 --method ida --tolerance $tolerance
done

# Where its crank passes the dead centre a slider cannot stick: an iteration in which it would has no solution
cat >"$work/Crank.mo" <<M
model Crank "crank and slider, friction in the slider by its side force"
  parameter Real r = 0.1, l = 0.3, mu = 0.2, ms = 2, J = 0.05, g = 9.81;
  Real phi(start = 0.3, fixed = true), w(start = 0, fixed = true), x, vx, ax, be, N, F, f, s;
  Integer m(start = 0, fixed = true);
  Boolean fw(start = false, fixed = true), bw(start = false, fixed = true);
equation
  der(phi) = w;
  l*sin(be) = r*sin(phi);
  x = r*cos(phi) + l*cos(be);
  vx = der(x);
  ax = der(vx);
  ms*ax = F*cos(be) - f;
  N = ms*g + F*sin(be);
  J*der(w) = 3*sin(1.5*time) + F*r*sin(phi + be);
  fw = pre(m) == 0 and (s > mu*abs(N) or pre(fw) and s > mu*abs(N));
  bw = pre(m) == 0 and (s < -mu*abs(N) or pre(bw) and s < -mu*abs(N));
  f = if pre(m) == 1 or fw then mu*abs(N) else if pre(m) == -1 or bw then -mu*abs(N) else s;
  ax = if pre(m) == 1 or fw then s - mu*abs(N) else if pre(m) == -1 or bw then s + mu*abs(N) else 0;
  m = if (pre(m) == 1 or fw) and vx > 0 then 1 else if (pre(m) == -1 or bw) and vx < 0 then -1 else 0;
end Crank;
M
ends_at "$work/Crank.mo" phi 5.4 83.137 0.5 --method radau5 --events exact --step 12ms
ends_at "$work/Crank.mo" phi 5.4 83.137 0.01 --method radau5 --events exact --step 3ms
finish
