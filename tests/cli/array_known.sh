#!/usr/bin/env bash
# Runs on derivative arrays against exact solutions, and against equations
# reduced by hand: end values, and all constraints along the way.
# build: release
# cost: 12
source "$TAKT_SOURCE/tests/support/cli.sh"
gallery=$TAKT_SOURCE/models/gallery
own=$TAKT_SOURCE/tests/cli/index

# known MODEL METHOD [TOLERANCE [STOP [STEP]]]: end values to 1e-6, and with partition
# all constraints to 1e-9 of their terms
known() {
    run_takt sim "$1" --method "$2" --tolerance "${3:-1e-9}" --step "${5:-0.1}" \
        --stop "${4:-1}" --json
    [ "$code" = 0 ] || { fail "$1 by $2: exit code $code"; return; }
    python3 - "$work/out" "$(basename "$1" .mo)" "$2" <<'P' || fail "$1 by $2"
import json, sys
from math import sin, cos, exp, asin

def run(f, x, stop, n=2000):  # Runge-Kutta, far more exact than is asked for
    h, t = stop / n, 0.0
    add = lambda x, a, k: [p + a * q for p, q in zip(x, k)]
    for _ in range(n):
        a = f(t, x)
        b = f(t + h / 2, add(x, h / 2, a))
        c = f(t + h / 2, add(x, h / 2, b))
        d = f(t + h, add(x, h, c))
        x = [p + h / 6 * (i + 2 * j + 2 * k + l)
             for p, i, j, k, l in zip(x, a, b, c, d)]
        t += h
    return x

def pendulum(theta, omega, stop):
    th, om = run(lambda t, x: [x[1], -9.81 * sin(x[0])], [theta, omega], stop)
    return {'x': sin(th), 'y': -cos(th), 'vx': om * cos(th), 'vy': om * sin(th),
            'lam': om * om + 9.81 * cos(th)}

def coupling(stop):
    current = lambda t, psi: (psi / (1 + 0.3 * sin(t)) + 4 * sin(3 * t)) / 5
    psi, = run(lambda t, x: [sin(3 * t) - current(t, x[0])], [0.0], stop)
    i1 = current(stop, psi)
    return {'phi1': psi, 'i1': i1, 'i2': 2 * i1 - 2 * sin(3 * stop)}

def loop(stop):
    g = lambda t: 1 + 0.5 * cos(t)
    w, v3 = run(lambda t, x: [-g(t) * x[1], g(t) * x[0] - x[1]], [1.0, 0.0], stop)
    return {'v1': w + sin(stop), 'v2': sin(stop), 'v3': v3}

def hidden(stop):  # a = b + cos t
    b, = run(lambda t, x: [exp(-t) - x[0] - cos(t)], [0.0], stop)
    return {'b': b, 'a': b + cos(stop),
            'c': exp(-stop) - cos(stop) - sin(stop)}

e1 = exp(-1)
mass = 1 + e1 / 2 - 0.5 * exp(-1 / 3)
known = {
    'PrescribedChain': {'x1': e1, 'x2': -e1, 'x3': e1},
    'PrescribedChain4': {'x2': 0.46573989170158392851,
                         'x3': -0.9223833346970746667,
                         'u': -0.28423127561436147936},
    'Hessenberg5': {'x[1]': sin(1), 'x[2]': cos(1)},
    'Hessenberg6': {'x[1]': sin(1), 'x[2]': cos(1)},
    'RotatedHessenberg4': {'x1': sin(1), 'x3': -sin(1),
                           'u': -cos(1) / (1 + 0.1 * sin(1) ** 2)},
    'MixedIndex3': {'x1': sin(2), 'x2': 2 * cos(2), 'r': -4 * sin(2)},
    'MixedIndex5': {'x1': sin(1), 'x4': -cos(1),
                    'u': sin(1) / (1 + 0.1 * cos(1) ** 2)},
    'MixedByStates': {'a': e1, 'b': sin(1), 'c': 0.0},
    'TightCoupling': lambda: coupling(1),
    'DependentMass': {'x': mass, 'y': 2 * mass - 1 - e1},
    'VaryingMass': {'x': 0.0, 'y': 1.0, 'z': e1},
    'CurrentLoop': lambda: loop(1),
    'HiddenConstraint': lambda: hidden(1),
    'CampbellGear': {'y1': sin(1), 'y2': cos(1), 'y3': 0.0},
    'ChargePump': {'u1': 0.0, 'u2': 0.0, 'u3': 0.0}, # charge is kept
    'RotatedPendulum': lambda: pendulum(asin(0.6), 0.0, 1),
    'TurningPendulum': lambda: pendulum(asin(0.6), 8.0, 2),
    'Pendulum': {'x': 0.8190646817017471, 'y': -0.5737011828372116,
                 'vx': -2.2787717867098576, 'lam': 23.66581341614346},
    'TransistorAmplifier': {
        'e[1]': -0.005562145012262709, 'e[2]': 3.006522471903042,
        'e[4]': 2.926422536206241, 'e[5]': 2.704617865010554,
        'e[8]': 1.236995868091548},
    'Andrews': {'be': 15.810771195153707, 'th': -15.756371058411839,
                'vbe': 1139.9203022591062, 'vth': -1424.3792951775401,
                'vga': 11.03291191061848, 'la[1]': 199.1753481040526},
}[sys.argv[2]]
known = known() if callable(known) else known
j = json.load(open(sys.argv[1]))
bad = False
for name, want in known.items():
    x = j['final'][name]
    if not abs(x - want) <= 1e-6 * max(1, abs(want)):
        print(name, x, 'instead of', want)
        bad = True
if sys.argv[3] == 'partition' and not j['drift'] < 1e-9:
    print('constraints are left over by', j['drift'])
    bad = True
sys.exit(bad)
P
}
for method in partition completion completion-adams; do
    for model in PrescribedChain PrescribedChain4 HiddenConstraint \
        RotatedPendulum; do
        known "$gallery/$model.mo" $method
    done
    for model in Hessenberg5 Hessenberg6 RotatedHessenberg4 MixedIndex3 \
        MixedIndex5 MixedByStates TightCoupling DependentMass VaryingMass CurrentLoop CampbellGear; do
        known "$own/$model.mo" $method
    done
