#!/usr/bin/env bash
# takt tune: candidates, plans that are obeyed, refusals, bad input.
# build: release
# cost: 30
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4
gallery=$TAKT_SOURCE/models/gallery

# field KEY FILE: the first value under a key of JSON
field() { tr -d ' \t\n' <"$2" | sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }

# --- the main job
expect 0 'nothing was written' tune "$gallery/MotorDrive.mo" --step 0.1ms --only given --attack 0
[ -z "$(ls ./*.json ./*.html 2>/dev/null)" ] || fail "files that nobody asked for"
expect 0 '^recommended: ' tune "$gallery/MotorDrive.mo" --step 0.1ms -o MotorDrive.plan.json --html MotorDrive.tune.html
[ -s MotorDrive.plan.json ] || fail "no plan"
[ -s MotorDrive.tune.html ] || fail "no report"
grep -q 'Eigenvalues of the step' MotorDrive.tune.html || fail "report without eigenvalues"
grep -q '"evidence"' MotorDrive.plan.json || fail "plan without evidence"
expect 0 'steps' sim "$gallery/MotorDrive.mo" --plan MotorDrive.plan.json
expect 0 'per step:' build "$gallery/MotorDrive.mo" --plan MotorDrive.plan.json -o code
expect 0 'in all' cost "$gallery/MotorDrive.mo" --plan MotorDrive.plan.json

# the same input gives the same bytes
cp MotorDrive.plan.json first.json
expect 0 '^recommended: ' tune "$gallery/MotorDrive.mo" --step 0.1ms -o MotorDrive.plan.json
cmp -s MotorDrive.plan.json first.json || fail "two runs, two plans"

# --- JSON
expect 0 '"chosen"' tune "$gallery/MotorDrive.mo" --step 0.1ms --json --only sparsing
cp out j.json 2>/dev/null || cp "$work/out" j.json
for key in candidates instructions largest_block nnz factor_nnz eigenvalue_change \
    spectral_radius modes deviation_percent certificate indicators d_2_corrected chosen why; do
    grep -q "\"$key\"" j.json || fail "JSON without $key"
done

# --- a sparsed plan: cuts are obeyed, the step is cheaper
expect 0 'recommended: sparsed 0.05' tune "$gallery/MotorDrive.mo" --step 0.1ms --only sparsing \
    --rho 0.05 --choose 'sparsed 0.05' -o sparsed.json --html s.html
grep -q '"sparsed"' sparsed.json || fail "no cut in the sparsed plan"
"$TAKT" cost "$gallery/MotorDrive.mo" --plan sparsed.json --json >cut.json || fail "cost of the plan"
"$TAKT" cost "$gallery/MotorDrive.mo" --method lie --step 0.1ms --json >full.json || fail "cost"
[ "$(field mul cut.json)" -lt "$(field mul full.json)" ] || fail "the sparsed step is not cheaper"

# --- by cost: never more instructions than Schiela's rule
for model in MotorDrive ExhaustPipe QuarterCar; do
    run_takt tune "$gallery/$model.mo" --only sparsing --rho 0.1 --rho 0.5 -o c.json --html c.html
    awk '/ sparsed [0-9.]+ / && !/by cost/ { for (i = 1; i <= NF; i++) if ($i == "sparsed") { rule = $(i + 2); next } }
         / sparsed [0-9.]+, by cost/ { for (i = 1; i <= NF; i++) if ($i == "cost") { n++; if ($(i + 1) > rule) bad++ } }
         END { exit bad > 0 || n != 2 }' "$work/out" || fail "$model: by cost is dearer"
done

# --- entries that no eigenvalue needs but the outputs do: a chain that follows
cat >Follow.mo <<'END'
model Follow
  Real r(start = 0, fixed = true) "What is followed";
  Real x[4](each start = 0, each fixed = true);
  output Real y = x[4];
equation
  der(r) = 3*cos(3*time);
  der(x[1]) = 40*(r - x[1]);
  for i in 2:4 loop
    der(x[i]) = 40*(x[i - 1] - x[i]);
  end for;
  annotation(experiment(StopTime = 2));
