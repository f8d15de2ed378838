#!/usr/bin/env bash
# Clocks: values at ticks are those of recursions written by hand, with clocks
# that are sub-sampled, super-sampled and shifted; an event clock ticks at its
# events; a partition with a solverMethod is its difference equation; the rates
# of a drive run as scheduled, and its C is what sim --static computes.
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
cd "$work" || exit 4

cat >Rates.mo <<'MO'
model Rates
  Clock c = Clock(1, 50);
  Real u(start = 0), x(start = 1), y(start = 0), f(start = 3), g(start = 7), b(start = -1), z(start = 2), s, q(start = 9);
  Integer n(start = 0);
  Boolean first;
  Real h;
equation
  u = sample(time, c);
  x = previous(x)/2 + u*u - y;
  y = previous(y) + previous(x)/10;
  when c then
    n = previous(n) + 1;
    first = firstTick();
    h = interval();
  end when;
  f = previous(f)*0.75 + subSample(x, 3);
  g = previous(g) + superSample(f, 6)/8;
  b = shiftSample(y, 2, 4) + 1;
  s = subSample(y, 5);
  q = superSample(subSample(x, 3), 3);
  z = previous(z) - backSample(shiftSample(s, 1), 1);
end Rates;
MO
# ticks at i/100 s: g every one, x every second, b from the second on, f every
# sixth, s and z every tenth; q has the value of every third x
awk 'BEGIN {
    x = 1; y = 0; f = 3; g = 7; b = -1; z = 2; n = 0; s = 0
    for (i = 0; i <= 200; i++) {
        if (i % 2 == 0) {
            u = i / 2 * 0.02; x0 = x; y0 = y
            y = y0 + x0 / 10; x = x0 / 2 + u * u - y
            n++
        }
        if (i % 6 == 0) { f = f * 0.75 + x; q = x }
        if (i % 1 == 0) g = g + f / 8
        if (i >= 1 && (i - 1) % 2 == 0) b = y + 1
        if (i % 10 == 0) { s = y; if (i > 0) z = z - s } # the shifted s ticks from the second on
        printf "%.4f %.12g %.12g %d %.12g %.12g %.12g %.12g %.12g\n", i / 100, x, y, n, f, g, b, z, q
    }
}' >hand
for how in "" --static "--events exact"; do
    # shellcheck disable=SC2086
    run_takt sim Rates.mo --step 10ms --stop 2 $how -o rates.csv
    [ "$code" = 0 ] || { fail "sim $how: $code"; head -3 "$work/err"; continue; }
    python3 - rates.csv hand <<'PY' || fail "clocks $how are not the recursion"
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
at = {n: i for i, n in enumerate(rows[0])}
hand = [l.split() for l in open(sys.argv[2])]
assert len(hand) == len(rows) - 1, (len(hand), len(rows))
for r, h in zip(rows[1:], hand):
    for k, name in enumerate(["time", "x", "y", "n", "f", "g", "b", "z", "q"]):
        a, e = float(r[at[name]]), float(h[k])
        assert abs(a - e) <= 1e-9 * (1 + abs(e)), (name, r[0], a, e)
PY
done

# an event clock: ticks when a condition rises; the interval is measured
cat >Events.mo <<'MO'
model Events
  Real phi(start = 0, fixed = true);
  Boolean up = sin(phi) > 0.5;
  Clock c = Clock(up, 0.25);
  Real t(start = -1), dt(start = 0);
  Integer n(start = 0);
  Integer k(start = 0);
equation
  der(phi) = 10;
  when c then
    n = previous(n) + 1;
    t = sample(time);
    dt = interval(n);
  end when;
  k = subSample(n, 2);
end Events;
MO
run_takt sim Events.mo --method rk4 --step 1ms --stop 3 --events exact -o events.csv
[ "$code" = 0 ] || { fail "events: $code"; head -3 "$work/err"; }
python3 - events.csv <<'PY' || fail "the event clock does not tick at its events"
import csv, math, sys
rows = list(csv.reader(open(sys.argv[1])))
at = {n: i for i, n in enumerate(rows[0])}
for r in rows[1:]:
    time, n = float(r[0]), int(r[at["n"]])
    ticks = [(math.asin(0.5) + 2 * math.pi * k) / 10 for k in range(6)]
    past = [x for x in ticks if x <= time + 1e-9]
    assert n == len(past), (time, n)
    assert int(r[at["k"]]) == (n if n % 2 else n - 1) * (n > 0), (time, n, r[at["k"]])
    if n:
        assert abs(float(r[at["t"]]) - past[-1]) < 1e-6
        want = past[-1] - past[-2] if n > 1 else 0.25
        assert abs(float(r[at["dt"]]) - want) < 1e-6, (time, r[at["dt"]], want)
