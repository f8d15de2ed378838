#!/usr/bin/env bash
# Step-size control: a Runge-Kutta method with --tolerance. End values against
# references, the error follows the tolerance, events are located.
set -u
gallery=$TAKT_SOURCE/models/gallery
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0

# error FILE VARIABLE EXACT OPTION...: the relative error at the end, and the
# steps that were accepted. False if there is no end of the run.
error() {
    local file=$1 variable=$2 exact=$3
    shift 3
    timeout 100 "$TAKT" sim "$file" --json "$@" 2>"$dir/err" |
        awk -v name="\"$variable\":" -v e="$exact" '
            $1 == name { x = $2 + 0; found = 1 }
            $1 == "\"accepted\":" { n = $2 + 0 }
            END { d = (x - e)/e; printf "%.3g %d", found ? (d < 0 ? -d : d) : 1, n }'
    [ "${PIPESTATUS[0]}" != 124 ]
}

# expect TITLE LIMIT MOST FILE VARIABLE EXACT OPTION...
expect() {
    local title=$1 limit=$2 most=$3 got
    shift 3
    got=$(error "$@") || { echo "FAIL $title: no end"; exit 1; }
    awk -v t="$title" -v l="$limit" -v m="$most" -v g="$got" 'BEGIN {
        split(g, x, " ")
        ok = x[1] <= l && x[2] > 0 && x[2] <= m
        printf "%s %s: error %s in %d steps\n", ok ? "ok  " : "FAIL", t, x[1], x[2]
        exit !ok }' || bad=1
}

for row in "1e-4 1e-4 300" "1e-6 2e-6 600" "1e-8 1e-7 1500"; do
    read -r rtol limit most <<<"$row"
    expect "van der Pol to 2000, rtol $rtol" "$limit" "$most" \
        "$gallery/VanDerPol.mo" x 1.706167732170469 --method radau5 \
        --tolerance "$rtol" --stop 2000 --step 200
done
expect "van der Pol, sdirk4" 1e-6 10000 "$gallery/VanDerPol.mo" x \
    1.706167732170469 --method sdirk4 --tolerance 1e-8 --stop 2000 --step 200
expect "van der Pol, rodas4" 1e-6 7000 "$gallery/VanDerPol.mo" x \
    1.706167732170469 --method rodas4 --tolerance 1e-8 --stop 2000 --step 200
expect "van der Pol, liex4" 1e-6 15000 "$gallery/VanDerPol.mo" x \
    1.706167732170469 --method liex4 --tolerance 1e-7 --stop 2000 --step 200
expect "van der Pol, liex" 1e-6 2500 "$gallery/VanDerPol.mo" x \
    1.706167732170469 --method liex --tolerance 1e-7 --stop 2000 --step 200
"$TAKT" sim "$gallery/TransistorAmplifier.mo" --method liex --tolerance 1e-4 --stop 0.05 \
    -o "$dir/amplifier.csv" >"$dir/out" 2>&1 ||
    { echo "FAIL liex on a DAE"; tail -3 "$dir/out"; bad=1; }
awk '/steps of order/ { for (i = 5; i <= NF; i += 2) n += $i > 0 } END { exit !(n > 2) }' \
    "$dir/out" || { echo "FAIL liex: orders $(grep 'steps of' "$dir/out")"; bad=1; }
"$TAKT" sim "$gallery/TransistorAmplifier.mo" --method ida --tolerance 1e-9 --stop 0.05 \
    --compare "$dir/amplifier.csv" --tube 1e-4 >"$dir/out" 2>&1 ||
    { echo "FAIL liex: rows"; tail -3 "$dir/out"; bad=1; }
for control in one-step doubling; do
    expect "van der Pol, $control" 1e-6 1200 "$gallery/VanDerPol.mo" x \
        1.706167732170469 --method radau5 --tolerance 1e-6 --stop 2000 --step 200 \
        --control "$control"
done
for row in "radau3 blended 2200 1e-5" "radau3 bdf3 5000 1e-5" "radau5 blended 800 1e-6" \
    "lobatto4 blended 1600 1e-6"; do
    read -r method control most limit <<<"$row"
    expect "van der Pol, $method $control" "$limit" "$most" "$gallery/VanDerPol.mo" x \
        1.706167732170469 --method "$method" --tolerance 1e-6 --stop 2000 --step 2000 \
        --control "$control"
done
# A grid of 500 points makes no more steps than one of 10; its rows are near
# those of a reference.
expect "HIRES on 500 points" 1e-5 150 "$gallery/Hires.mo" pr 0.0007371312573325668 \
    --method radau5 --tolerance 1e-6
