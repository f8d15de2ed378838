#!/usr/bin/env bash
# The six-axis robot: its size, its mechanics against energies, its motion.
# build: release
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE" || exit 4
robot=models/gallery/SixAxisRobot.mo
command -v python3 >/dev/null || skip "python3 is needed"

works() {
    run_takt "$@"
    [ "$code" = 0 ] || { fail "takt $*: exit code $code"; head -5 "$work/err"; }
}

below() { # VALUE LIMIT TEXT
    checks=$((checks + 1))
    awk -v x="$1" -v limit="$2" 'BEGIN { exit !(x + 0 == x && x <= limit) }' ||
        fail "$3: $1, at most $2 expected"
}

# --- size: 78 states, 354 equations without tearing, about 117 with it
expect 0 '"balanced": true' check "$robot" --json
python3 - "$work/out" <<'PY' || fail "sizes"
import json, sys
d = json.load(open(sys.argv[1]))
sizes = len(d["states"]), d["difference_equations"], d["iteration_variables"]
print("states %d, equations %d, torn %d" % sizes)
sys.exit(not (sizes[0] == 78 and 350 <= sizes[1] <= 358 and 33 <= sizes[2] <= 45))
PY

# the matrix of a step has at least 342 entries, and no axis stands alone
works linearize "$robot" --at 0.4 --quiet -o "$work/linear.json"
python3 - "$work/linear.json" <<'PY' || fail "the iteration matrix"
import json, sys
d = json.load(open(sys.argv[1]))
a, x = d["A"], d["x"]
n = len(a)
count = sum(1 for i in range(n) for j in range(n) if i == j or a[i][j] != 0)
print("entries of the iteration matrix %d" % count)
full = all(a[x.index("arm.u[%d]" % i)][x.index("axis%d.gear.phi2" % k)] != 0
           for i in range(1, 7) for k in range(1, 7))
stable = all(e["re"] < 0 for e in d["eigenvalues"])
sys.exit(not (count >= 342 and full and stable))
PY

# --- mechanics: torques of a given path, energy of a free arm
cat >"$work/Arm.mo" <<'MO'
model Led "the arm on a given path"
  Takt.Robots.Arm6 arm(q(each fixed = false), u(each fixed = false));
  Takt.Rotational.Position lead[6];
equation
  for i in 1:6 loop
    lead[i].u = 0.1*i + (1.3 - 0.1*i)*sin((1 + 0.37*i)*time + 0.5*i);
    connect(lead[i].a, arm.flange[i]);
  end for;
end Led;
model Swing "the arm without drives"
  Takt.Robots.Arm6 arm(q0 = {0.1, 0.4, -0.3, 0.5, 0.7, -0.6});
end Swing;
MO
works sim "$work/Arm.mo:Led" --step 50ms --stop 2 --quiet -o "$work/led.csv"
below "$(python3 tests/support/arm_energy.py torques "$work/led.csv")" 1e-8 \
    "torques differ from those of Lagrange's equations"
works sim "$work/Arm.mo:Swing" --method ida --tolerance 1e-9 --step 50ms \
    --stop 2 --quiet -o "$work/swing.csv"
below "$(python3 tests/support/arm_energy.py energy "$work/swing.csv")" 1e-6 \
    "energy is not kept"

# --- motion: two methods agree, the joints follow, a real-time step is near
works sim "$robot" --method ida --tolerance 1e-7 --quiet -o "$work/ida.csv"
works sim "$robot" --method radau5 --step 1ms --quiet -o "$work/radau5.csv"
works sim "$robot" --method lie --step 1ms --quiet -o "$work/lie.csv"
error() { # FILE: largest error of a state over its range
    python3 - "$1" "$work/ida.csv" "$work/linear.json" <<'PY'
import csv, json, sys
a, b = (list(csv.DictReader(open(f))) for f in sys.argv[1:3])
worst = 0.0
for name in json.load(open(sys.argv[3]))["x"]:
    x, y = ([float(r[name]) for r in t] for t in (a, b))
    worst = max(worst, max(abs(p - q) for p, q in zip(x, y)) / (max(y) - min(y)))
print("%.3g" % worst)
PY
}
below "$(error "$work/radau5.csv")" 1e-4 "radau5 and ida"
below "$(error "$work/lie.csv")" 0.08 "lie and ida"
python3 - "$work/ida.csv" <<'PY' || fail "joints do not follow their path"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
worst, least = 0.0, 9.0
for i in range(1, 7):
    q = [float(r["arm.q[%d]" % i]) for r in rows]
    wanted = [float(r["axis%d.reference.q" % i]) for r in rows]
    worst = max(worst, max(abs(x - y) for x, y in zip(q, wanted)))
    least = min(least, max(q) - min(q))
print("largest error of an angle %.4f, least way %.2f rad" % (worst, least))
sys.exit(not (worst < 0.03 and least > 0.5))
PY

# --- a step: 12 sines and cosines at least
works build "$robot" --method lie --step 1ms --name robot --quiet -o "$work/c"
functions=$(sed -n '/ robot_step[_a-z0-9]*(robot/,/^}/p' "$work/c/robot.c" |
    grep -oE '\b(sin|cos)\(' | wc -l)
[ "$functions" -ge 12 ] || fail "only $functions sines and cosines per step"
# One Newton iteration from the values of t_n, derivatives too: what is kept in the
# iteration changes a step of lie in higher order only.
for view in solve keep-small keep; do
    run_takt sim "$robot" --method lie --step 0.25ms --stop 0.1 --algebraic $view \
        --filter 'axis6.position.x' --quiet -o "$work/$view.csv"
    [ "$code" = 0 ] || fail "lie with $view: $code"
    tail -1 "$work/$view.csv" | sed 's/.*,//' >>"$work/ends"
done
awk 'NR == 1 { x = $1 } { d = $1 / x - 1; if (d > 1e-6 || d < -1e-6) bad = 1 }
     END { exit bad || NR != 3 }' "$work/ends" || { fail "views differ:"; cat "$work/ends"; }

finish