PY

# an event clock whose condition asks for what its ticks change
cat >Shaft.mo <<'MO'
model Shaft
  Real phi(start = 0, fixed = true);
  Clock c = Clock(phi - hold(last) >= 0.7);
  Real last(start = 0);
  Integer n(start = 0);
equation
  der(phi) = 3 + time;
  when c then
    last = sample(phi);
    n = previous(n) + 1;
  end when;
end Shaft;
MO
for how in "--method rk4 --step 1ms --events exact" "--method rk4 --step 1ms --static"; do
    # shellcheck disable=SC2086
    run_takt sim Shaft.mo $how --stop 3 -o shaft.csv
    [ "$code" = 0 ] || { fail "shaft $how: $code"; head -3 "$work/err"; }
    python3 - shaft.csv "$how" <<'PY' || fail "a clock does not tick after each part of a turn ($how)"
import csv, sys
late = 0.006 if "static" in sys.argv[2] else 1e-5 # at most a step after the event
for r in csv.DictReader(open(sys.argv[1])):
    phi, last, n = float(r["phi"]), float(r["last"]), int(float(r["n"]))
    assert -1e-9 <= last - 0.7*n <= late*(n + 1), r
    assert phi - last <= 0.7 + late, r
PY
done

# a varying interval: the counter says when the next tick is
cat >Varying.mo <<'MO'
model Varying
  Integer next(start = 1), n(start = 0);
equation
  when Clock(next, 100) then
    n = previous(n) + 1;
    next = previous(next) + 1;
  end when;
end Varying;
MO
run_takt sim Varying.mo --step 10ms --stop 1 -o varying.csv
[ "$code" = 0 ] || { fail "varying: $code"; head -3 "$work/err"; }
python3 - varying.csv <<'PY' || fail "the intervals do not vary as the counter says"
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
at = {n: i for i, n in enumerate(rows[0])}
seen, count = [], 0
for r in rows[1:]:
    if int(r[at["n"]]) != count:
        count = int(r[at["n"]])
        seen.append(round(float(r[0]) * 100))
assert seen == [0, 2, 5, 9, 14, 20, 27, 35, 44, 54, 65, 77, 90], seen
PY

# solverMethod: the difference equations of 16.8, those of the language and
# takt's own, on a partition that is not linear, with an algebraic variable, an
# input that varies and one that does not
for method in External ExplicitEuler ExplicitMidPoint2 ExplicitRungeKutta4 ImplicitEuler ImplicitTrapezoid Rosenbrock1 \
    rk3 radau3 radau5 lobatto4 sdirk4; do
    cat >Solver.mo <<MO
model Solver
  Clock c = Clock(Clock(0.1), solverMethod = "$method");
  Real x(start = 1), v(start = 0), y(start = 1), e(start = 1), u;
  Integer n(start = 0), ticks(start = 0);
equation
  when Clock(0.1) then
    ticks = previous(ticks) + 1;
    n = mod(ticks, 3);
  end when;
  when c then
    u = sample(time);
    e = exp(x/3) + 0.1*u;
    der(x) = v;
    der(v) = -4*x*e - 0.5*v + u + 0.2*subSample(n, 1) + 0.1*time;
  end when;
  y = hold(x);
end Solver;
MO
    run_takt sim Solver.mo --step 50ms --stop 3 -o solver.csv
    [ "$code" = 0 ] || { fail "$method: $code"; head -3 "$work/err"; continue; }
    python3 - solver.csv $method <<'PY' || fail "$method is not its difference equation"
import csv, math, sys
rows = list(csv.reader(open(sys.argv[1])))
at = {n: i for i, n in enumerate(rows[0])}
r6, r5 = math.sqrt(6), math.sqrt(5)
T = {  # a, b, c
    "ExplicitEuler": ([[0]], [1], [0]),
    "ExplicitMidPoint2": ([[0, 0], [.5, 0]], [0, 1], [0, .5]),
    "ExplicitRungeKutta4": ([[0]*4, [.5, 0, 0, 0], [0, .5, 0, 0], [0, 0, 1, 0]], [1/6, 1/3, 1/3, 1/6], [0, .5, .5, 1]),
    "ImplicitEuler": ([[1]], [1], [1]),
    "ImplicitTrapezoid": ([[0, 0], [.5, .5]], [.5, .5], [0, 1]),
    "rk3": ([[0]*3, [.5, 0, 0], [-1, 2, 0]], [1/6, 2/3, 1/6], [0, .5, 1]),
    "radau3": ([[5/12, -1/12], [.75, .25]], [.75, .25], [1/3, 1]),
    "radau5": ([[(88-7*r6)/360, (296-169*r6)/1800, (-2+3*r6)/225],
                [(296+169*r6)/1800, (88+7*r6)/360, (-2-3*r6)/225],
                [(16-r6)/36, (16+r6)/36, 1/9]], [(16-r6)/36, (16+r6)/36, 1/9], [(4-r6)/10, (4+r6)/10, 1]),
    "lobatto4": ([[1/6, -1/3, 1/6], [1/6, 5/12, -1/12], [1/6, 2/3, 1/6]], [1/6, 2/3, 1/6], [0, .5, 1]),
    "sdirk4": ([[.25, 0, 0, 0, 0], [.5, .25, 0, 0, 0], [17/50, -1/25, .25, 0, 0],
                [371/1360, -137/2720, 15/544, .25, 0], [25/24, -49/48, 125/16, -85/12, .25]],
               [25/24, -49/48, 125/16, -85/12, .25], [.25, .75, 11/20, .5, 1]),
}
def f(x, v, t, u, n):
    return v, -4*x*(math.exp(x/3) + .1*u) - .5*v + u + .2*n + .1*t
