#!/usr/bin/env bash
# --positions trapezoid: states whose derivative is a state by the mean of both
# speeds, against recursions written down by hand; the estimate of its error; C;
# methods that cannot have it.
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4

cat >Spring.mo <<'M'
model Spring "a damped mass; y runs against it"
  parameter Real k = 400, d = 3;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Real y(start = 0.5, fixed = true);
  Real z(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -k*x - d*v;
  der(y) = -v;
  der(z) = -2*z;
  annotation (experiment(StopTime = 1));
end Spring;
M
h=0.01

# last NAME FILE: the last value of a column
last() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i)
        if ($i == name) k = i } } END { print $k }' "$2"
}

# x+ (1 + a s) = x + h (1 + s)/2 v, v+ = s (v - h k x+), s = 1/(1 + h d), a = h^2 k/2
recursion() {
    awk -v h=$h -v k=400 -v d=3 -v rule="$1" 'BEGIN {
        x = 1; v = 0; y = 0.5; z = 1; s = 1/(1 + h*d); a = h*h*k/2
        for (n = 0; n < 100; n++) {
            new = (x + h*(1 + s)/2*v)/(1 + a*s)
            w = s*(v - h*k*new)
            y -= h*(v + w)/2
            x = new; v = w
            z *= rule == "mean" ? (1 - h)/(1 + h) : 1/(1 + 2*h)
        }
        printf "%.15g %.15g %.15g %.15g\n", x, v, y, z }'
}

# holds FILE RULE: x, v, y and z are those of the recursion
holds() {
    echo "$(last x "$1") $(last v "$1") $(last y "$1") $(last z "$1") $(recursion "$2")" |
        awk '{ for (i = 1; i <= 4; i++) { e = $i - $(i + 4)
            if (NF != 8 || e*e > 1e-22) exit 1 } }' ||
        fail "$1: $(last x "$1") $(last v "$1") $(last y "$1") $(last z "$1"), not $(recursion "$2")"
}

for method in be lie; do
    expect 0 trust sim Spring.mo --method $method --step $h --positions trapezoid -o s.csv
    holds s.csv euler
done
cat >z.json <<'J'
{"takt_plan": 1, "method": "lie", "positions": "trapezoid", "modes": {"z": "trapezoid"}}
J
expect 0 trust sim Spring.mo --plan z.json --step $h -o z.csv
holds z.csv mean
# one state may keep the method
echo '{"takt_plan": 1, "method": "lie", "modes": {"x": "trapezoid"}}' >x.json
expect 0 'x = old(x) + h\*(0.5\*(v + old(v)))' check Spring.mo --plan x.json --step $h --dump inlined
expect 0 'y = old(y) - v\*h' check Spring.mo --plan x.json --step $h --dump inlined

# What is estimated is near the error: v(1) by the exact solution.
run_takt sim Spring.mo --method lie --step 0.5ms --positions trapezoid -o fine.csv
awk -v x="$(last x fine.csv)" 'BEGIN { r = -1.5; w = sqrt(400 - 2.25)
    e = x - exp(r)*(cos(w) - r/w*sin(w)); if (e < 0) e = -e
    exit !(e < 0.004) }' || fail "x(1) is $(last x fine.csv)"
share=$(sed -n 's/.*estimated error at most \([0-9.]*\) %.*/\1/p' "$work/both")
awk -v s="${share:-0}" 'BEGIN { exit !(s > 0.5 && s < 10) }' || fail "estimated: $share %"

if ! sanitized; then
    expect 0 . sim Spring.mo --static --method lie --step $h --positions trapezoid -o static.csv
    expect 0 . build Spring.mo --target exe --method lie --step $h --positions trapezoid -o spring
    ./spring -o c.csv >/dev/null 2>&1 || fail "the program ends with $?"
    for name in x v y z; do
        [ "$(last $name static.csv)" = "$(last $name c.csv)" ] ||
            fail "$name: $(last $name static.csv) and $(last $name c.csv) in C"
    done
    # a speed that jumps: the next step begins with the new one
    cat >Ball.mo <<'M'
model Ball
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -9.81;
  when x < 0 then
    reinit(v, -0.8*pre(v));
  end when;
  annotation (experiment(StopTime = 1));
