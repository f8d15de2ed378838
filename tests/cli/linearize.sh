#!/usr/bin/env bash
# Linearisation: a circuit whose matrices are known, and a double pendulum
# against differences of its derivatives.
# build: sanitizers
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0

# near TITLE GOT WANTED TOLERANCE
near() {
  awk -v a="$2" -v b="$3" -v e="$4" 'BEGIN {
    d = a - b; if (d < 0) d = -d; s = b < 0 ? -b : b; if (s < 1) s = 1
    exit !(a != "" && d <= e * s) }' && return
  echo "FAIL $1: $2 instead of $3"
  failed=$((failed + 1))
}
# entry FILE MATRIX ROW COLUMN (from 1) of an Octave script
entry() {
  awk -v m="$2" -v r="$3" -v c="$4" '
    $1 == m && $3 == "[" { inside = 1; n = 0; next }
    $1 == "];" { inside = 0 }
    inside && ++n == r { print $c }' "$1"
}

# Source and resistor in series with a coil; a capacitor with a load R2 after it.
# L i' = u - R1 i - v,  C v' = i - v/R2.  Two capacitors in parallel: one state
# of index 2, C = C1 + C2.
cat > Rlc.mo <<'M'
model Rlc
  parameter Real R1 = 2, R2 = 5, L = 0.5, C1 = 0.1, C2 = 0.15;
  input Real u(start = 1);
  output Real v2;
  output Real power;
  output Real iR;
  output Real same;
  Real i(start = 3, fixed = true), v(start = 0.7, fixed = true), iC1, iC2, vL;
equation
  u = R1*i + vL + v;
  vL = L*der(i);
  C1*der(v) = iC1;
  C2*der(v2) = iC2;
  v2 = v;
  i = iC1 + iC2 + iR;
  v = R2*iR;
  power = u*i;
  same = u;
end Rlc;
M
"$TAKT" linearize Rlc.mo -o rlc.m > out 2> err || { cat err; exit 1; }
grep -q "^x = {'i', 'v'}" rlc.m && state_i=1 state_v=2 || { state_i=2; state_v=1; }
grep -q "'i'" rlc.m || { echo "FAIL i is no state"; cat rlc.m; failed=1; }
i=$state_i v=$state_v
near "A(i,i) = -R1/L" "$(entry rlc.m A $i $i)" -4 1e-14
near "A(i,v) = -1/L" "$(entry rlc.m A $i $v)" -2 1e-14
near "A(v,i) = 1/C" "$(entry rlc.m A $v $i)" 4 1e-14
near "A(v,v) = -1/(R2 C)" "$(entry rlc.m A $v $v)" -0.8 1e-14
near "B(i) = 1/L" "$(entry rlc.m B $i 1)" 2 1e-14
near "B(v) = 0" "$(entry rlc.m B $v 1)" 0 1e-14
near "C(v2,i) = 0" "$(entry rlc.m C 1 $i)" 0 1e-14
near "C(v2,v) = 1" "$(entry rlc.m C 1 $v)" 1 1e-14
near "C(power,i) = u" "$(entry rlc.m C 2 $i)" 1 1e-14
near "D(power) = i" "$(entry rlc.m D 2 1)" 3 1e-14
near "C(iR,v) = 1/R2" "$(entry rlc.m C 3 $v)" 0.2 1e-14
near "D(same) = 1" "$(entry rlc.m D 4 1)" 1 1e-14
# s^2 + 4.8 s + 11.2: -2.4 +- 2.3323808i
near "Re lambda" "$(awk '/\+-/ {print $1}' out)" -2.4 1e-5
near "Im lambda" "$(awk '/\+-/ {print $3}' out)" 2.33238 1e-5
# later the current is another one: D(power) = i(t), against a fine run
"$TAKT" linearize Rlc.mo --at 0.4 -o later.m --quiet 2> err || { cat err; failed=1; }
"$TAKT" sim Rlc.mo --method radau5 --step 1ms --stop 0.4 --json > run.json 2> err
near "D(power) at 0.4" "$(entry later.m D 2 1)" \
  "$(awk -F'[:,]' '/^\t\t"i":/ {print $2 + 0}' run.json)" 1e-7