def solve(A, b):
    n = len(b)
    M = [list(A[i]) + [b[i]] for i in range(n)]
    for i in range(n):
        p = max(range(i, n), key=lambda k: abs(M[k][i])); M[i], M[p] = M[p], M[i]
        for k in range(n):
            if k != i:
                q = M[k][i]/M[i][i]
                M[k] = [z - q*w for z, w in zip(M[k], M[i])]
    return [M[i][n]/M[i][i] for i in range(n)]
h, name = .1, sys.argv[2]
x, v = 1.0, 0.0
num = lambda i: (i + 1) % 3
for i in range(31):
    t1 = .1*i
    if i and name in T:
        a, b, c = T[name]
        s, t0 = len(b), t1 - h
        K = [list(f(x, v, t0, t0, num(i - 1))) for _ in b]
        # the stage at the last tick has the values of that tick; others: Newton on K
        args = [(t0 + c[j]*h, (1 - c[j])*t0 + c[j]*t1, num(i) if c[j] >= 1 else num(i - 1)) for j in range(s)]
        def residual(z):
            out = []
            for j in range(s):
                X = x + h*sum(a[j][k]*z[2*k] for k in range(s)), v + h*sum(a[j][k]*z[2*k + 1] for k in range(s))
                g = f(*X, *args[j])
                out += [z[2*j] - g[0], z[2*j + 1] - g[1]]
            return out
        z = [q for k in K for q in k]
        for _ in range(12):
            R = residual(z)
            J = [[0]*len(z) for _ in z]
            for k in range(len(z)):
                dz = list(z); dz[k] += 1e-6
                for m, q in enumerate(residual(dz)):
                    J[m][k] = (q - R[m])/1e-6
            d = solve(J, [-q for q in R])
            z = [p + q for p, q in zip(z, d)]
        x, v = x + h*sum(b[j]*z[2*j] for j in range(s)), v + h*sum(b[j]*z[2*j + 1] for j in range(s))
    elif i:
        # one Newton iteration of backward Euler from the last tick; the
        # algebraic variable is linear in exp(x/3), so it is eliminated exactly
        e0 = last_e
        d = .5
        # unknowns dx, dv, de: changes; k = changes/h
        # e - exp(x/3) - .1 u = 0 linearised at x_n
        J = [[1, -h, 0],
             [h*4*e0, 1 + h*.5, h*4*x],
             [-math.exp(x/3)/3, 0, 1]]
        R = [h*v, h*(-4*x*e0 - .5*v + t1 + .2*num(i) + .1*t1), math.exp(x/3) + .1*t1 - e0]
        dx, dv, de = solve(J, R)
        x, v, last_e = x + dx, v + dv, e0 + de
    if i == 0:
        last_e = math.exp(x/3)
    r = rows[1 + 2*i]
    assert abs(float(r[at["y"]]) - x) < 1e-8, (name, t1, r[at["y"]], x)
PY
done

# states that depend on each other: two wheels on a shaft are one, a mass on a
# rope over a wheel moves with it; the partition is that of the reduced model
for method in ExplicitEuler ImplicitEuler ExplicitRungeKutta4 Rosenbrock1 radau5; do
    cat >Tied.mo <<MO
model Tied
  Clock c = Clock(Clock(1, 50), solverMethod = "$method");
  parameter Real J1 = 0.2, J2 = 0.5, m = 0.3, r = 0.7, d = 0.4;
  Real u = sample(sin(5*time), c);
  Real phi1(start = 0.1, fixed = true), phi2, w1(start = 0.2, fixed = true), w2, s, v, t, f;
  Real phi(start = 0.1, fixed = true), w(start = 0.2, fixed = true);