end Ball;
M
    for late in leave catch-up; do
        options="--method lie --step 1ms --positions trapezoid --late $late"
        expect 0 . sim Ball.mo --static $options -o static.csv
        expect 0 . build Ball.mo --target exe $options -o ball
        ./ball -o c.csv >/dev/null 2>&1 || fail "the program ends with $?"
        [ "$(last x static.csv)" = "$(last x c.csv)" ] || fail "$late: x differs in C"
        # falls for 0.45152 s, rises with 0.8 times the speed
        awk -v x="$(last x c.csv)" 'BEGIN { t = sqrt(2/9.81); u = 0.8*9.81*t; t = 1 - t
            e = x - (u*t - 9.81/2*t*t); exit !(e*e < 4e-6) }' ||
            fail "$late: x(1) is $(last x c.csv)"
    done
fi

# The proof of a plan knows the rule: nothing grows, and what rings is said. Who asks for it
# gets it.
expect 0 'acceptable' tune Spring.mo --step 1ms --positions trapezoid --attack 0 --deviation 20
expect 0 'recommended: .*positions' tune Spring.mo --step 1ms --positions trapezoid --attack 0 --deviation 20
refuse 0 'positions' tune Spring.mo --step 1ms --positions method --attack 0 --deviation 20

# ---- tune tries it by itself ----

# with s and a as above the determinant of the step is s/(1 + a s); the certificate of cuts,
# from pencils, sees the eigenvalues that the step itself has
cat >Damped.mo <<'M'
model Damped
  parameter Real k = 400, d = 3;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -k*x - d*v;
  annotation (experiment(StopTime = 0.2));
end Damped;
M
expect 0 . tune Damped.mo --step $h --only sparsing,positions --rho 0.9 --deviation 60 --attack 0 --json
tr -d ' \t\n' <"$work/out" | sed 's/{"name":/\n&/g' >candidates
awk -F'[:,}]' -v h=$h '
    function field(key,  i) { for (i = 1; i < NF; i++) if ($i == key) return $(i + 1) }
    function near(a, b) { return a - b < 2e-7 && b - a < 2e-7 }
    BEGIN { s = 1/(1 + 3*h); want = sqrt(s/(1 + 200*h*h*s)) }
    /^{"name":"full,positions"/ { full = near(field("\"spectral_radius\""), want) }
    /^{"name":"sparsed.*positions"/ {
        n++; same = near(field("\"spectral_radius\""), field("\"radius\""))
        other = !near(field("\"radius\""), plain)
    }
    /^{"name":"sparsed0.9,bycost"/ { plain = field("\"radius\"") }
    END { exit !(full && n == 1 && same && other) }' candidates ||
    { fail "the radius of a step with positions"; cut -c1-300 candidates; }

# where a constant force pushes, the mean is exact: nearly as cheap, and so much nearer
cat >Push.mo <<'M'
model Push "a mass that a constant force pushes against a little drag, beside rooms that cost more"
  parameter Integer n = 8;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
  Real T[n](each start = 0, each fixed = true);
  output Real y = x;
equation
  der(x) = v;
  der(v) = 1 - 0.001*v;
  for i in 1:n loop
    der(T[i]) = 40*((if i > 1 then T[i - 1] else 1) - T[i]) + 30*((if i < n then T[i + 1] else 0) - T[i]) - T[i]^3;
  end for;
  annotation (experiment(StopTime = 1));
end Push;
M
expect 0 'recommended: full, positions' tune Push.mo --step $h --only positions --attack 5 -o push.json
grep -q '"positions": *"trapezoid"' push.json || grep -q '"positions":.*"trapezoid"' push.json ||
    fail "the plan does not have the rule"
expect 0 'steps' sim Push.mo --plan push.json -o push.csv
awk -v x="$(last x push.csv)" 'BEGIN { e = x - 1e6*(0.001 - 1 + exp(-0.001)); exit !(e*e < 1e-10) }' ||
    fail "x(1) is $(last x push.csv)"
# and where there are no positions there is no such candidate
refuse 0 'positions' tune "$TAKT_SOURCE/models/gallery/HeatWall.mo" --only positions --attack 0 --deviation 100

for method in radau5 rodas4 rk4 bdf2 liex2; do
    expect 1 "E1206" sim Spring.mo --method $method --step $h --positions trapezoid
done
expect 1 "x.json:1:.*E1206" sim Spring.mo --plan x.json --method rodas4 --step $h
expect 1 "E1206" sim Spring.mo --method be --tolerance 1e-6 --positions trapezoid
expect 2 "trapezoid" sim Spring.mo --method lie --positions parabola
finish
