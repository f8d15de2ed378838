#!/usr/bin/env bash
# Error estimates: the change in a step of backward Euler is known, that of an
# embedded method falls with its order.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0

cat > Decay.mo <<'M'
model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Decay;
M
# estimate METHOD STEP: the largest estimate over 0.01 |x|
estimate() {
  "$TAKT" sim Decay.mo --method "$1" --step "$2" --estimate 0.01 --estimate-atol 1e-30 --json 2> err |
    awk -F: '/"estimate"/ { print $2 + 0 }'
}
# between TITLE GOT LEAST MOST
between() {
  awk -v x="$2" -v a="$3" -v b="$4" 'BEGIN { exit !(x != "" && x >= a && x <= b) }' && return
  echo "FAIL $1: $2 is not in $3 .. $4"
  failed=$((failed + 1))
}
# (1 - 1/1.1) / 0.01
between "backward Euler" "$(estimate be 0.1)" 9.0908 9.0910
grep -q "in 10 steps an error estimate is above its tolerance" err && grep -q "of x at time" err ||
  { echo "FAIL the warning"; cat err; failed=$((failed + 1)); }
# the embedded method has order 3: its error in a step falls with h^4
a=$(estimate sdirk4 0.2) b=$(estimate sdirk4 0.1)
between "sdirk4, order of the embedded method" "$(awk -v a="$a" -v b="$b" 'BEGIN { print a/b }')" 13 19
a=$(estimate rodas3 0.2) b=$(estimate rodas3 0.1) # order 2: h^3
between "rodas3, order of the embedded method" "$(awk -v a="$a" -v b="$b" 'BEGIN { print a/b }')" 6.5 9.5
a=$(estimate rodas4 0.2) b=$(estimate rodas4 0.1) # order 3: h^4
between "rodas4, order of the embedded method" "$(awk -v a="$a" -v b="$b" 'BEGIN { print a/b }')" 13 19
# near 0 the tolerance is absolute: (1 - 1/1.1) / 1e-6
a=$("$TAKT" sim Decay.mo --method be --step 0.1 --estimate 1e-30 --json 2> /dev/null |
  awk -F: '/"estimate"/ { print $2 + 0 }')
between "the absolute tolerance of the manual" "$a" 90908 90910
grep -q W1358 err && { echo "FAIL a warning without reason"; failed=$((failed + 1)); }
"$TAKT" sim Decay.mo --method be --step 0.1 > out 2>&1
grep -q estimate out && { echo "FAIL nobody asked"; failed=$((failed + 1)); }
"$TAKT" sim Decay.mo --method be --step 0.1 --estimate -1 > out 2>&1
[ $? -eq 2 ] || { echo "FAIL a negative tolerance"; failed=$((failed + 1)); }
[ $failed -eq 0 ] || { echo "$failed cases failed"; exit 1; }
echo "ok   error estimates"