"$TAKT" sim "$gallery/AkzoNobel.mo" --method ida --tolerance 1e-10 -o "$dir/ref.csv" \
    >"$dir/out" 2>&1
for method in radau5 radau3 lobatto4 sdirk4 rodas4 bdf liex; do
    "$TAKT" sim "$gallery/AkzoNobel.mo" --method $method --tolerance 1e-6 \
        --compare "$dir/ref.csv" --tube 1e-4 >"$dir/out" 2>&1 ||
        { echo "FAIL rows of $method"; tail -3 "$dir/out"; bad=1; }
done
expect "Robertson to 1e11" 1e-4 2000 "$gallery/RobertsonOde.mo" a \
    2.083340149701255e-08 --method radau5 --tolerance 1e-7 --atol 1e-14 \
    --stop 1e11 --step 1e11
expect "HIRES" 1e-5 2000 "$gallery/Hires.mo" pr 0.0007371312573325668 \
    --method radau5 --tolerance 1e-8 --stop 321.8122 --step 321.8122
expect "pendulum, index 3" 1e-6 2000 "$gallery/Pendulum.mo" y \
    -0.5737011828372116 --method radau5 --tolerance 1e-9 --stop 2.3 --step 0.023
expect "RLC circuit, rk4" 1e-6 2000 "$gallery/RlcIndex0.mo" uC \
    0.5673708916470644 --method rk4 --tolerance 1e-8 --stop 2 --step 0.5

cat >"$dir/Ball.mo" <<'M'
model Ball "g = 2, from 1: hits at 1, 2, 2.5, 2.75 with half the speed"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -2;
  when h <= 0 then
    last = time;
    reinit(v, -0.5*pre(v));
  end when;
end Ball;
M
expect "a ball that bounces" 1e-7 1000 "$dir/Ball.mo" last 2.75 --method radau5 \
    --tolerance 1e-8 --stop 2.8 --step 0.1

expect "a ball that bounces, liex" 1e-7 1000 "$dir/Ball.mo" last 2.75 --method liex \
    --tolerance 1e-8 --stop 2.8 --step 0.1

expect "a ball that bounces, bdf" 1e-7 1000 "$dir/Ball.mo" last 2.75 --method bdf \
    --tolerance 1e-8 --stop 2.8 --step 0.1

# What begins with a slope of 0 and has one again at the next point of output:
# the first step must not be as long as that.
cat >"$dir/Swing.mo" <<'M'
model Swing
  constant Real pi = 3.141592653589793;
  Real x(start = 0, fixed = true);
equation
  der(x) = 2000*sin(1000*pi*time)^2;
end Swing;
M
for method in ida cvode bdf radau5 rodas4; do
    "$TAKT" sim "$dir/Swing.mo" --method $method --tolerance 1e-6 --stop 1e-3 \
        --step 1e-3 -o "$dir/swing.csv" >"$dir/out" 2>&1
    tail -1 "$dir/swing.csv" | awk -F, '{ exit !($2 > 0.9999 && $2 < 1.0001) }' ||
        { echo "FAIL Swing, $method: $(tail -1 "$dir/swing.csv")"; bad=1; }
done

# wrong FINDING OPTION...: refused with a message
wrong() {
    local finding=$1
    shift
    if "$TAKT" sim "$dir/Ball.mo" "$@" >"$dir/out" 2>&1 ||
        ! grep -q -e "$finding" "$dir/out"; then
        echo "FAIL $*: no '$finding'"
        bad=1
    fi
}
wrong E1344 --method bdf3 --step 0.1 --tolerance 1e-6
wrong E1344 --method lie --step 0.1 --tolerance 1e-6
wrong E1344 --method be --step 0.1 --tolerance 1e-6 --static
wrong E1344 --method lobatto4 --step 0.1 --tolerance 1e-6 --control bdf3
wrong E1344 --method sdirk4 --step 0.1 --tolerance 1e-6 --control blended
wrong E1344 --method radau5 --step 0.1 --tolerance 1e-6 --control orders
wrong positive --method radau5 --step 0.1 --tolerance 0

# A solution that ends on the way: an error, soon, whoever integrates
ends() {
    local code
    timeout 60 "$TAKT" sim "$dir/Ends.mo" "$@" -o "$dir/ends.csv" >"$dir/out" 2>&1
    code=$?
    [ $code = 1 ] && grep -q 'E13[0-9][0-9]' "$dir/out" && ! grep -q nan "$dir/ends.csv" ||
        { echo "FAIL $(sed -n 's/ *der/der/p' "$dir/Ends.mo") $*: exit code $code"; bad=1; }
}
for slope in 'x^2' '1/(time - 1)'; do
    cat >"$dir/Ends.mo" <<M
