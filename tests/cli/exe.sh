#!/usr/bin/env bash
# takt build --target exe: a program with the bits of takt sim --static, its
# options, its failures.
# build: release
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4
sanitized && skip "the compiler's work is left to the other build"
gallery=$TAKT_SOURCE/models/gallery

# exe WANT PATTERN ARG...: ./model ARG... exits with WANT and says PATTERN
exe() {
    local want=$1 pattern=$2
    shift 2
    ./model "$@" >said 2>&1
    local got=$?
    checks=$((checks + 1))
    [ "$got" = "$want" ] || fail "model $*: exit code $got, expected $want"
    grep -q -e "$pattern" said || { fail "model $*: not said: $pattern"; head -3 said; }
}

# same A B: columns that both have, to the last digit
same() {
    checks=$((checks + 1))
    python3 - "$1" "$2" <<'PY' || fail "$1 and $2 differ"
import csv, sys
a, b = (list(csv.DictReader(open(p))) for p in sys.argv[1:])
names = [n for n in a[0] if n in b[0]]
bad = [(x["time"], n, x[n], y[n]) for x, y in zip(a, b) for n in names
       if float(x[n]) != float(y[n])]
print(len(names), len(a), len(b), bad[:2])
sys.exit(not (len(names) > 1 and len(a) == len(b) and not bad))
PY
}

cat >Driven.mo <<'MO'
model Driven
  parameter Real T = 0.1;
  input Real u(start = 0);
  output Real y(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  T*der(y) = u - y;
  when y > 1.5 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end Driven;
MO
cat >Fails.mo <<'MO'
model Fails
  Real x(start = 1, fixed = true);
equation
  der(x) = x;
  assert(x < 2, "x is too large");
  annotation(experiment(StopTime = 2, Interval = 0.01));
end Fails;
MO
printf 'time,u\n0,0\n0.5,1\n1,4\n1.5,0\n2,0\n' >in.csv

for model in "$gallery/MotorDrive.mo --step 1ms" "$gallery/Pendulum.mo" "$gallery/HeatDiffusion.mo"; do
    run_takt build $model --target exe -o model --quiet
    [ "$code" = 0 ] || { fail "build $model"; head -3 "$work/err"; continue; }
    exe 0 'doubtful' -o exe.csv
    run_takt sim $model --static --estimate off --quiet -o sim.csv
    same exe.csv sim.csv
done
expect 0 'model: ' build Driven.mo --target exe -o model
exe 0 '200 steps' --input in.csv -o exe.csv
run_takt sim Driven.mo --static --estimate off --input in.csv --quiet -o sim.csv
same exe.csv sim.csv
exe 0 '200 steps' --input in.csv --set T=0.3 --set y=0.5 -o exe.csv
run_takt sim Driven.mo --static --estimate off --input in.csv --set T=0.3 --set y=0.5 --quiet -o sim.csv
same exe.csv sim.csv
exe 0 '50 steps' --stop 0.5 --every 10 -o exe.csv
checks=$((checks + 1))
[ "$(wc -l <exe.csv)" = 7 ] || fail "--every: $(wc -l <exe.csv) lines"
exe 0 'usage' --help
exe 2 'nothing' --set nothing=1
exe 2 'NAME=VALUE' --set T
exe 2 'cannot be read' --input nowhere.csv
exe 2 'unknown option' --other 1
exe 4 'cannot be written' -o nowhere/x.csv
exe 2 'a time' --stop x
run_takt build Fails.mo --target exe -o model --quiet
exe 1 'x is too large\|assertion' -o fails.csv
finish