end Follow;
END
# follow PERCENT: a row of the plan by Schiela's rule
follow() {
    expect 0 'sparsed 0.1 ' tune Follow.mo --step 5ms --only sparsing --rho 0.1 --deviation "$1" -o f.json --html f.html
    cp "$work/out" "follow$1.txt"
    "$TAKT" tune Follow.mo --step 5ms --only sparsing --rho 0.1 --deviation "$1" --choose 'sparsed 0.1' \
        --json -o f.json --html f.html >"follow$1.json" || fail "tune --deviation $1 --json"
}
# number KEY FILE: of the plan
number() { sed -n '/"name":[ \t]*"sparsed 0.1"/,/"verdict"/p' "$2" | field "$1" /dev/stdin; }
follow 20
follow 2
grep -q 'kept though no eigenvalue' follow2.txt || fail "no word about the entries held"
grep -q 'int(x\[4\]),x\[3\]' follow2.txt || fail "the entries held are not named"
grep -q 'kept though no eigenvalue' f.html || fail "the report does not name them"
grep -q 'kept though' follow20.txt && fail "entries held though the outputs may stray"
awk -v far="$(number deviation_percent follow20.json)" -v near="$(number deviation_percent follow2.json)" \
    -v seen="$(number estimated_drift_percent follow20.json)" \
    'BEGIN { exit !(far > 2 && near < 2 && seen > 0.8 * far && seen < 1.2 * far) }' ||
    fail "deviation: $(number deviation_percent follow20.json), estimated $(number estimated_drift_percent follow20.json), held $(number deviation_percent follow2.json)"

# --- two plans
expect 0 'cuts' tune --compare sparsed.json MotorDrive.plan.json
expect 2 'takes two plans' tune --compare sparsed.json
expect 1 'E12' tune --compare sparsed.json "$gallery/MotorDrive.mo"

# --- scenarios, spread, budget, outputs
printf 'time,u\n0,1\n1,2\n' >u.csv
expect 0 '^recommended: ' tune "$gallery/MotorDrive.mo" --step 0.1ms --only mixed \
    --spread fan.J=0.1 --samples 6 --seed 3 --output fan.w -o x.json --html x.html
grep -q '"spread"' x.json || fail "the plan does not say what was sampled"
expect 1 'E1509' tune "$gallery/MotorDrive.mo" --step 0.1ms --only mixed --budget 3 -o no.json --html no.html
[ ! -e no.json ] || fail "a plan although none is acceptable"

# --- a plan that is given is judged as it is, against the uncut model: the cut
# of a stiff entry leaves explicit Euler as stable as it was
cat >Stiff.mo <<'END'
model Stiff
  Real x(start = 1, fixed = true), y(start = 1, fixed = true);
  output Real z = y;
equation
  der(x) = -1000*x + y;
  der(y) = x - y;
  annotation(experiment(StopTime = 1));
end Stiff;
END
cat >stiff.json <<'END'
{"takt_plan": 1, "method": "lie", "algebraic": "solve",
 "cuts": [{"kind": "sparsed", "eq": "int(x)", "var": "x"}]}
END
expect 0 'explicit Euler is stable up to a step of 0.002 s' tune Stiff.mo --step 10ms --plan stiff.json \
    --attack 0 -o g.json --html g.html
grep -q '^[ *<]* given .*a mode grows' "$work/out" || fail "the plan given is not refuted"
grep -q '^[ *<]* explicit .*a mode grows' "$work/out" || fail "explicit Euler is not refuted"
grep -q 'by magnitude' "$work/out" || fail "no row by Nowak's rule"
grep -q 'd_S.*d_1.*d_2.*d_2c.*d_r.*least.*C1.*C2' "$work/out" || fail "no indicators of the plan given"
[ "$(grep -c 'd_1 > C1' "$work/out")" = 20 ] || fail "the indicators do not refuse it in every sample"
run_takt tune Stiff.mo --step 10ms --plan stiff.json --only given --attack 0 --json -o g.json --html g.html
for key in given d_2_over_root_m fits_c_1 proof ringing product_ratio front; do
    grep -q "\"$key\"" "$work/out" || fail "JSON of a given plan without $key"
done
# a delay has no place in the matrix, its proof has: norm and radius both
run_takt tune "$gallery/CoupledPendulums.mo" --step 10ms --only delay --attack 0 --json -o g.json --html g.html
grep -q '"norm"' "$work/out" && grep -q '"step_radius"' "$work/out" || fail "a delay without norm and radius"
grep -q '"eigenvalue_change".*null' "$work/out" && ! grep -q '"proof"' "$work/out" && fail "a row without a proof"

# --- the limit never inflates
expect 1 'even the full step strays' tune "$gallery/VanDerPol.mo" --step 0.2 --only mixed --attack 0 -o no.json --html no.html
grep -q 'take --step' "$work/out" "$work/err" 2>/dev/null || fail "no smaller step is proposed"
[ ! -e no.json ] || fail "a plan although the full step is beyond the limit"

# --- states are old where they make coefficients (angles in a mass matrix, speeds in products, a
# sum of speeds that enters products only), and nowhere else: not in springs and controllers
cat >Arm.mo <<'M'
model Arm "two links, the first on an elastic drive"
  input Real u(start = 5, min = -10, max = 10);
  parameter Real m = 2 "payload";
  Real q1(start = 0.3, fixed = true), q2(start = 0.4, fixed = true), w1(start = 0, fixed = true), w2(start = 0, fixed = true);
  Real p1(start = 0.3, fixed = true), n1(start = 0, fixed = true), a1, a2, f, r, s;
  output Real y1 = q1, y2 = q2;
