#!/usr/bin/env bash
# takt sim --verify: the order that halving the step shows; errors of a run against the
# truth, through events, reinit() and changes of states; what late events cost.
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4

# order MODEL METHOD STEP: that --verify shows.
order() {
    "$TAKT" sim "$1" --method "$2" --step "$3" --verify --json 2>/dev/null |
        sed -n 's/^\t\t"order":\t\([^,]*\),/\1/p'
}
# near NAME X LOW HIGH
near() {
    checks=$((checks + 1))
    awk -v x="$2" -v a="$3" -v b="$4" 'BEGIN { exit !(x != "" && x + 0 >= a && x + 0 <= b) }' ||
        fail "$1 is $2, not in $3 .. $4"
}

cat >Swing.mo <<'M'
model Swing "smooth and nonlinear"
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -sin(x) - 0.1*v + 0.2*cos(time);
  annotation(experiment(StopTime = 4));
end Swing;
M
for pair in be:1:0.04 lie:1:0.04 bdf2:2:0.04 trapezoid:2:0.04 ros2:2:0.04 bdf3:3:0.02 radau3:3:0.1 rk4:4:0.1 rodas4:4:0.1 radau5:5:0.4; do
    IFS=: read -r method p step <<<"$pair"
    near "order of $method" "$(order Swing.mo "$method" "$step")" "$(awk "BEGIN { print $p - 0.3 }")" \
        "$(awk "BEGIN { print $p + 0.3 }")"
done
expect 0 "order .* of 4: as the method has it" sim Swing.mo --method rk4 --step 0.1 --verify

# with step-size control: other tolerances, without being asked
expect 0 'trust: differs by at most .* from a run with a tolerance of 1e-05' sim Swing.mo
expect 0 'trust: differs by at most' sim Swing.mo --verify --method ida
expect 0 'trust: differs by at most' sim Swing.mo --verify --method radau5 --tolerance 1e-6
expect 2 'needs a fixed step' sim Swing.mo --verify --method partition
refuse 0 'W1378' sim Swing.mo
cat >Chaos.mo <<'M'
model Chaos "what differs by 1e-6 soon differs by all"
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 1, fixed = true);
equation
  der(x) = 10*(y - x);
  der(y) = x*(28 - z) - y;
  der(z) = x*y - 8/3*z;
  annotation(experiment(StopTime = 30, Interval = 0.02));
end Chaos;
M
cat >Upright.mo <<'M'
model Upright "an unstable solution"
  Real x(start = 0, fixed = true);
equation
  der(x) = 10*(x - sin(time)) + cos(time);
  annotation(experiment(StopTime = 5));
end Upright;
M
cat >Ends.mo <<'M'
model Ends "an event at the last point, and a variable that never moves"
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 1 then
    n = pre(n) + 1;
  end when;
  when x > 2 then
    m = 1;
  end when;
end Ends;
M
cat >Faint.mo <<'M'
model Faint "far below the absolute tolerance, as nobody says how large it is"
  Real x(start = 1e-12, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -100*x;
  annotation(experiment(StopTime = 3));
end Faint;
M
expect 0 "depends on the absolute tolerance.*W1378" sim Faint.mo
refuse 0 "W1378" sim Faint.mo --atol 1e-20
# what falls below it and grows to its first size again: long steps damp it
cat >Sinks.mo <<'M'
model Sinks
  Real x(start = 1, fixed = true);
  parameter Real turn = 2;
equation
  der(x) = 20*(time - turn)*x;
  annotation(experiment(StopTime = 4, Interval = 0.02));
end Sinks;
M
for method in radau5 rodas4 bdf; do
    expect 0 "depends on the absolute tolerance.*W1378" sim Sinks.mo --method $method --tolerance 1e-6
    refuse 0 "W1378" sim Sinks.mo --method $method --tolerance 1e-6 --set turn=5
done
expect 0 "W1378" sim Chaos.mo
expect 0 "W1378" sim Upright.mo
expect 0 "W1378" sim Upright.mo --method ida
expect 0 "W1378" sim Upright.mo --method radau5 --tolerance 1e-6
refuse 0 'W1378' sim Chaos.mo --stop 5
refuse 0 'W1378' sim Ends.mo

# a model whose run with a smaller step fails
cat >Fails.mo <<'M'
model Fails "a smaller step sees the fault"
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 0.3 or x > 0.4, "between");
end Fails;
M
expect 1 'E1374' sim Fails.mo --method fe --step 0.25 --verify

