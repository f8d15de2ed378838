#!/usr/bin/env bash
# The change in a step, that of backward Euler is known: a warning, or the end.
# build: sanitizers
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
# change METHOD STEP: the largest change over 0.01 |x|
change() {
  "$TAKT" sim Decay.mo --method "$1" --step "$2" --change 0.01 --change-atol 1e-30 --json 2> err |
    awk -F: '/"change"/ { print $2 + 0 }'
}
# between TITLE GOT LEAST MOST
between() {
  awk -v x="$2" -v a="$3" -v b="$4" 'BEGIN { exit !(x != "" && x >= a && x <= b) }' && return
  echo "FAIL $1: $2 is not in $3 .. $4"
  failed=$((failed + 1))
}
# (1 - 1/1.1) / 0.01
between "backward Euler" "$(change be 0.1)" 9.0908 9.0910
grep -q "in 10 steps a state changes by more than its tolerance" err && grep -q "of x at time" err ||
  { echo "FAIL the warning"; cat err; failed=$((failed + 1)); }
# near 0 the tolerance is absolute: (1 - 1/1.1) / 1e-6
a=$("$TAKT" sim Decay.mo --method be --step 0.1 --change 1e-30 --json 2> /dev/null |
  awk -F: '/"change"/ { print $2 + 0 }')
between "the absolute tolerance of the manual" "$a" 90908 90910
"$TAKT" sim Decay.mo --method be --step 0.1 --change 0.1 > /dev/null 2> err
grep -q W1358 err && { echo "FAIL a warning without reason"; failed=$((failed + 1)); }
"$TAKT" sim Decay.mo --method be --step 0.1 > out 2>&1
grep -q change out && { echo "FAIL nobody asked"; failed=$((failed + 1)); }
"$TAKT" sim Decay.mo --method be --step 0.1 --change -1 > out 2>&1
[ $? -eq 2 ] || { echo "FAIL a negative tolerance"; failed=$((failed + 1)); }
"$TAKT" sim Decay.mo --method be --step 0.1 --change 0.01 --change-stop > out 2>&1
[ $? -eq 1 ] && grep -q E1371 out || { echo "FAIL the run does not end"; cat out; failed=$((failed + 1)); }
[ $failed -eq 0 ] || { echo "$failed cases failed"; exit 1; }
echo "ok   changes in a step"