equation
  s = w1 + w2 "#1: angular velocity of the second link";
  r = s^2 - w1^2;
  f = 4000*(p1 - q1) + 20*(n1 - w1);
  (2 + m + m*cos(q2))*a1 + (m + 0.5*m*cos(q2))*a2 = f + 0.5*m*sin(q2)*r;
  (m + 0.5*m*cos(q2))*a1 + (m + 0.1)*a2 = -0.5*m*sin(q2)*w1^2 - 50*q2 - 2*w2;
  der(q1) = w1; der(q2) = w2; der(w1) = a1; der(w2) = a2; der(p1) = n1;
  0.5*der(n1) = u + 100*(0.3 - p1) - f - 6*n1;
  annotation(experiment(StopTime = 0.2));
end Arm;
M
expect 0 '^recommended: coefficients' tune Arm.mo --step 2ms --only combined --attack 0 --choose coefficients -o arm.json --html /dev/null
tr -d ' \t\n' <arm.json | sed 's/"evidence".*//' | grep -o '"eq":"[^"]*","var":"[^"]*"' | sed 's/"eq":"//; s/","var":"/ /; s/"$//' | sort | tr '\n' ';' >cuts
[ "$(cat cuts)" = "#3 w1;#3 w2;#4 w1;#6 q2;#7 q2;#7 w1;" ] || fail "coefficients: $(cat cuts)"
grep -q '"state":[[:space:]]*"proven"' arm.json || fail "coefficients are not proven"

# --- cuts name equations as the model has them with the parameters that stay settable: takt sim alone keeps more of
# these, and refused the plan (om[3] stays beside w)
cat >Axis.mo <<'M'
model Axis "what turns about an axis, and what that moves is felt"
  parameter Real n[3] = {0, 0, 1};
  final parameter Real e[3] = n/sqrt(n*n);
  Real phi(start = 1, fixed = true), w(start = 0, fixed = true), om[3], a[3], b[3], z(start = 0, fixed = true);
  output Real y = phi;
equation
  om = e*w;
  der(phi) = w;
  der(w) = -20*phi - 2*w - b[3];
  a = om*(1 + 0.1*z);
  b = 0.1*der(a);
  der(z) = 300*(phi - z);
  annotation(experiment(StopTime = 2));
end Axis;
M
echo '{"takt_plan": 1, "step": 0.005, "cuts": [{"kind": "step", "eq": "der(#9)", "var": "w"}]}' >by-hand.json
expect 0 '^recommended: given' tune Axis.mo --plan by-hand.json --only given --choose given --attack 0 -o axis.json
for how in "" --static; do
    expect 0 'w delayed in der(#9)' sim Axis.mo --plan axis.json $how -o axis.csv
done
expect 0 'linearly implicit Euler' build Axis.mo --plan axis.json -o axis

# --- a method is something to judge, too, with no cut beside it
echo '{"takt_plan": 1, "step": 0.005, "method": "ros2"}' >ros2.json
expect 0 'no indicators of the plan given: it cuts nothing' tune Axis.mo --plan ros2.json --only given --choose given --attack 12 -o given.json
grep -q '"method": "ros2"' given.json || fail "the method of the plan given is not judged"
grep -q '^it claims to stay within .*: 0[.]00[0-9]* % in its scenarios' out || fail "ros2 claims: $(grep claims out)"

# --- bad input
expect 2 'exactly one MODEL' tune
expect 2 '--only takes' tune "$gallery/MotorDrive.mo" --only everything
expect 2 '--rho takes' tune "$gallery/MotorDrive.mo" --rho -1
expect 2 '--algebraic takes' tune "$gallery/MotorDrive.mo" --algebraic some
expect 2 '--spread takes' tune "$gallery/MotorDrive.mo" --spread J
expect 2 '--samples takes' tune "$gallery/MotorDrive.mo" --samples 1
expect 1 "did you mean 'fan.J'" tune "$gallery/MotorDrive.mo" --spread fan.j=0.1
expect 1 'E1404' tune "$gallery/MotorDrive.mo" --output nothing
expect 1 'E1505' tune "$gallery/MotorDrive.mo" --step 0.1ms --only mixed --choose nothing
expect 1 'E1506' tune "$gallery/MotorDrive.mo" --step 0.1ms --only sparsing --keep 'a,b'
expect 1 'E1309' tune "$gallery/MotorDrive.mo" --input missing.csv
expect 1 'E1308' tune "$gallery/MotorDrive.mo" --step 0.1ms --only mixed -o /nowhere/p.json --html y.html
expect 0 'example' tune --help
finish