# part JSON KEY: a number
part() { sed -n "s/^\t*\"$2\":\t\([-+0-9.e]*\),*/\1/p" "$1" | head -1; }
# against MODEL STATE KEY LOW HIGH OPTIONS...: estimate over truth
against() {
    local model=$1 state=$2 key=$3 low=$4 high=$5 truth
    shift 5
    [ -s "$model.csv" ] || "$TAKT" sim "$model.mo" --method radau5 --tolerance 1e-10 --quiet -o "$model.csv" >/dev/null 2>&1
    "$TAKT" sim "$model.mo" "$@" --compare "$model.csv" --json >json 2>/dev/null
    truth=$(sed -n '/"deviation":/,/}/p' json >dev; part dev "$state")
    near "$key of $model $*, over the truth $truth" \
        "$(awk -v e="$(part json "$key")" -v t="$truth" 'BEGIN { print (t > 0 ? e/t : "") }')" "$low" "$high"
}
cat >Ball.mo <<'M'
model Ball "reinit: the error goes through it"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.8*pre(v));
  end when;
  annotation(experiment(StopTime = 1.5, Interval = 1e-3));
end Ball;
M
cat >Thermostat.mo <<'M'
model Thermostat "a limit cycle: phases are lost"
  Real T(start = 18, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  der(T) = -0.1*(T - 10) + (if on then 2 else 0);
  on = T < 20 or pre(on) and T < 21;
  annotation(experiment(StopTime = 100, Interval = 0.1));
end Thermostat;
M
cat >Swings.mo <<'M'
model Swings "other states are chosen on the way"
  Real x(start = 1, fixed = true), y, vx(start = 0), vy, lam;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lam*x;
  der(vy) = -lam*y - 9.81;
  x^2 + y^2 = 1;
initial equation
  vy = 0;
  annotation(experiment(StopTime = 1, Interval = 1e-3));
end Swings;
M
cat >Held.mo <<'M'
model Held "unstable but for a controller that samples it"
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  discrete Real u(start = -2, fixed = true);
equation
  der(x) = x + u;
  der(y) = x;
  when sample(0.1, 0.1) then
    u = -3*x;
  end when;
  annotation(experiment(StopTime = 5, Interval = 0.01));
end Held;
M
cat >Next.mo <<'M'
model Next "every event sets the time of the next one by a state"
  Real x(start = 1, fixed = true), s(start = 0, fixed = true);
  discrete Real next(start = 0.1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -0.3*x + 0.5*sin(time);
  der(s) = n;
  when time >= pre(next) then
    next = time + 0.03*(1.5 + x);
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 5, Interval = 0.01));
end Next;
M
cat >Spark.mo <<'M'
model Spark "a diode opens late: its current is beyond zero then, in a coil"
  Real i(start = 0, fixed = true), p(start = 0, fixed = true);
  Real u = 150*sin(300*time), v, s;
  Boolean off(start = true);
equation
  off = s < 0;
  v = s*(if off then 1 else 1e-5);
  i = s*(if off then 1e-5 else 1);
  u = v + 0.02*der(i) + 10*i;
  der(p) = (u - v)^2 - 20*p;
  annotation(experiment(StopTime = 0.2, Interval = 1e-4));