done
known "$own/TurningPendulum.mo" partition 1e-9 2
known "$gallery/Pendulum.mo" partition 1e-10 2.3
sanitized || known "$gallery/TransistorAmplifier.mo" partition 1e-9 0.2
sanitized || known "$gallery/Andrews.mo" partition 1e-10 0.03
# kinks without events in which second derivatives are infinite: rows that need
# none are enough
sanitized || known "$gallery/ChargePump.mo" partition 1e-9 1.2e-6 2.4e-9

# saved MODEL TOLERANCE STEP: old factors save at least half of the work at end
# values that differ as the tolerance allows (1e3 times what a step may be off)
saved() {
    local with="--method partition --tolerance $2 --step $3 --json"
    run_takt sim "$1" $with
    cp "$work/out" "$work/on"
    run_takt sim "$1" $with --reuse off
    python3 - "$work/on" "$work/out" "$2" <<'P' || fail "$1: factors are made too often"
import json, sys
on, off = (json.load(open(f)) for f in sys.argv[1:3])
far = max(abs(x - off['final'][n]) / max(1, abs(x))
          for n, x in on['final'].items() if not n.startswith(('a', 'la')))
print(on['jacobians'], off['jacobians'], far)
sys.exit(not (2 * on['jacobians'] <= off['jacobians'] and far < 1e3 * float(sys.argv[3])))
P
}
saved "$own/Hessenberg5.mo" 1e-8 0.1
sanitized || saved "$gallery/Andrews.mo" 1e-6 0.03
# rows that are left out: the same end with less than half of them
for rows in needed all; do
    run_takt sim "$gallery/Pendulum.mo" --method partition --tolerance 1e-9 \
        --step 0.1 --rows $rows --json
    cp "$work/out" "$work/$rows"
done
python3 - "$work/needed" "$work/all" <<'P' || fail "rows that are left out"
import json, sys
few, all = (json.load(open(f)) for f in sys.argv[1:3])
far = max(abs(x - all['final'][n]) for n, x in few['final'].items() if n in ('x', 'y', 'vx'))
print(few['rows'], all['rows'], few['flops'], all['flops'], far)
sys.exit(not (2 * few['rows'] < all['rows'] == all['all_rows'] and far < 1e-6
              and 8 * few['flops'] < all['flops'] and few['drift'] < 1e-9))
P
expect 2 '--rows needs --method partition' sim "$own/Hessenberg5.mo" --rows all
expect 2 '--reuse needs --method completion' sim "$own/Hessenberg5.mo" --reuse off
finish
