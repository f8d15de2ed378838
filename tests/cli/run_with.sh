#!/usr/bin/env bash
# Several models with several steps in one run: a plant and a sampled controller. The closed loop
# is computed again by awk, with the same order of steps.
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4
export CC=$TAKT_CC
cat >Plant.mo <<'M'
model Plant
  input Real u(start = 0);
  output Real y = x;
  Real x(start = 1, fixed = true);
equation
  der(x) = u - x;
end Plant;
M
cat >Controller.mo <<'M'
model Controller
  input Real e(start = 0);
  output Real v = 2*(3 - e) + i;
  Real i(start = 0, fixed = true);
equation
  der(i) = 3 - e;
end Controller;
M
run="run Plant.mo --step 1ms --stop 0.1 --no-wait"
loop="--with Controller.mo,10ms --connect Controller.e=y --connect u=Controller.v"
expect 0 'Controller: step 0.01 s, 10 steps' $run $loop -o loop.csv
awk -F, 'NR == 1 { gsub(/"/, ""); for (c = 1; c <= NF; c++) at[$c] = c
                   # the start: e = y = 1
                   x = 1; i = 0; e = 1; v = 2*(3 - e) + i; next }
    NR > 2 { k++; u = v; x = (x + 1e-3*u)/(1 + 1e-3) # backward Euler of a linear equation
             if (k % 10 == 0) { e = x; i = i + 1e-2*(3 - e); v = 2*(3 - e) + i } }
    { d = x - $at["x"]; d = d < 0 ? -d : d; f = v - $at["Controller.v"]; f = f < 0 ? -f : f
      if (d > 1e-12 || f > 1e-12) { print "row " NR ": " x " " $at["x"] ", " v " " $at["Controller.v"]; bad = 1 } }
    END { exit bad || k != 100 }' loop.csv >differs || fail "the loop: $(head -3 differs)"
checks=$((checks + 1))
expect 0 '"with":' $run $loop --json
tr -d ' \t\n' <"$work/out" | grep -q '"with":\[{"model":"Controller","step":0.01,"steps":10}\]' || fail "--json"
sed 's/Controller/Other/' Controller.mo >Other.mo
expect 0 'Other: step 0.001 s, 100 steps' $run $loop --with Other.mo,1ms --connect Other.e=Controller.v
expect 1 'no multiple.*E1620' $run --with Controller.mo,1.5ms
expect 1 'no multiple.*E1620' $run --with Controller.mo,0.5ms
expect 1 'MODEL,STEP is expected.*E1620' $run --with Controller.mo
expect 1 'E1620' $run --with None.mo,1ms
expect 1 'INPUT=SOURCE.*E1620' $run --with Controller.mo,1ms --connect u
expect 1 "no model keeps 'nobody'.*E1620" $run --with Controller.mo,1ms --connect u=nobody
expect 1 "'y' is no input.*E1620" $run --with Controller.mo,1ms --connect y=Controller.v
expect 2 'needs --with' $run --connect u=y
finish
