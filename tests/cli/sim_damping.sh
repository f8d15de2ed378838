#!/usr/bin/env bash
# Flow through an orifice that comes to rest: one Newton iteration per step leaves
# the pressure difference jumping from side to side, damping does not.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
cat > Orifice.mo <<'M'
model Orifice
  Real q(start = 1, fixed = true), dp(start = 1);
equation
  der(q) = -1e4*q;
  q = noEvent(if dp > 0 then sqrt(dp + 1e-12) else -sqrt(-dp + 1e-12));
end Orifice;
M
# The largest |dp| in the last half, where q = 0 and dp = q^2.
rest() {
  "$TAKT" sim Orifice.mo --method lie --step 1ms --stop 1 -o out.csv "$@" > said 2>&1 || cat said >&2
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^"?dp"?$/) c = i; next }
    $1 > 0.5 { v = $c < 0 ? -$c : $c; if (v > m) m = v } END { printf "%.3g", m }' out.csv
}
plain=$(rest)
damped=$(rest --damping)
echo "largest |dp| at rest: $plain, with --damping $damped"
awk -v a="$plain" -v b="$damped" 'BEGIN { exit !(a != "" && b != "" && b < 1e-5 && a > 100*b) }' ||
  { echo "FAIL damping did not help"; exit 1; }
echo "ok   damping"
