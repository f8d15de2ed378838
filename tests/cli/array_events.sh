#!/usr/bin/env bash
# Runs on derivative arrays with events, inputs and changes of the index; f in C.
# build: release
# cost: 15
source "$TAKT_SOURCE/tests/support/cli.sh"
gallery=$TAKT_SOURCE/models/gallery
own=$TAKT_SOURCE/tests/cli/index

# agree TRUTH MODEL TUBE OPTION...: the run has the course of the file
agree() {
    local truth=$1 model=$2 tube=$3
    shift 3
    expect 0 'compared with' sim "$model" --tolerance 1e-8 --compare "$truth" \
        --tube "$tube" "$@"
    grep -q 'outside' "$work/out" && fail "$model $*: outside of the tube"
    true
}
# a kick, a relation, samples: turned rows against plain ones after index
# reduction by IDA
run_takt sim "$own/KickedPlain.mo" --method ida --tolerance 1e-10 --step 0.02 \
    --quiet -o "$work/plain.csv"
for method in partition completion completion-adams; do
    agree "$work/plain.csv" "$own/Kicked.mo" 1e-5 --method $method --step 0.02
done
agree "$work/plain.csv" "$own/KickedPlain.mo" 1e-5 --method partition --step 0.02
# contact and flight, kinks without events among them
run_takt sim "$gallery/BouncingMass.mo" --method cvode --tolerance 1e-10 \
    --step 10ms --stop 0.6 --quiet -o "$work/ball.csv"
agree "$work/ball.csv" "$gallery/BouncingMass.mo" 1e-5 --method partition \
    --step 10ms --stop 0.6

# an input, and the derivative that the equations need: b = u', e' = b - e
printf 'time,u\n0,0\n0.5,1\n1,0.2\n2,0.9\n' >"$work/u.csv"
for method in partition completion; do
    run_takt sim "$own/Driven.mo" --method $method --tolerance 1e-9 \
        --input "$work/u.csv" --json
    python3 - "$work/out" <<'P' || fail "Driven by $method"
import json, sys
from math import exp
x = json.load(open(sys.argv[1]))['final']
e = 0.0
for slope, length in ((2, 0.5), (-1.6, 0.5), (0.7, 1)):
    e = slope + (e - slope) * exp(-length)
sys.exit(not (abs(x['e'] - e) < 1e-8 and abs(x['b'] - 0.7) < 1e-9
              and abs(x['a'] - 0.9) < 1e-12))
P
done
# a column for the derivative is taken instead of the slope
printf 'time,u,der(u)\n0,0,1\n2,0.9,1\n' >"$work/du.csv"
run_takt sim "$own/Driven.mo" --method partition --input "$work/du.csv" --json
python3 -c "import json,sys; sys.exit(abs(json.load(open('$work/out'))['final']['b'] - 1) > 1e-9)" ||
    fail "the column der(u) was not taken"

# two capacitors are joined where their voltages meet: index 1, then 2
run_takt sim "$own/Closing.mo" --method partition --tolerance 1e-9 --json
python3 - "$work/out" <<'P' || fail "Closing"
import json, sys
x = json.load(open(sys.argv[1]))['final']
sys.exit(not (abs(x['v1'] - 1 / 3) < 1e-8 and abs(x['v1'] - x['v2']) < 1e-12
              and abs(x['i'] - 1 / 3) < 1e-8))
P
# at another time the voltages would have to jump
expect 1 'at an event (time 0.3)' sim "$own/Closing.mo" --method partition \
    --set at=0.3
# a length that jumps: positions go on
expect 1 'event at time 0.5 contradicts.*would have to jump.*E1709' \
    sim "$own/Longer.mo" --method partition
expect 3 'delay().*U1701' sim "$own/Delayed.mo" --method partition

# equations as a C function: its source is differentiated
inc=$TAKT_SOURCE/examples/dae/PendulumInC.mo
command -v "${CXX:-c++}" >/dev/null || { echo "no C++ compiler"; finish; }
run_takt index "$inc" --external --json
python3 -c "
import json,sys; j=json.load(open('$work/out'))
sys.exit(not (j['structural_index'], j['differentiation_index'], j['uniform_index'], j['states']) == (0, 3, 3, 2))" ||
    fail "the index of a C function"
for method in partition completion; do
    run_takt sim "$inc" --external --method $method --tolerance 1e-9 \
        --step 0.1 --json
    python3 - "$work/out" $method <<'P' || fail "the solution of a C function"
import json, sys
j = json.load(open(sys.argv[1]))
x = j['final']
want = {'x': -0.59793276, 'y': -0.80154626, 'lam': 7.89350657}
bad = any(abs(x[n] - v) > 2e-8 * max(1, abs(v)) for n, v in want.items())
sys.exit(bad or (sys.argv[2] == 'partition' and j['drift'] > 1e-9))
P
done
expect 0 'chosen by takt: partition' sim "$inc" --external --stop 0.1
# every function of math.h over series, against the same model in Modelica
run_takt index "$own/FunctionsInC.mo" --external --json
cp "$work/out" "$work/c.json"
run_takt index "$own/FunctionsInModelica.mo" --json
python3 - "$work/c.json" "$work/out" <<'P' || fail "functions over series"
import json, sys
a, b = (json.load(open(f)) for f in sys.argv[1:])
for j in a, b:
    j.pop('model')
    for l in j['levels']:
        l.pop('dropped')
bad = [k for k in ('differentiation_index', 'uniform_index', 'states', 'a5') if a[k] != b[k]]
for x, y in zip(a['levels'], b['levels']):
    bad += [k for k in y if k == 'kept' and abs(x[k] - y[k]) > 1e-6 * abs(y[k]) or k != 'kept' and x[k] != y[k]]
for n, v in b['consistent']['values'].items():
    if abs(a['consistent']['values'][n] - v) > 1e-9 * max(1, abs(v)):
        bad.append(n)
print(bad)
sys.exit(bool(bad))
P
for model in FunctionsInC FunctionsInModelica; do
    run_takt sim "$own/$model.mo" --external --method partition \
        --tolerance 1e-10 --step 0.1 --json
    cp "$work/out" "$work/$model.json"
done
python3 - "$work" <<'P' || fail "a run over series"
import json, sys
a, b = (json.load(open(f'{sys.argv[1]}/Functions{x}.json'))['final'] for x in ('InC', 'InModelica'))
names = ('a', 'b', 'u', 'der(a)', 'der(b)')
far = max(abs(a[n] - b[n]) / max(1, abs(b[n])) for n in names)
print('farthest', far)
sys.exit(not far < 1e-7)
P
# no derivative by differences decides a rank: what cannot be differentiated
expect 3 "'RoughInC.f', which cannot be differentiated.*error: .*U1701" index \
    "$own/RoughInC.mo" --external
expect 3 'finite differences, which decide no ranks' index "$own/RoughInC.mo" \
    --external
CXX=/nowhere/c++ expect 3 'no C++ compiler.*U1701' index "$inc" --external
finish
