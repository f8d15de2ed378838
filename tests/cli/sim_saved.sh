#!/usr/bin/env bash
# A run that is left and continued has the same bits as one that was not.
# build: sanitizers
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0
fail() {
  echo "FAIL $*"
  failed=$((failed + 1))
}

cat > Bounce.mo <<'M'
model Bounce
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), late, kept;
  discrete Real held(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81 - 0.01*v*abs(v);
  late = delay(h, 0.037);
  der(kept) = late - kept;
  when h <= 0 then
    reinit(v, -0.8*pre(v));
    n = pre(n) + 1;
  end when;
  when sample(0, 0.05) then
    held = h;
  end when;
initial equation
  kept = 0.25;
end Bounce;
M
# A pendulum in Cartesian coordinates: index 3, states chosen anew on the way.
cat > Swing.mo <<'M'
model Swing
  Real x(start = 1), y(start = 0, fixed = true), f;
  Real vx(start = 0), vy(start = 0, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -f*x;
  der(vy) = -f*y - 9.81;
  x^2 + y^2 = 1;
end Swing;
M
cat > Driven.mo <<'M'
model Driven
  input Real u;
  Real x(start = 0.5, fixed = true), z(start = 0.1);
equation
  der(x) = u - z;
  z^3 + z = x;
end Driven;
M
printf 'time,u\n0,0\n0.3,1\n0.9,-1\n' > in.csv

# same MODEL STEP HALF STOP METHOD [option...]
same() {
  local model=$1 step=$2 half=$3 stop=$4 method=$5
  shift 5
  rm -f half.json whole.csv rest.csv
  local run=("$TAKT" sim "$model.mo" --method "$method" --step "$step" "$@")
  "${run[@]}" --stop "$stop" -o whole.csv > out 2>&1 || { fail "$model $method"; cat out; }
  "${run[@]}" --stop "$half" --save-state half.json > out 2>&1 || { fail "$model $method: save"; cat out; }
  "${run[@]}" --stop "$stop" --from-state half.json -o rest.csv > out 2>&1 ||
    { fail "$model $method: go on"; cat out; }
  local n
  n=$(cat rest.csv 2> /dev/null | wc -l)
  # without the head and the point it starts from
  tail -n $((n - 2)) rest.csv > a
  tail -n $((n - 2)) whole.csv > b
  [ "$n" -gt 10 ] && cmp -s a b || { fail "$model $method: other bits"; diff a b | head -4; }
}

for m in be radau5 bdf3; do
  same Swing 0.01 0.7 1.5 $m
done
for m in rk4 bi2 am3; do
  same Driven 0.01 0.3 0.6 $m --input in.csv
done
for m in be bdf2; do
  same Bounce 0.002 0.6 1.1 $m
done

# wrong TITLE TEXT option...: refused, with TEXT in the message
wrong() {
  local title=$1 text=$2
  shift 2
  "$TAKT" sim "$@" > out 2>&1 && fail "$title: accepted"
  grep -qF -- "$text" out || { fail "$title"; head -4 out; }
}
"$TAKT" sim Swing.mo --method be --step 0.01 --stop 0.5 --save-state s.json > out 2>&1
wrong "another method" "the method be, this run has bdf2" Swing.mo --method bdf2 --step 0.01 --from-state s.json
wrong "another step" "the step 0.01, this run has 0.02" Swing.mo --method be --step 0.02 --from-state s.json
wrong "another model" "the model Swing, this run has Bounce" Bounce.mo --method be --step 0.01 --from-state s.json
wrong "a stop before it" "must lie after it" Swing.mo --method be --step 0.01 --stop 0.5 --from-state s.json
sed 's/"vx"/"wx"/' s.json > changed.json
wrong "a model that changed" "no value for 'vx'" Swing.mo --method be --step 0.01 --from-state changed.json
wrong "no such file" "gone.json" Swing.mo --method be --step 0.01 --from-state gone.json
echo '{"takt_state": 1, "model": 3}' > bad.json
wrong "no state" "'model' is missing" Swing.mo --method be --step 0.01 --from-state bad.json
head -c 300 s.json > cut.json
wrong "half a file" "cut.json" Swing.mo --method be --step 0.01 --from-state cut.json
wrong "a stop between steps" "no whole number of steps" Swing.mo --method be --step 0.01 --stop 0.505 --save-state t.json
[ -e t.json ] && fail "a state that cannot be continued was written"
wrong "ida" "fixed step" Swing.mo --method ida --save-state t.json
# parameters of the run so far are saved: others are told, and slopes are those of now
cat > Rate.mo <<'M'
model Rate
  parameter Real k = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = k;
end Rate;
M
for m in rk4 be radau5 ros2 bdf2; do
  "$TAKT" sim Rate.mo --method $m --step 0.1 --stop 0.5 --save-state k.json --quiet > out 2>&1 || fail "Rate $m: save"
  "$TAKT" sim Rate.mo --method $m --step 0.1 --set k=2 --from-state k.json -o k.csv --quiet > out 2>&1 || fail "Rate $m"
  grep -q "saved with k = 1, this run goes on with 2 .W1363" out || { fail "Rate $m: k"; cat out; }
  awk -F, 'END { exit !($2 > 1.5 - 1e-9 && $2 < 1.5 + 1e-9) }' k.csv || fail "Rate $m: $(tail -1 k.csv)"
  "$TAKT" sim Rate.mo --method $m --step 0.1 --set x=7 --from-state k.json --quiet > out 2>&1
  grep -q "start value 0 of x, this run has 7.*W1363" out || { fail "Rate $m: start"; cat out; }
  "$TAKT" sim Rate.mo --method $m --step 0.1 --from-state k.json --quiet > out 2>&1
  grep -q W1363 out && fail "Rate $m: W1363"
done
[ $failed -eq 0 ] || { echo "$failed cases failed"; exit 1; }
echo "ok   saved and continued"
