#!/usr/bin/env bash
# Error estimates are those of the errors: bench/estimates.sh for every method, and the
# table of docs/methods/estimates.md is what it prints.
# build: release
# cost: 11
. "$TAKT_SOURCE/tests/support/cli.sh"
command -v python3 >/dev/null || skip "no python3"
checks=9
bash "$TAKT_SOURCE/bench/estimates.sh" >"$work/table" || fail "estimates miss:"
grep MISSES "$work/table"
sed -n 's/^    //p' "$TAKT_SOURCE/docs/methods/estimates.md" |
    sed -n '/^method /,$p; /^rodasp4/q' >"$work/page"
diff "$work/page" "$work/table" || fail "the table of the page is another"
# weights that were chosen, on problems that had no part in the choice
bash "$TAKT_SOURCE/bench/estimates.sh" --other midpoint radau3 radau5 liex2 ros2 \
    >"$work/other" || fail "estimates miss on other problems:"
grep MISSES "$work/other"
while read -r row; do
    grep -qF -- "$row" "$TAKT_SOURCE/docs/methods/estimates.md" ||
        fail "not on the page: $row"
done <"$work/other"
[ "$(wc -l <"$work/table")" -ge 31 ] || fail "methods are missing"
# a force that is wrong for a few steps among 2,000 while its states are right
cat >"$work/Spin.mo" <<'EOF'
model Spin "a wheel that slides and then rolls, within a few steps"
  parameter Real m = 1, g = 9.81, r = 0.3, J = 0.01, mu = 0.7, v0 = 0.02;
  Real v(start = 5, fixed = true), w(start = -20, fixed = true);
  Real f = -mu * m * g * tanh((v - r * w) / v0);
equation
  m * der(v) = f;
  J * der(w) = -r * f;
  annotation(experiment(StopTime = 2, Interval = 0.001));
end Spin;
EOF
expect 0 "the estimated error of f, .*W1372" sim "$work/Spin.mo" --method be --step 1ms -o "$work/spin.csv"
finish
