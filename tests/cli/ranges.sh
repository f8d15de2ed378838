#!/usr/bin/env bash
# Values that no quantity can have are refused where they come in: --set, NAME_set;
# Integers that leave 32 bits on the way are said at the desk and in C.
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4

cat >Parts.mo <<'M'
model Parts
  parameter Real c = 2;
  parameter Integer m = 40000;
  parameter Integer squared = m*m;
  parameter Boolean on = true;
  Real x(start = 1, fixed = true);
  Integer k(start = 2147483640, fixed = true);
equation
  der(x) = if on then -c*x + 0*squared else 1;
  when sample(0.1, 0.1) then
    k = pre(k) + 1;
  end when;
end Parts;
M
for verb in sim build cost linearize; do
    options="--step 0.01"
    [ $verb != build ] || options="$options -o c"
    [ $verb != linearize ] || options=
    [ $verb != sim ] || options="$options --stop 0.5"
    for value in nan NaN inf -inf infinity 1e999 -1e400; do
        expect 1 "finite number, not 'c=$value' \[E1305\]" $verb Parts.mo $options --set c=$value
    done
done
expect 1 "'m' takes a whole number of 32 bits" sim Parts.mo --step 0.01 --set m=2.5
expect 1 "'m' takes a whole number of 32 bits" sim Parts.mo --step 0.01 --set m=2147483648
expect 1 "'on' is a Boolean" sim Parts.mo --step 0.01 --set on=2
expect 1 "'k' takes a whole number" sim Parts.mo --step 0.01 --set k=0.5
expect 0 . sim Parts.mo --step 0.01 --stop 0.5 --set on=false --set m=-40000 --set k=-2147483648
# an Integer that follows from others, at the start
expect 1 "integer overflow at time 0: the Integer 'squared' leaves the range of 32 bits \[E1325\]" \
    sim Parts.mo --step 0.01 --stop 0.5 --set m=50000
# a counter, on the way: 2147483647 is the last
for options in "--method be" "--method rk4 --static" "--method ida"; do
    expect 1 "integer overflow at time 0.8: the Integer 'k' leaves" \
        sim Parts.mo --step 0.01 --stop 2 $options
done
# constants, with their place
cat >Folded.mo <<'M'
model Folded
  constant Integer n = 50000;
  parameter Integer m = n*n;
  parameter Integer i = integer(1e10);
end Folded;
M
expect 1 "Folded.mo:3:25: error: .* does not fit in an Integer" check Folded.mo
expect 1 "Folded.mo:4:25: error: .* does not fit in an Integer" check Folded.mo
sanitized && finish

cat >main.c <<'C'
/* Refusals leave the value; then steps until one is not fine. */
#include <math.h>
#include <stdio.h>
#include "model.h"
static model m;
static void try(const char *name, double value)
{
    int k = model_find(name), code = model_set(&m, k, value);
    printf("%s %g: %d, is %g\n", name, value, code, model_get(&m, k));
}
int main(void)
{
    model_default(&m);
    try("c", NAN); try("c", -INFINITY); try("c", 3);
    try("step", 0); try("step", -1); try("step", INFINITY); try("step", 0.01);
    try("m", 0.5); try("m", 2147483648.0); try("m", -40000);
    try("on", 2); try("on", 0); try("on", 1);
    try("start(x)", NAN);
    printf("none %d\n", model_set(&m, -1, 1));
    int status = model_start(&m), k = 0;
    while (status >= 0 && k++ < 200)
        status = model_step(&m);
    printf("step %d: %d %s\n", k, status, model_where(&m));
    try("m", 50000);
    status = model_start(&m);
    printf("start: %d %s\n", status, model_where(&m));
    return 0;
}
C
expect 0 . build Parts.mo --step 0.01 --name model --stop 0.5 -o c
"$TAKT_CC" -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror -Ic main.c c/model.c -lm -o run ||
    fail "does not compile"
./run >said
cat >want <<'T'
c nan: -1, is 2
c -inf: -1, is 2
c 3: 0, is 3
step 0: -1, is 0.01
step -1: -1, is 0.01
step inf: -1, is 0.01
step 0.01: 0, is 0.01
m 0.5: -1, is 40000
m 2.14748e+09: -1, is 40000
m -40000: 0, is -40000
on 2: -1, is 1
on 0: 0, is 0
on 1: 0, is 1
start(x) nan: -1, is 1
none -1
step 80: -2 the Integer 'k' leaves the range of 32 bits
m 50000: 0, is 50000
start: -2 the Integer 'squared' leaves the range of 32 bits
T
diff want said || fail "what NAME_set and the steps say"
finish
