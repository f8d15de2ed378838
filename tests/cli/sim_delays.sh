#!/usr/bin/env bash
# The estimated error of runs with delays and a fixed step, beside the truth: a run
# by CVODE with a tolerance of 1e-10, and closed forms.
# build: release
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4

# model NAME STOP STEP DECLARATIONS EQUATIONS
model() {
    printf 'model %s\n  %s\nequation\n  %s\n  annotation(experiment(StopTime = %s, Interval = %s));\nend %s;\n' \
        "$1" "$4" "$5" "$2" "$3" "$1" >"$1.mo"
    "$TAKT" sim "$1.mo" --method cvode --tolerance 1e-10 --step "$3" --quiet -o "$1.csv" || fail "$1: no reference"
}
# truth MODEL: the largest error of x in run.csv over its range
truth() {
    awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "\"x\"") c[FILENAME] = i; next }
        NR == FNR { ref[FNR] = $c[FILENAME]; next }
        { x = ref[FNR]; y = $c[FILENAME]; if (n++ == 0) low = high = x
          if (x < low) low = x; if (x > high) high = x
          d = y - x; if (d < 0) d = -d; if (d > most) most = d }
        END { print most/(high - low) }' "$1.csv" run.csv
}
# near MODEL METHOD LOW HIGH: the estimate is in these parts of the truth
near() {
    checks=$((checks + 1))
    "$TAKT" sim "$1.mo" --method "$2" --step "$(sed -n 's/.*Interval = \([^)]*\)).*/\1/p' "$1.mo")" --json -o run.csv >json 2>err ||
        fail "$1 $2 fails"
    local said true
    said=$(awk '/"trust":/ { t = 1 } t && /"error":/ { sub(/,$/, ""); print $2; exit }' json)
    true=$(truth "$1")
    awk -v e="$said" -v t="$true" -v low="$3" -v high="$4" 'BEGIN { exit !(e > low*t && e < high*t) }' ||
        fail "$1 $2: estimated $said, truth $true"
    awk -v t="$true" 'BEGIN { exit t <= 0.012 }' && ! grep -q W1372 err && fail "$1 $2: $true is silent"
}

model Feedback 20 0.1 "Real x(start = 1, fixed = true);" "der(x) = -1.5*delay(x, 1);"
model Varies 20 0.1 "Real x(start = 1, fixed = true);" "der(x) = -delay(x, 1 + 0.5*sin(time), 2);"
model Square 20 0.1 "Real x(start = 0, fixed = true); Real u;" \
    "u = if sin(time + 0.5) > 0 then 1 else -1; der(x) = 2*(delay(u, 0.333) - x);"
model Relay 20 0.01 "Real x(start = 0, fixed = true); discrete Real u(start = 1, fixed = true);" \
    "when x > 1 then u = -1; elsewhen x < -1 then u = 1; end when; der(x) = delay(u, 0.25) - 0.1*x;"
model Growth 10 0.2 "Real x(start = 0, fixed = true); Real y;" "y = exp(time/4); der(x) = delay(y, 0.55);"
for method in be lie ros2 radau5 rk4 bdf2 trapezoid; do
    near Feedback $method 0.65 2.2
    near Square $method 0.8 1.5
    near Relay $method 0.9 1.5
done
for method in ros2 radau5 rk4 bdf2 trapezoid; do near Varies $method 0.9 1.2; done
for method in be radau5 bdf2; do near Growth $method 0.8 2; done
# Rosenbrock methods have the slope of what is delayed
for method in rosw3 rodas3 rodas4 rodasp4; do
    near Feedback $method 0.65 1.5
    near Square $method 0.8 2
    near Relay $method 0.9 3
    near Varies $method 0.9 1.5
done
# x' = -x(t - 1), x = 1 before: sum over k of (-1)^k (t - k + 1)^k / k!. Lines are of
# order 2, and so is a run with a fixed step; its estimate goes with it
model Steps 9 0.1 "Real x(start = 1, fixed = true);" "der(x) = -delay(x, 1);"
steps() {
    "$TAKT" sim Steps.mo --method "$1" --step "$2" --json -o run.csv >json 2>/dev/null
    awk -v e="$(awk '/"trust":/ { t = 1 } t && /"error":/ { sub(/,$/, ""); print $2; exit }' json)" -F, '
        NR > 1 { x = 0; p = 1; for (k = 0; k == 0 || $1 - k + 1 > 0; k++) {
                     p = 1; for (i = 1; i <= k; i++) p *= -($1 - k + 1)/i
                     x += p }
                 d = x - $2; if (d < 0) d = -d; if (d > most) most = d
                 if (NR == 2 || x < low) low = x; if (NR == 2 || x > high) high = x }
        END { print most/(high - low), e }' run.csv
}
for method in ros2 rosw3 rodas3 rodas4 rodasp4; do
    checks=$((checks + 1))
    echo "$(steps $method 0.1) $(steps $method 0.05)" |
        awk '{ order = log($1/$3)/log(2); exit !(order > 1.9 && order < 2.1 && $2 > 0.5*$1 && $2 < 2*$1 && $4 > 0.5*$3 && $4 < 2*$3) }' ||
        fail "Steps $method: error and estimate $(steps $method 0.1), $(steps $method 0.05)"
done

# a jump just after a point of output (time > 0.5): the polynomials of step-size
# control went through it, to 1e12
cat >Late.mo <<'M'
model Late
  Real u, x(start = 0, fixed = true);
equation
  u = if time > 0.5 then 1 else 0;
  der(x) = 5*(delay(u, 0.237) - x);
  annotation(experiment(StopTime = 2, Interval = 0.05));
end Late;
M
for options in "" "--method ida" "--method radau5 --tolerance 1e-6" "--method bdf --tolerance 1e-6" "--method rodas4 --tolerance 1e-6"; do
    expect 0 trust sim Late.mo $options -o run.csv
    ! grep -q W1 "$work/both" || fail "Late $options: $(grep W1 "$work/both")"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^"?x"?$/) c = i; next }
        { x = $1 < 0.737 ? 0 : 1 - exp(-5*($1 - 0.737)); d = $c - x; if (d < 0) d = -d; if (d > most) most = d }
        END { exit !(most < 1e-5) }' run.csv || fail "Late $options is wrong"
done

# what no state remembers
model Read 10 0.5 "Real y; Real x;" "y = sin(2*time); x = delay(y, 0.55) + y;"
expect 0 "reads of y is off by up to .*W1380" sim Read.mo --method be --step 0.5
# fine steps: nothing is said
model Fine 20 0.02 "Real x(start = 0.1, fixed = true);" "der(x) = x*(1 - delay(x, 1));"
for method in radau5 rk4 ros2 bdf2; do
    checks=$((checks + 1))
    "$TAKT" sim Fine.mo --method $method --step 0.02 >out 2>&1 || fail "Fine $method fails"
    ! grep -q 'W13[78]' out || fail "Fine $method: $(grep W13 out)"
done
# --static is the same
expect 0 "estimated error of x reaches 2.1 %" sim Varies.mo --method radau5 --step 0.1 --static
expect 0 W1372 build Varies.mo --method radau5 --step 0.1 -o c
finish
