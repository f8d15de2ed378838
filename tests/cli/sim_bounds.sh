#!/usr/bin/env bash
# min, max and assertions are checked at the initialisation and in the run, with
# the name of the component; a run without steps only initialises.
# build: sanitizers
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
cat >"$dir/Tanks.mo" <<'M'
model Tanks
  model Tank
    type Level = Real(min = 0);
    parameter Real a(min = 0.1) = 1;
    parameter Real top = 2;
    Level h(start = 1, fixed = true, max = top);
    Real twice(max = 5) = 2*h;
    parameter Real rate = -1;
  equation
    a*der(h) = rate;
  end Tank;
  Tank out, in1(rate = 1, a = 0.05), still(rate = 0);
end Tanks;
M
run() { # options
    "$TAKT" sim "$dir/Tanks.mo" --method be --step 0.01 "$@" >"$dir/out" \
        2>"$dir/err" || { echo "$*: failed"; bad=1; }
}
want() { # text
    grep -q -- "$1" "$dir/err" || { echo "no message: $1"; bad=1; }
}
none() {
    ! grep -q -- "$1" "$dir/err" || { echo "one message too many: $1"; bad=1; }
}

run --stop 0
want "'in1.a' = 0.05 is below its min 0.1 at time 0 \[W1324\]"
none out.h
none "'still"
grep -q "0 steps" "$dir/out" || { echo "steps without time"; bad=1; }
run --stop 1.5
want "'out.h' = -0.01 is below its min 0 at time 1.01 \[W1324\]"
want "'in1.h' = 2.2 is above its max 2 at time 0.06 \[W1324\]"
want "'in1.twice' = 5.2 is above its max 5 at time 0.08 \[W1324\]"
[ "$(grep -c "'out.h'" "$dir/err")" = 1 ] || { echo "said twice"; bad=1; }
none "'still"
run --stop 0.9 --set in1.a=10 # nothing leaves its bounds
none W1324
run --stop 0.3 --method ida
want "'in1.h' = 2.2 is above its max 2 at time 0.06 \[W1324\]"
run --stop 1 --set in1.top=0.5
want "'in1.h' = 1 is above its max 0.5 at time 0 \[W1324\]"
run --stop 1 --json --quiet
grep -q '"outside":' "$dir/out" || { echo "not in JSON"; bad=1; }

cat >"$dir/Start.mo" <<'M'
model Start
  parameter Real p = 1;
  Real x(start = 1, fixed = true);
initial equation
  assert(x < p, "x must be less than p at the start");
equation
  der(x) = -x;
end Start;
M
"$TAKT" sim "$dir/Start.mo" --step 0.1 >"$dir/out" 2>"$dir/err"
[ $? = 1 ] || { echo "initial assertion: wrong exit code"; bad=1; }
want "assertion failed at time 0: x must be less than p at the start"
"$TAKT" sim "$dir/Start.mo" --step 0.1 --set p=2 >"$dir/out" 2>"$dir/err" ||
    { echo "an initial assertion that holds"; bad=1; }

[ $bad = 0 ] && echo "ok   bounds"
exit $bad
