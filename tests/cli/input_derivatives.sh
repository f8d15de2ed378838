#!/usr/bin/env bash
# Models driven backwards by an input: derivatives of the input are inputs of their
# own, from the table or by its slope, and refused where nothing gives them.
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4

# a mass on a spring is moved as u says: its force is m u'' + d u' + c u
cat >Inverse.mo <<'M'
model Inverse
  input Real u;
  parameter Real m = 0.5, d = 0.2, c = 3;
  Real s, v, load(start = 0, fixed = true);
  output Real f;
equation
  s = u;
  v = der(s);
  m*der(v) = f - d*v - c*s;
  der(load) = f - load;
end Inverse;
M
cat >Damper.mo <<'M'
model Damper
  input Real u;
  output Real f;
  Real s;
equation
  s = u;
  f = 0.2*der(s) + 3*s;
end Damper;
M
awk 'BEGIN { print "time,u" >"u.csv"; print "time,u,der(u)" >"du.csv"
    print "time,u,der(u),der(der(u))" >"ddu.csv"; print "time,u\n0,2\n9,2" >"constant.csv"
    print "time,u\n0,0\n1,2\n3,0" >"bend.csv"
    for (k = 0; k <= 3000; k++) { t = k/1000; u = sin(2*t); a = 2*cos(2*t)
        printf "%.17g,%.17g\n", t, u >"u.csv"; printf "%.17g,%.17g,%.17g\n", t, u, a >"du.csv"
        printf "%.17g,%.17g,%.17g,%.17g\n", t, u, a, -4*u >"ddu.csv" } }'

# follows CSV NAME FORMULA TOLERANCE: a column is a formula of t, on all lines
follows() {
    awk -F, -v name="\"$2\"" -v tolerance="$4" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
        { t = $1; e = $c - ('"$3"'); if (e < 0) e = -e; if (e > most) most = e }
        END { if (!c || NR < 10 || !(most <= tolerance)) { print most; exit 1 } }' "$1" >off ||
        fail "$2 is off by $(cat off)"
}
force="0.5*-4*sin(2*t) + 0.2*2*cos(2*t) + 3*sin(2*t)"
for method in be lie ros2 radau5 ida "radau5 --static"; do
    expect 0 "'der(u)' is a further input \[W1006\]" sim Damper.mo --method $method --step 10ms \
        --stop 2.9 --input u.csv -o damper.csv
    follows damper.csv f "0.2*2*cos(2*t) + 3*sin(2*t)" 1e-3
    expect 0 "'der(der(u))' is a further input" sim Inverse.mo --method $method --step 10ms \
        --stop 2.9 --input ddu.csv -o force.csv
    follows force.csv f "$force" 1e-5
    # the second derivative is the slope of the first
    expect 0 . sim Inverse.mo --method $method --step 10ms --stop 2.9 --input du.csv -o force.csv
    follows force.csv f "$force" 3e-3
done
# the derivative of straight lines jumps where they bend
expect 0 . sim Damper.mo --method be --step 10ms --stop 2.9 --input bend.csv -o damper.csv
follows damper.csv "der(u)" "t < 0.999 ? 2 : -1" 1e-9
# what does not exist is refused, what is constant has derivatives of all orders
expect 1 "no such derivative.*\[E1316\]" sim Inverse.mo --step 10ms --stop 1 --input u.csv
expect 0 . sim Inverse.mo --step 10ms --stop 1 --input constant.csv -o force.csv
follows force.csv f 6 1e-12
expect 1 "\[E1010\]" sim Inverse.mo --direct --step 10ms --stop 1 --input ddu.csv
# without a table inputs are constant
expect 0 W1315 sim Inverse.mo --method be --step 10ms --stop 1 --set u=2 -o force.csv
# Integers are not interpolated, and values that are none are refused
cat >Switch.mo <<'M'
model Switch
  input Integer k;
  input Boolean b;
  output Real y;
equation
  y = if b then k else -k;
end Switch;
M
printf 'time,k,b\n0,1,1\n1,4,0\n2,9,1\n' >switch.csv
expect 0 . sim Switch.mo --method be --step 0.1 --stop 2 --input switch.csv -o switch.out.csv
follows switch.out.csv y "t < 0.999 ? 1 : t < 1.999 ? -4 : 9" 1e-9
printf 'time,k,b\n0,1,1\n1,2.5,0\n' >switch.csv
expect 1 "2.5 for the input 'k', which is not a whole number of 32 bits \[E1317\]" sim Switch.mo --step 0.1 \
    --stop 1 --input switch.csv
printf 'time,u\n0,1\n1,nan\n' >nan.csv
expect 1 "nan for the input 'u', which is not finite \[E1317\]" sim Damper.mo --step 0.1 --stop 1 --input nan.csv
sanitized && finish

# in C: refused until it is set, then right
cat >main.c <<'C'
#include <math.h>
#include <stdio.h>
#include "model.h"
int main(void)
{
    static model m;
    int status = model_init(&m);
    printf("%d %s\n", status, model_where(&m));
    model_default(&m);
    double most = 0;
    for (int k = 0; k <= 200; k++) {
        double t = 0.01 * k, f = 0.2 * 2 * cos(2 * t) + 3 * sin(2 * t) - 2 * sin(2 * t);
        model_set(&m, model_find("u"), sin(2 * t));
        model_set(&m, model_find("der(u)"), 2 * cos(2 * t));
        m.u.der_der_u = -4 * sin(2 * t);
        status = k ? model_step(&m) : model_start(&m);
        most = fmax(most, fabs(model_get(&m, model_find("f")) - f));
        if (status)
            printf("%d: %d %s\n", k, status, model_where(&m));
    }
    printf("%s\n", most < 1e-9 ? "right" : "wrong");
    return 0;
}
C
expect 0 W1006 build Inverse.mo --step 10ms --name model -o c
"$TAKT_CC" -std=c99 -Wall -Wextra -Werror -Ic main.c c/model.c -lm -o run || fail "does not compile"
printf '%s\n%s\n' "-1 the derivative of an input is not given: set 'der(u)'" right >want
./run | diff want - || fail "the C"
# run: from the table, and constant without one
expect 0 . run Damper.mo --step 10ms --stop 2.9 --no-wait --input u.csv -o damper.csv
follows damper.csv f "0.2*2*cos(2*t) + 3*sin(2*t)" 1e-2
expect 0 . run Damper.mo --step 10ms --stop 1 --no-wait -o damper.csv
follows damper.csv f 0 1e-12
expect 1 E1316 run Inverse.mo --step 10ms --stop 1 --no-wait --input u.csv
finish
