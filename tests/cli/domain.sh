#!/usr/bin/env bash
# A plan knows where it was made: sim, run, build and the C say what leaves it.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4
cat >M.mo <<'M'
model M
  input Real F(start = 1);
  parameter Real k = 4;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = F - k*x - v;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end M;
M
cat >plan.json <<'J'
{"takt_plan": 1, "method": "lie", "step": 0.01,
 "domain": {"stop": 2, "range": {"F": [0, 1], "k": [4, 4], "x": [-0.1, 0.4], "v": [-1, 1]}}}
J
sed 's/"stop": 2/"stop": 2, "check": false/' plan.json >silent.json

# said REGEX: the last run said it; silent: it said nothing of ranges
said() { grep -q -e "$1" err || { fail "no '$1' in:"; head -5 err; }; }
silent() { ! grep -q W1207 err || { fail "$*:"; grep W1207 err; }; }

run_takt sim M.mo --plan plan.json --static
silent "the run it was made for"
run_takt sim M.mo --plan plan.json --set F=2
said "'F' = 2 is outside what the plan was made for: 0 to 1"
said "the first at time 0.01: 'F' = 2, which was 0 to 1"
run_takt build M.mo --plan plan.json --set k=5 -o built --quiet
said "'k' = 5 is outside what the plan was made for: 4 to 4"
run_takt sim M.mo --plan plan.json --stop 3
said "the run to 3 s is longer than those the plan was made for: 2 s"
printf 'time,F\n0,1\n1,1\n1,3\n2,3\n' >in.csv
run_takt sim M.mo --plan plan.json --input in.csv --static
said "'F' = 3 is outside"
said "steps are outside what the plan was made for, the first at time 1: 'F' = 3"
run_takt sim M.mo --plan plan.json --input in.csv --static --no-domain
silent "--no-domain"
run_takt sim M.mo --plan silent.json --input in.csv --static
silent '"check": false'

# the C: status, name, no branch, and nothing of it with M_NO_DOMAIN
cat >main.c <<'C'
#include <stdio.h>
#include "M.h"
int main(void)
{
    static M m;
    M_init(&m);
    for (int k = 0; k < 100; k++)
        M_step(&m);
    printf("%d %s\n", m.status, M_where(&m));
    m.u.F = 1.5;
    M_step(&m);
    printf("%d %s %d %d\n", m.status, M_where(&m), M_fmi_status(m.status), m.status == M_OUTSIDE);
    m.u.F = 1;
    m.p.k = 5;
    M_update(&m);
    M_step(&m);
    printf("%d %s %d\n", m.status, M_where(&m), (m.causes & M_HAS_OUTSIDE) != 0);
    return 0;
}
C
run_takt build M.mo --plan plan.json -o c --quiet
for scalar in double float; do
    run_takt build M.mo --plan plan.json --scalar $scalar -o c --quiet
    "$TAKT_CC" -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror -Ic main.c c/M.c -lm -o run ||
        fail "compiler, $scalar"
    ./run >got
    printf '0 \n12 F 0 1\n12 k 1\n' | diff - got || fail "C, $scalar"
    "$TAKT_CC" -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror -DM_NO_DOMAIN -Ic main.c c/M.c -lm -o run ||
        fail "compiler without ranges, $scalar"
    ./run >got
    printf '0 \n0  0 0\n0  0\n' | diff - got || fail "C without ranges, $scalar"
done
run_takt build M.mo --plan plan.json --no-domain -o bare --quiet
! grep -q takt_beyond bare/M.c || fail "--no-domain: C looks at ranges"

run_takt run M.mo --plan plan.json --input in.csv --no-wait
said "steps\? outside what the plan was made for: F"
run_takt cost M.mo --plan plan.json --json
grep -q '"domain"' out || fail "cost has no row for ranges"
finish
