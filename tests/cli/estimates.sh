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

# The same of late events: the slip of a wheel is the small difference of two speeds (2.3 % off; the speeds 0.26 %)
cat >"$work/Slip.mo" <<'EOF'
model Slip "a wheel that rolls or slides under a sampled brake control"
  parameter Real r = 0.3, J = 1, M = 250, g = 9.81, mus = 0.9, muk = 0.6;
  Real v(start = 20, fixed = true), w(start = 20/0.3, fixed = true), a, f, s, slip, as;
  discrete Real T(start = 0, fixed = true);
  Integer m(start = 0, fixed = true) "0 rolls, 1 and -1 slides";
  Boolean fw(start = false, fixed = true), bw(start = false, fixed = true);
equation
  der(v) = a;
  M*a = -f;
  J*der(w) = r*f - T;
  slip = v - r*w;
  as = a - r*der(w);
  when sample(0, 0.02) then
    T = if slip > 1 then 300 else min(1200, pre(T) + 40);
  end when;
  fw = pre(m) == 0 and (s > mus or pre(fw) and s > muk);
  bw = pre(m) == 0 and (s < -mus or pre(bw) and s < -muk);
  f = M*g*(if pre(m) == 1 or fw then muk else if pre(m) == -1 or bw then -muk else s);
  as = if pre(m) == 1 or fw then s - muk else if pre(m) == -1 or bw then s + muk else 0;
  m = if (pre(m) == 1 or fw) and slip > 0 then 1 else if (pre(m) == -1 or bw) and slip < 0 then -1 else 0;
  annotation(experiment(StopTime = 2));
end Slip;
EOF
expect 0 "may cost 2\.[0-9]* % of the range of slip, which makes much of.*W1373" sim "$work/Slip.mo" --method lie --step 1ms
refuse 0 "W137[23]" sim "$work/Slip.mo" --method lie --step 0.2ms

# and of the sum of a sampled controller, which the force of friction follows (7 % off; the states 0.2 %)
cat >"$work/Hunting.mo" <<'EOF'
model Hunting "a sampled controller whose sum goes on while friction sticks"
  parameter Real Ts = 0.01, fs = 1.5, fc = 1;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), a, f, s;
  discrete Real u(start = 0, fixed = true), I(start = 0, fixed = true);
  Integer m(start = 0, fixed = true);
  Boolean fw(start = false, fixed = true), bw(start = false, fixed = true);
equation
  when sample(0, Ts) then
    I = pre(I) + Ts*(1 - x);
    u = 20*(1 - x) + 15*I - 3*v;
  end when;
  der(x) = v;
  der(v) = a;
  a = u - f;
  fw = pre(m) == 0 and (s > fs or pre(fw) and s > fc);
  bw = pre(m) == 0 and (s < -fs or pre(bw) and s < -fc);
  f = if pre(m) == 1 or fw then fc else if pre(m) == -1 or bw then -fc else s;
  a = if pre(m) == 1 or fw then s - fc else if pre(m) == -1 or bw then s + fc else 0;
  m = if (pre(m) == 1 or fw) and v > 0 then 1 else if (pre(m) == -1 or bw) and v < 0 then -1 else 0;
  annotation(experiment(StopTime = 10));
end Hunting;
EOF
expect 0 "the estimated error of f, which makes much of.*W1372" sim "$work/Hunting.mo" --method lie --step 1ms
refuse 0 "W137[23]" sim "$work/Hunting.mo" --method radau5 --step 10ms --events exact
finish