equation
  der(phi1) = w1;
  der(phi2) = w2;
  phi1 = phi2;
  J1*der(w1) = u - t + f*r;
  J2*der(w2) = t - d*w2*abs(w2);
  s = -r*phi1 + 3;
  der(s) = v;
  m*der(v) = f - 9.81*m;
  der(phi) = w;
  (J1 + J2 + m*r^2)*der(w) = u + 9.81*m*r - d*w*abs(w);
end Tied;
MO
    for how in "" --static; do
        # shellcheck disable=SC2086
        run_takt sim Tied.mo --step 10ms --stop 2 $how -o tied.csv
        [ "$code" = 0 ] || { fail "tied $method $how: $code"; head -3 "$work/err"; continue; }
        python3 - tied.csv <<'PY' || fail "tied states with $method $how"
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
at = {n: i for i, n in enumerate(rows[0])}
for r in rows[1:]:
    x = {n: float(r[i]) for n, i in at.items()}
    for a, b in (("phi1", "phi"), ("phi2", "phi"), ("w1", "w"), ("w2", "w")):
        assert abs(x[a] - x[b]) < 1e-9, (r[0], a, x[a], x[b])
    assert abs(x["s"] + 0.7*x["phi"] - 3) < 1e-9 and abs(x["v"] + 0.7*x["w"]) < 1e-9, r[0]
assert abs(float(rows[-1][at["phi"]])) > 0.5
PY
    done
done

# what a tick of each rate costs, and the steps of a cycle
run_takt cost "$TAKT_SOURCE/models/gallery/MultiRateDrive.mo" --step 50us --json
[ "$code" = 0 ] || { fail "cost: $code"; head -3 "$work/err"; }
python3 - "$work/out" <<'PY' || fail "the cost of rates is wrong"
import json, sys
c = json.load(open(sys.argv[1]))
rates = {round(r["interval"], 9): r["instructions"] for r in c["rates"]}
assert sorted(rates) == [5e-05, 0.001, 0.1], rates
steps = c["cycle"]["instructions"]
assert c["cycle"]["steps"] == 2000
assert steps["worst"] == c["instructions"]
assert steps["least"] == steps["worst"] - rates[0.1] - rates[0.001]
mean = steps["least"] + rates[0.001]/20 + rates[0.1]/2000
assert abs(steps["mean"] - mean) < 1e-9*mean, (steps, mean)
PY

# the drive: each rate changes at its own ticks only, and C is sim --static
model=$TAKT_SOURCE/models/gallery/MultiRateDrive.mo
run_takt sim "$model" --method rk4 --step 50us --stop 0.4 -o drive.csv
[ "$code" = 0 ] || { fail "drive: $code"; head -3 "$work/err"; }
python3 - drive.csv <<'PY' || fail "the rates of the drive are not as scheduled"
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
at = {n: i for i, n in enumerate(rows[0])}
last, changes = rows[1], {}
for k, r in enumerate(rows[2:], 1):
    for name, every in (("ic", 1), ("ws", 20), ("Ts", 2000)):
        if r[at[name]] != last[at[name]]:
            assert k % every == 0, (name, k)
            changes[name] = changes.get(name, 0) + 1
    last = r
assert changes["ic"] > 5000 and changes["ws"] > 250 and changes["Ts"] >= 2, changes
PY
run_takt build "$model" --method lie --step 50us --all --quiet --name model -o c
[ "$code" = 0 ] || { fail "build: $code"; head -3 "$work/err"; }
run_takt sim "$model" --static --method lie --step 50us --stop 0.5 --quiet --every 10000 -o static.csv
[ "$code" = 0 ] || fail "static: $code"
if ! sanitized; then
    "$TAKT_CC" -std=c99 -Wall -Wextra -pedantic -Werror -O1 -ffp-contract=off -c c/model.c -o c/model.o 2>cc.txt ||
        { fail "compiler"; head -5 cc.txt; }
    "$TAKT_CC" -O1 -Ic c/example/main.c c/model.o -lm -o c/run || fail "example"
    ./c/run 10000 >values || fail "the example failed"
    same values static.csv >diff || { fail "C differs:"; head -3 diff; }
    # 40 steps, two of them with the speed loop: two counts of instructions
    bash "$TAKT_SOURCE/bench/count_steps.sh" "$model" 40 \
        --step 50us >counts 2>"$work/err" || { fail "counts"; head -3 "$work/err"; }
    awk '{ least = $2; mean = $3; worst = $4 }
        END { d = mean - (least + (worst - least)*2/40)
              exit !(least > 0 && worst > least && d < 1 && d > -1) }' counts ||
        { fail "the work of rates is not constant:"; cat counts; }
fi
finish
