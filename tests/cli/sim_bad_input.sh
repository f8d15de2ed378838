#!/usr/bin/env bash
# What goes wrong in a run has a message, the right exit code, and loses nothing.
# build: sanitizers
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0

# case TITLE EXIT TEXT command...: exit code and a text in the messages
case_() {
  local title=$1 code=$2 text=$3
  shift 3
  timeout 60 "$TAKT" "$@" > out 2> err
  local got=$?
  if [ $got -ne "$code" ] || { [ -n "$text" ] && ! grep -qF -- "$text" err; }; then
    echo "FAIL $title: exit $got (wanted $code), messages:"
    head -5 err
    failed=$((failed + 1))
  else
    echo "ok   $title"
  fi
}

cat > Grow.mo <<'M'
model Grow
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
end Grow;
M
cat > Zero.mo <<'M'
model Zero
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y = 1/x;
end Zero;
M
cat > Nowhere.mo <<'M'
model Nowhere
  Real x(start = 1, fixed = true), y(start = 1);
equation
  der(x) = -x;
  y^2 + 1 = x - x*1.5;
end Nowhere;
M
cat > Input.mo <<'M'
model Input
  input Real u(start = 2);
  Real x(start = 0, fixed = true);
equation
  der(x) = u - x;
end Input;
M
cat > Fine.mo <<'M'
model Fine
  parameter Real gain = 2;
  parameter Integer n = 3;
  Real x[n](each start = 1, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = -gain*i*x[i];
  end for;
  assert(x[1] > 0.5, "x has become small");
end Fine;
M
printf 'time,u\n0,1\n1,abc\n' > words.csv
printf 'time,v\n0,1\n1,2\n' > other.csv
printf 'time,u\n0,1\n' > short.csv
cat > Kept.mo <<'M'
model Kept
  type E = enumeration(one, two);
  parameter E e = E.one;
  parameter Real k = 1;
  final parameter Real twice = 2*k;
  Real x(start = 0, fixed = true);
equation
  der(x) = twice + (if e == E.two then 1 else 0);
end Kept;
M
cat > Kinds.mo <<'M'
model Kinds
  input Real u;
  input Boolean b;
  input Integer n;
  Real x(start = 0, fixed = true);
equation
  der(x) = u + (if b then 1 else 0) + n;
end Kinds;
M
printf 'time,u\n0,0\n1,1\n0.5,2\n' > falls.csv
printf 'time,u\n0,0\nnan,1\n1,2\n' > nowhen.csv
printf 'time,u\n0,0,5\n1,1,5\n' > comma.csv
printf 'time,u,u\n0,0,5\n1,1,5\n' > twice.csv
printf 'time,u,\n0,0,\n1,1, \n' > trailing.csv
printf 'time,u,b,n\n0,0,2,0\n' > truth.csv
printf 'time,u,b,n\n0,0,1,3e9\n' > large.csv

case_ "a diverging model" 1 "'x' " sim Grow.mo --method fe --step 0.1 --stop 50 -o grow.csv
[ "$(wc -l < grow.csv)" -gt 3 ] || { echo "FAIL rows before the failure are lost"; failed=$((failed + 1)); }
case_ "a division by zero at the start" 1 "'y' is not finite at time 0" sim Zero.mo
case_ "an initial condition that cannot be met" 1 "at initialisation" sim Nowhere.mo
case_ "a missing input file" 1 "none.csv" sim Input.mo --input none.csv
case_ "an input file with words" 1 "is no number" sim Input.mo --input words.csv
case_ "an input without a column" 1 "no column for the input 'u'" sim Input.mo --input other.csv
case_ "inputs that stay at their start" 0 "keep their start values" sim Input.mo
case_ "an input table of one line" 0 "" sim Input.mo --input short.csv
case_ "times that fall" 1 "falls.csv:4:1: error: the time of this line, 0.5, lies before that of the last one, 1" sim Input.mo --input falls.csv
case_ "times that fall, in real time" 1 "E1314" run Input.mo --input falls.csv --no-wait --step 0.1 --stop 1
case_ "a time that is no number" 1 "E1314" sim Input.mo --input nowhen.csv
case_ "numbers with a decimal comma" 1 "this line has 3 columns where the head has 2" sim Input.mo --input comma.csv
case_ "two columns of one name" 1 "two columns 'u'" sim Input.mo --input twice.csv
case_ "separators at the end of lines" 0 "" sim Input.mo --input trailing.csv
case_ "a truth of 2" 1 "which is not 0 or 1" sim Kinds.mo --input truth.csv
case_ "an Integer beyond 32 bits" 1 "of 32 bits" sim Kinds.mo --input large.csv
case_ "an output that cannot be written" 1 "nowhere/out.csv" sim Fine.mo --stop 0.1 -o nowhere/out.csv
case_ "no Newton iteration" 2 "whole number from 1" sim Fine.mo --newton 0
case_ "a negative Newton iteration" 2 "not '-1'" sim Fine.mo --newton -1
case_ "a bound on growth below 0" 2 "positive number" sim Fine.mo --growth-bound -3
case_ "factors at the desk" 2 "needs --static" sim Fine.mo --factor qr
case_ "a tolerance in code" 2 "for the desk" sim Fine.mo --static --newton-tolerance 1e-6
case_ "two ends of an iteration" 2 "exclude" sim Fine.mo --newton 2 --newton-tolerance 1e-3
case_ "a variable to draw that is not there" 1 "E1306" sim Fine.mo --stop 1e9 --step 1 --plot x.svg --var nobody
case_ "a drawing that is no SVG" 2 "ends in .svg" sim Fine.mo --plot x.gif
case_ "an output that is no CSV" 2 "ends in .csv or .mat or .h5" sim Fine.mo -o x.xlsx
case_ "an output found out before the run" 1 "nowhere" sim Fine.mo --stop 1e9 --step 1 -o nowhere/x.csv
case_ "a drawing found out before the run" 1 "nowhere" sim Fine.mo --stop 1e9 --step 1 --plot nowhere/x.svg
case_ "a step of zero" 2 "positive" sim Fine.mo --step 0
case_ "a negative step" 2 "positive" sim Fine.mo --step -1
case_ "a stop before the start" 1 "before the start time" sim Fine.mo --stop -1
case_ "an unknown method" 1 "radau" sim Fine.mo --method radau4
case_ "an unknown option" 2 "--method" sim Fine.mo --methd be
case_ "no such file" 1 "gone.mo" sim gone.mo
case_ "no model at all" 2 "MODEL" sim
case_ "--set of an unknown name" 1 "did you mean 'gain'" sim Fine.mo --set gian=1
case_ "--set without a value" 1 "name=value" sim Fine.mo --set gain
case_ "--set of a final parameter" 1 "'twice' is final" sim Kept.mo --set twice=1
case_ "--set of an enumeration" 1 "from 1 to 2" sim Kept.mo --set e=3
case_ "--set of a Real to a truth" 1 "takes a number" sim Kept.mo --set k=true
case_ "a tolerance of 1" 2 "below 1" sim Kept.mo --tolerance 1
case_ "--set of a size" 1 "shaped the model" sim Fine.mo --set n=4
case_ "an assertion that fails in the run" 1 "x has become small" sim Fine.mo --stop 1
[ $failed -eq 0 ] || { echo "$failed cases failed"; exit 1; }