cat > Double.mo <<'M'
model Double
  constant Real g = 9.81;
  parameter Real m1 = 1, m2 = 0.7, l1 = 1, l2 = 0.6;
  Real a(start = 0.4, fixed = true), b(start = -0.9, fixed = true);
  Real p(start = 0.3, fixed = true), q(start = 1.1, fixed = true);
equation
  der(a) = p;
  der(b) = q;
  (m1 + m2)*l1*der(p) + m2*l2*der(q)*cos(a - b) + m2*l2*q^2*sin(a - b)
    + (m1 + m2)*g*sin(a) = 0;
  l2*der(q) + l1*der(p)*cos(a - b) - l1*p^2*sin(a - b) + g*sin(b) = 0;
end Double;
M
"$TAKT" linearize Double.mo -o double.m --quiet 2> err || { cat err; exit 1; }
value() {
  "$TAKT" sim Double.mo --method rk4 --stop 0 --step 1 --set "$1=$2" --json 2> /dev/null |
    awk -F': *|,' -v n="\"$3\"" '{ gsub(/^[ \t]+/, "") } $1 == n { print $2 }'
}
order=$(sed -n "s/^x = {\(.*\)};/\1/p" double.m | tr -d "', ")
for x in a:0.4 b:-0.9 p:0.3 q:1.1; do
  name=${x%:*} x0=${x#*:}
  high=$(awk -v x="$x0" 'BEGIN { printf "%.17g", x + 1e-5 }')
  low=$(awk -v x="$x0" 'BEGIN { printf "%.17g", x - 1e-5 }')
  for f in p q; do
    before=${order%%"$f"*} column=${order%%"$name"*}
    d=$(awk -v a="$(value "$name" "$high" "der($f)")" \
      -v b="$(value "$name" "$low" "der($f)")" \
      'BEGIN { if (a == "" || b == "") exit; printf "%.12g", (a - b)/2e-5 }')
    near "d der($f) / d $name" "$(entry double.m A $((${#before} + 1)) $((${#column} + 1)))" "$d" 1e-7
  done
done

# what goes wrong
cat > Still.mo <<'M'
model Still
  parameter Real k = 0;
  Real x(start = 1, fixed = true), z(start = 2);
equation
  der(x) = z;
  x = 1 + k*time + (z - 2)^2;
end Still;
M
"$TAKT" linearize Still.mo > out 2> err && { echo "FAIL a singular point was linearised"; cat out; failed=$((failed + 1)); }
"$TAKT" linearize Rlc.mo --at -1 > out 2> err && { echo "FAIL a time before the start"; failed=$((failed + 1)); }
"$TAKT" linearize Rlc.mo --json 2> /dev/null | grep -q '"eigenvalues"' || { echo "FAIL --json"; failed=$((failed + 1)); }
# sorted: largest real part first, of a pair the one above the axis
cat > Five.mo <<'M'
model Five "modes -4, -1, -1 +- 3i, 2"
  Real a(start = 1, fixed = true), b(start = 1, fixed = true);
  Real c(start = 1, fixed = true), d(start = 1, fixed = true);
  Real e(start = 1, fixed = true);
equation
  der(a) = -4*a;
  der(b) = -b;
  der(c) = -c + 3*d;
  der(d) = -3*c - d;
  der(e) = 2*e;
end Five;
M
got=$("$TAKT" linearize Five.mo --json 2> /dev/null | tr -d '[:space:]' |
  grep -o '"re":[^,]*,"im":[^,]*' | sed 's/"re":\(.*\),"im":\(.*\)/\1 \2/' |
  awk '{ printf "%.0f,%.0f ", $1, $2 + 0 }')
[ "$got" = "2,0 -1,3 -1,-3 -1,0 -4,0 " ] ||
  { echo "FAIL order of eigenvalues: $got"; failed=$((failed + 1)); }
"$TAKT" linearize Five.mo -o modes.csv > out 2> err
[ $? = 2 ] || { echo "FAIL an ending that is not written"; failed=$((failed + 1)); }
[ $failed -eq 0 ] || { echo "$failed cases failed"; exit 1; }
echo "ok   linearisation"
