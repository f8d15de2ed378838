#!/usr/bin/env bash
# A state that is slow by the iteration matrix alone (Gustafsson 2021, 7.1 (125)):
# the entry of int(z) by der(z) is 0. One iteration is explicit Euler for z, in
# every view; iterated, the step converges to the one without the cut.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
cat >"$work/Slow.mo" <<'M'
model Slow
  Real z(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(z) = -z + 0.1*y^2;
  der(y) = -100*(y - z);
end Slow;
M

# last FILE OPTION...: z and y after 100 steps
last() {
    run_takt sim "$work/Slow.mo" --step 10ms --stop 1 --quiet -o "$work/out.csv" "$@"
    [ "$code" = 0 ] || fail "$*: exit code $code"
    grep -q W1203 "$work/err" && fail "$*: the cut does nothing"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "\"z\"") z = i; if ($i == "\"y\"") y = i } }
        END { printf "%.15g %.15g\n", $z, $y }' "$work/out.csv"
}
near() { # near A B TOLERANCE TITLE
    echo "$1 $2" | awk -v t="$3" '{ a = $1 - $3; b = $2 - $4
        exit !((a < 0 ? -a : a) <= t && (b < 0 ? -b : b) <= t) }' || fail "$4: $1 and $2"
    checks=$((checks + 1))
}

cut='"cuts": [{"kind": "KIND", "eq": "int(z)", "var": "der(z)"}]'
echo "{\"takt_plan\": 1, ${cut/KIND/sparsed}}" >"$work/sparsed.json"
echo "{\"takt_plan\": 1, ${cut/KIND/iterate}}" >"$work/iterate.json"

# dz = h f(z, y); (1 + 100 h) dy = -100 h (y - z) + 100 h dz
hand=$(awk 'BEGIN { z = 1; h = 0.01
    for (n = 0; n < 100; n++) {
        dz = h*(-z + 0.1*y^2); y += (-100*h*(y - z) + 100*h*dz)/(1 + 100*h); z += dz }
    printf "%.15g %.15g\n", z, y }')
for view in auto solve tear keep; do
    near "$(last --plan "$work/sparsed.json" --method lie --algebraic $view)" "$hand" \
        1e-14 "one iteration, $view"
done
near "$(last --plan "$work/sparsed.json" --method lie --static)" "$hand" 1e-14 "generated code"

full=$(last --method be --newton 30)
near "$(last --plan "$work/iterate.json" --method be --newton 30)" "$full" 1e-13 "converged"
once=$(last --plan "$work/iterate.json" --method be --newton 1)
[ "$once" = "$full" ] && fail "one iteration converges?"
# each iteration takes about the factor h |df/dz| = 0.01 off
near "$(last --plan "$work/iterate.json" --method be --newton 3)" "$full" 2e-6 "three iterations"

# less work than with the whole matrix
run_takt cost "$work/Slow.mo" --step 10ms --json
whole=$(sed -n 's/.*"instructions":[^0-9]*\([0-9]*\).*/\1/p' "$work/out" | head -1)
run_takt cost "$work/Slow.mo" --step 10ms --json --plan "$work/sparsed.json"
less=$(sed -n 's/.*"instructions":[^0-9]*\([0-9]*\).*/\1/p' "$work/out" | head -1)
[ "$less" -lt "$whole" ] || fail "$less instructions, $whole without the cut"
finish
