#!/usr/bin/env bash
# Misleading blocks inside large systems, looked at part by part: against the
# same model with its constraints written out. Parameters that decide the index.
# build: release
# cost: 42
source "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
own=$TAKT_SOURCE/tests/cli/index
pairs=$own/LadderPairs.mo

run_takt index "$pairs" --json
python3 - "$work/out" <<'P' || fail "index of the ladder"
import json, sys
j = json.load(open(sys.argv[1]))
parts = j['parts']
print(j['structural_index'], j['structural_states'], j['states'], len(parts))
sys.exit(not (j['structural_index'] == 1 and j['structural_states'] == 110 and
              j['states'] == 90 and j['index_at_most'] == 2 and
              len(parts) == 20 and
              all(p['differentiation_index'] == 2 for p in parts)))
P
expect 0 'wrong in 20 parts of the model, of index up to 2 by numbers.*W1708' \
    check "$pairs"
refuse 0 'W1005' check "$pairs"
# by itself, and in steps, as with the constraints written out
run_takt sim "$own/LadderReduced.mo" --method cvode --tolerance 1e-9 --step 50ms \
    --quiet -o "$work/truth.csv"
expect 0 '0 missing' sim "$pairs" --method cvode --tolerance 1e-9 --step 50ms \
    --compare "$work/truth.csv" --tube 1e-6
run_takt sim "$own/LadderReduced.mo" --static --method lie --step 10ms --quiet -o "$work/truth.csv"
run_takt sim "$pairs" --static --method lie --step 10ms --quiet -o "$work/sim.csv"
python3 - "$work/sim.csv" "$work/truth.csv" <<'P' || fail "steps of the ladder"
import csv, sys
a, b = (list(csv.DictReader(open(f))) for f in sys.argv[1:])
both = [k for k in b[0] if k in a[0]]
far = max(abs(float(x[k]) - float(y[k])) for x, y in zip(a, b) for k in both)
print(len(a), len(both), far)
sys.exit(not (len(a) == len(b) == 101 and len(both) > 110 and far < 1e-9))
P
# C has the bits of the desk
run_takt build "$pairs" --method lie --step 10ms --stop 1 --all --quiet --name model -o "$work/code"
$TAKT_CC -std=c99 -Wall -Wextra -Werror -O1 -ffp-contract=off -c "$work/code/model.c" \
    -o "$work/model.o" &&
    $TAKT_CC -O1 "-I$work/code" "$work/code/example/main.c" "$work/model.o" -lm -o "$work/run" ||
    fail "compiler"
run_takt sim "$pairs" --static --estimate off --defect off --method lie --step 10ms \
    --stop 1 --quiet --every 100 -o "$work/sim.csv"
"$work/run" 100 >"$work/values" || fail "the example failed"
same "$work/values" "$work/sim.csv" >"$work/diff" || { fail "C differs"; head -3 "$work/diff"; }

# a chain of groups that know of each other by mixtures of their unknowns: one
# way and both ways, with derivatives of each other in the rows
chain=$own/GroupChain.mo
cat >"$work/chain.py" <<'P'
import csv, sys
from math import sin, cos
rows, n, far = list(csv.DictReader(open(sys.argv[1]))), int(sys.argv[2]), 0
for r in rows:
    t = float(r['time'])
    for i in range(1, n + 1):
        p = 0.3 + 0.9 * (7 * i % 11) / 11
        c, s = cos(0.8 * t + p), sin(0.8 * t + p)
        x = [float(r['x[%d,%d]' % (i, j)]) for j in (1, 2, 3)]
        z = s * x[0] + c * x[1]
        y = c * x[0] - s * x[1], c * z - s * x[2], s * z + c * x[2]
        far = max(far, abs(y[0] - sin(t + p)), abs(y[1] - cos(t + p)),
                  abs(y[2] - cos(t + 2 * p)))
print(len(rows), far)
sys.exit(not (float(rows[-1]['time']) == 1 and far < float(sys.argv[3])))
P
for both in true false; do
    run_takt sim "$chain" --set both=$both --method cvode --tolerance 1e-9 \
        --step 50ms --quiet -o "$work/chain.csv"
    grep -q 'wrong in 26 parts of the model, of index up to 2.*W1708' "$work/err" ||
        fail "parts of the chain"
    python3 "$work/chain.py" "$work/chain.csv" 26 1e-6 || fail "chain, both ways: $both"