model Ends
  Real x(start = 1, fixed = true);
equation
  der(x) = $slope;
  annotation(experiment(StopTime = 2));
end Ends;
M
    ends
    for method in radau5 rodas4 bdf liex; do ends --method $method --tolerance 1e-6; done
done

# Rows between the ends of steps, whatever judges the steps; and those of the
# second judge, which runs after an assertion has ended the first
cat >"$dir/Rows.mo" <<'M'
model Rows
  parameter Real a[2] = {1, 1};
  Integer k = integer(time) + 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a[k]*x;
end Rows;
M
rows() {
    timeout 60 "$TAKT" sim "$dir/Rows.mo" --quiet -o "$dir/rows.csv" "$@" >"$dir/out" 2>&1
    awk -F, 'NR > 1 { d = $3 - exp(-$1); if (d < 0) d = -d; if (d > most) most = d }
        END { print most; exit !(NR > 50 && most < 2e-6) }' "$dir/rows.csv" >"$dir/off" ||
        { echo "FAIL rows of $*: off by $(cat "$dir/off")"; bad=1; }
}
for method in radau3 radau5 lobatto4 sdirk4; do
    for control in one-step two-step doubling; do
        rows --stop 1.9 --step 0.02 --method $method --tolerance 1e-7 --control $control
    done
done
rows --stop 3
grep -q W1346 "$dir/out" || { echo "FAIL no second judge"; bad=1; }

# An instant that is a point of output but for rounding: its row shows it
cat >"$dir/Beat.mo" <<'M'
model Beat
  Real x(start = 0, fixed = true);
  Boolean tick = sample(0, 0.1);
  discrete Real u(start = 1, fixed = true);
equation
  der(x) = u - x;
  when tick then
    u = 1 - x;
  end when;
end Beat;
M
for method in radau5 radau3 lobatto4 sdirk4 rodas4 bdf liex ida cvode; do
    timeout 60 "$TAKT" sim "$dir/Beat.mo" --quiet --stop 5 --step 0.01 --method $method --tolerance 1e-6 -o "$dir/beat.csv" >"$dir/out" 2>&1 &&
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "\"tick\"") c = i }
            NR > 1 && (NR - 2) % 10 == 0 && $c != 1 || NR > 1 && (NR - 2) % 10 && $c != 0 { wrong++ }
            END { exit !(c && NR == 502 && !wrong) }' "$dir/beat.csv" ||
        { echo "FAIL Beat $method: rows at instants do not show them"; bad=1; }
    ! grep -q W1378 "$dir/out" || { echo "FAIL Beat $method: $(cat "$dir/out")"; bad=1; }
done

# x' = -x(t - 1): sum over k of (-1)^k (t - k + 1)^k / k!; what is read between
# ends of steps that are too long for the tolerance is said
cat >"$dir/Past.mo" <<'M'
model Past
  Real x(start = 1, fixed = true);
equation
  der(x) = -delay(x, 1);
end Past;
M
past() { # METHOD STEP ERROR WARNED
    timeout 60 "$TAKT" sim "$dir/Past.mo" --quiet --once --stop 10 --step $2 --method $1 --tolerance 1e-6 -o "$dir/past.csv" >"$dir/out" 2>&1 &&
        awk -F, -v most=$3 'END { d = $2 - 0.0202411265432226; exit !(NR > 99 && d < most && d > -most) }' "$dir/past.csv" ||
        { echo "FAIL Past $1 $2: $(tail -1 "$dir/past.csv")"; bad=1; }
    [ "$(grep -c W1380 "$dir/out")" = $4 ] || { echo "FAIL Past $1 $2: $(cat "$dir/out")"; bad=1; }
}
past liex 0.1 1e-4 1
past radau5 0.1 1e-4 1
past liex 0.01 1e-8 0
past radau5 0.01 1e-8 0
past bdf 0.01 1e-8 0
past rodas4 0.01 1e-7 0
past cvode 0.1 1e-6 0

# Short pulses of time, as many as there are states: each is met
cat >"$dir/Pulses.mo" <<'M'
model Pulses
  Real x[100](each start = 0, each fixed = true);
  Real y = sum(x);
equation
  for i in 1:100 loop
    der(x[i]) = 1e4*exp(-((time - 0.008*i - 0.1)/1e-5)^2);
  end for;
end Pulses;
M
expect "100 pulses of 10 us" 1e-6 20000 "$dir/Pulses.mo" y 17.724538509055158 \
    --once --method radau5 --tolerance 1e-6 --stop 1 --step 0.1
exit $bad