end Spark;
M
against Ball h late_cost 0.7 1.5 --method rk4
against Spark i late_cost 0.7 1.5 --method lie
against Spark p error 0.5 2 --method radau5
against Held y error 0.7 1.5 --method be
against Next s late_cost 0.7 1.5 --method rk4
against Ball h error 0.7 1.5 --method be --events exact
against Thermostat T late_cost 0.7 1.5 --method rk4 --step 0.002
against Swings y error 0.3 3 --method be
against Thermostat T error 0.5 2 --method be --step 0.02 --events exact
cat >MeanOfNothing.mo <<'M'
model MeanOfNothing "a discrete Real that is zero but for errors"
  Real u = 100*cos(6.283185307179586*time)*sin(6.283185307179586*time + z);
  Real x(start = 0, fixed = true), z(start = 1e-9, fixed = true);
  discrete Real y(start = 0, fixed = true);
equation
  der(z) = -z;
  der(x) = u;
  when sample(1, 1) then
    y = pre(x);
    reinit(x, 0);
  end when;
  annotation(experiment(StopTime = 40, Interval = 0.05));
end MeanOfNothing;
M
refuse 0 W1378 sim MeanOfNothing.mo
cat >Rem.mo <<'M'
model Rem "steps and late events are off by about 0.6 % each"
  Real x(start = 5, fixed = true), s(start = 0, fixed = true);
equation
  der(x) = -1;
  der(s) = mod(x, 0.7) + rem(x, 0.4);
  annotation(experiment(StopTime = 4));
end Rem;
M
expect 0 "together.*W1373" sim Rem.mo --method lie --step 3.5ms
refuse 0 W137 sim Rem.mo --method lie --step 1ms
# the middle of a rod that stays at 0, and 50 others that do not
expect 0 "less than the tolerance of others like it" sim "$TAKT_SOURCE/models/gallery/HeatDiffusion.mo" -o heat.csv
# Diodes of 1e-5 Ohm between capacitors: at 1e-6 signs of their currents are less than
# the error of the voltages, and the run says so; at 1e-7 it is right. IDA's first step
# is 1e7 times too long there, and was given up.
cat >Multiplier.mo <<'M'
model Multiplier "a voltage multiplier of two stages"
  Takt.Electrical.SineVoltage V(V = 10);
  Takt.Electrical.Ground g;
  Takt.Electrical.IdealDiode d[4];
  Takt.Electrical.Capacitor c[4](each C = 1e-5);
  Takt.Electrical.Resistor r(R = 1e5);
equation
  connect(V.n, g.p);
  connect(V.p, c[1].p);
  connect(c[1].n, d[1].n);
  connect(d[1].p, g.p);
  connect(c[1].n, d[2].p);
  connect(d[2].n, c[2].p);
  connect(c[2].n, g.p);
  connect(c[1].n, c[3].p);
  connect(c[3].n, d[3].n);
  connect(d[3].p, c[2].p);
  connect(c[3].n, d[4].p);
  connect(d[4].n, c[4].p);
  connect(c[4].n, c[2].p);
  connect(c[4].p, r.p);
  connect(r.n, g.p);
  annotation(experiment(StopTime = 0.5, Interval = 1e-4));
end Multiplier;
M
expect 0 "W1378" sim Multiplier.mo --method ida --step 0.1ms
for tolerance in 1e-7 1e-8; do
    expect 0 "" sim Multiplier.mo --method ida --step 0.1ms --tolerance $tolerance --once -o out.csv
    near "voltage at $tolerance" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "\"r.v\"") k = i }
        END { print $k }' out.csv)" 31.9735 31.9799
done

# No tolerance resolves a state that is rounding: the other runs give up within a row of output too, after some 500
# and 12,000 steps of these 102. (They made up to a million each.)
cat >"$work/Noise.mo" <<'EOF'
model Noise "two speeds that are the same but for rounding"
  Real d(start = 0, fixed = true), w(start = 0, fixed = true), x(start = 1, fixed = true), u, v;
equation
  u = 0.1*sin(7*x) + 0.3;
  v = u*3;
  der(x) = -x + u;
  der(d) = w;
  der(w) = (v - u) - 2*u - 10*w;
  annotation(experiment(StopTime = 5));
end Noise;
EOF
timeout 20 "$TAKT" sim "$work/Noise.mo" --method radau5 --tolerance 1e-9 --step 10ms >"$work/out" ||
    fail "Noise: $?, in more than 20 seconds?"
finish