done
# coupled by derivatives they are one block: too large, which is said at once
for verb in sim "sim --tolerance 1e-9" "build --step 1ms -o $work/no"; do
    expect 1 'more than the 60 that are looked at.*E1710' $verb "$chain" --set d=0.05
done
expect 0 '78 equations for 78 unknowns have rank 52.*W1708' check "$chain" --set d=0.05
# a smaller block of this kind is seen, and looked at as a whole
sed 's/n = 26/n = 9/' "$chain" >"$work/GroupChain.mo"
run_takt sim "$work/GroupChain.mo" --set d=0.05 --method cvode --tolerance 1e-9 --step 50ms \
    --quiet -o "$work/chain.csv"
grep -q 'index 2 and 9 states.*W1708' "$work/err" || fail "a block of 27"
python3 "$work/chain.py" "$work/chain.csv" 9 1e-6 || fail "chain of 9"

# rows that turn too far: the array itself, by default and by name
for method in "" "--method partition"; do
    run_takt sim "$own/TurningRows.mo" $method --tolerance 1e-8 --json
    python3 - "$work/out" <<'P' || fail "turning rows $method"
import json, sys
from math import sin, cos
j = json.load(open(sys.argv[1]))
x = j['final']
sys.exit(not (j['method'] == 'partition' and abs(x['x[1]'] + sin(3)) < 1e-7 and
              abs(x['x[2]'] - cos(3)) < 1e-7 and abs(x['x[3]'] - sin(3)) < 1e-7))
P
done

# a block that determines nothing is named
expect 0 "rank 1; .* says what others say.*W1708" check "$own/LadderFree.mo"
expect 0 'structure is wrong: see the messages' index "$own/LadderFree.mo"

# index 2 for these values only: they are numbers, not data
expect 0 "other values of 'L1', 'M', 'L2'.*not tunable.*W1708" \
    check "$own/PerfectCoupling.mo"
run_takt build "$own/PerfectCoupling.mo" --step 1ms --quiet --name model -o "$work/coupling"
grep -q '\bL1\b.*;' "$work/coupling/model.h" && fail "L1 can be set in the code"
# i1 = (phi1 + 4 v)/5: phi1' = v - i1, phi2 = 2 phi1
run_takt sim "$own/PerfectCoupling.mo" --tolerance 1e-9 --json
python3 - "$work/out" <<'P' || fail "perfect coupling"
import json, sys
from math import sin
n, h, x = 2000, 1 / 2000, 0.0
f = lambda t, x: sin(3 * t) - (x + 4 * sin(3 * t)) / 5
for k in range(n):
    t = k * h
    a = f(t, x); b = f(t + h / 2, x + h / 2 * a)
    c = f(t + h / 2, x + h / 2 * b); d = f(t + h, x + h * c)
    x += h / 6 * (a + 2 * b + 2 * c + d)
got = json.load(open(sys.argv[1]))['final']['phi1']
print(got, x)
sys.exit(not abs(got - x) < 1e-6)
P
refuse 0 'W1708' check "$own/PerfectCoupling.mo" --set M=1.9

# rows that are far apart: a completion in other units
run_takt sim "$own/PicoCharges.mo" --method completion --tolerance 1e-8 --json
python3 - "$work/out" <<'P' || fail "charges of picocoulombs"
import json, sys
from math import sin, cos
x, u = json.load(open(sys.argv[1]))['final'], sin(1)
sys.exit(not (abs(x['u1'] - u) < 1e-7 and
              abs(x['q1'] / 1e-12 - u - 0.1 * u ** 3) < 1e-7 and
              abs(x['i'] / 1e-6 - cos(1) * (1 + 0.3 * u * u)) < 1e-6))
P
# kinks that it cannot pass
expect 1 '--method partition does with those' \
    sim "$TAKT_SOURCE/models/gallery/ChargePump.mo" --method completion
finish
