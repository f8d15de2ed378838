#!/usr/bin/env bash
# Pulses of time, and of a state, behind tables and functions of the model: a run
# on the grid says that it does not see them, one with step-size control meets them.
# build: release
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4

# model NAME DECLARATIONS EQUATIONS: x at the end is 0.9
model() {
    printf 'model %s\n  Real x(start = 0, fixed = true);\n  %s\nequation\n  %s\n  annotation(experiment(StopTime = 1, Interval = 0.01));\nend %s;\n' \
        "$1" "$2" "$3" "$1" >"$1.mo"
}
rows='[0, 0; 0.5003, 0; 0.5004, 1000; 0.5012, 1000; 0.5013, 0; 1, 0]'
model Table "Takt.Blocks.Tables.Table1 t(table = $rows);" "t.u = time; der(x) = t.y;"
model OverTime "Takt.Blocks.Tables.TimeTable t(table = $rows);" "der(x) = t.y;"
model OfState "Takt.Blocks.Tables.Table1 t(table = $rows); Real s(start = 0, fixed = true);" "der(s) = 1; t.u = s; der(x) = t.y;"
model Rows "function f input Real t; input Real tab[:, 2]; output Real y; protected Integer i; algorithm
    i := 1; while i < size(tab, 1) - 1 and t >= tab[i+1, 1] loop i := i + 1; end while;
    y := tab[i, 2] + (tab[i+1, 2] - tab[i, 2])*(t - tab[i, 1])/(tab[i+1, 1] - tab[i, 1]); end f;
  parameter Real tab[6, 2] = $rows;" "der(x) = f(time, tab);"
model Turns "function f input Real t; output Real y; protected Real s; Integer n; algorithm
    s := t; n := 0; while s > 0.1 loop s := s - 0.1; n := n + 1; end while;
    y := if n == 5 then exp(-((s - 0.0033)/1e-4)^2) else 0; end f;" "der(x) = 0.9/1.772453850905516e-4*f(time);"
for name in Table OverTime OfState Rows Turns; do
    for options in "--method be" "--method radau5" "--method lie --static"; do
        expect 0 W1379 sim $name.mo $options --step 10ms
    done
    for options in "" "--method ida" "--method radau5 --tolerance 1e-6"; do
        checks=$((checks + 1))
        "$TAKT" sim $name.mo $options -o out.csv --quiet || fail "$name $options fails"
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "\"x\"") c = i } { x = $c }
            END { exit !(x > 0.899 && x < 0.901) }' out.csv || fail "$name $options: $(tail -1 out.csv)"
    done
done
# what the grid shows is not said
model Slow "Takt.Blocks.Tables.Table1 t(table = [0, 0; 0.3, 1; 0.6, 0.5; 1, 2]);" "t.u = time; der(x) = t.y;"
expect 0 "trust" sim Slow.mo --method radau5 --step 10ms
! "$TAKT" sim Slow.mo --method radau5 --step 10ms 2>&1 | grep -q W1379 || fail "Slow: W1379"
# a comparison with a carrier whose period is the step: on at every point of the grid
model Fixed "Boolean on;" "on = mod(time, 0.01) < 0.003; der(x) = if on then 1 else 0;"
model Swept "Real d;" "d = 0.5 + 0.4*sin(31.4*time); der(x) = ((if mod(time, 0.01) < 0.01*d then 1 else 0) - x)/0.1;"
model Driven "Real d(start = 0.3, fixed = true);" "der(d) = 0.1; der(x) = if mod(time, 0.01) < 0.01*d then 1 else 0;"
for name in Fixed Swept Driven; do
    for method in be lie radau5 rk4; do expect 0 W1379 sim $name.mo --method $method --step 10ms; done
done
! "$TAKT" sim Driven.mo --method radau5 --step 10ms 2>&1 | grep -q W1335 || fail "Driven: one change in a step is W1335"
for method in radau5 rk4; do expect 0 "floor.*changes 2 times.*W1335" sim Driven.mo --method $method --step 20ms; done
# an assertion that fails between two points, and a terminate()
cat >Crest.mo <<'MO'
model Crest
  parameter Real limit = 0.99995;
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  assert(not x > limit or time > 4, "x is beyond its stop");
  annotation(experiment(StopTime = 4, Interval = 0.03));
end Crest;
MO
sed 's/assert.*/when x > limit then terminate("done"); end when;/' Crest.mo >Done.mo
sed -i 's/Crest/Done/' Done.mo
for options in "--method radau5" "--method radau5 --events exact" "--method ros2 --static" "--method rodas4 --step 0.3"; do
    expect 0 "Crest.mo:7:.*this assertion fails at time 1.5[67].*W1379" sim Crest.mo $options
    expect 0 "trust" sim Crest.mo $options --set limit=1.001
    ! "$TAKT" sim Crest.mo $options --set limit=1.001 2>&1 | grep -q W1379 || fail "Crest $options: W1379"
done
for options in "" "--method ida" "--method radau5 --tolerance 1e-6" "--method rk4 --tolerance 1e-5" "--method bdf --tolerance 1e-6 --step 1"; do
    expect 1 "assertion failed at time 1.5[67].*E1320" sim Crest.mo $options
    expect 0 "trust" sim Crest.mo $options --set limit=1.001
done
expect 0 "x > limit is another than at both: an event there is lost.*W1379" sim Done.mo --method rodas4 --step 0.3
# slopes that jump without an event, and one that bends
model Comb "Real s(start = 0, fixed = true);" "der(s) = 1; der(x) = noEvent(if mod(s, 0.137) < 0.0137 then 1 else 0);"
model Clip "Real u;" "u = 5*cos(30*time); der(x) = noEvent(if u > 1 then 1 elseif u < -1 then -1 else u);"
for options in "--method be" "--method ros2" "--method lie --static" "--method be --events exact"; do
    expect 0 "slopes jump without an event in [0-9]* steps.*W1373" sim Comb.mo $options --step 3ms
    ! "$TAKT" sim Clip.mo $options --step 1ms 2>&1 | grep -q W1373 || fail "Clip $options: W1373"
done
# sample() without an interval
model Never "parameter Real T = 0.1; Integer n(start = 0, fixed = true);" "der(x) = 0.9; when sample(0, T) then n = pre(n) + 1; end when;"
for options in "" "--method ida" "--method be" "--method lie --static"; do
    expect 0 "Never.mo.*interval of sample(0, 0) is not above 0.*W1335" sim Never.mo $options --set T=0
    ! "$TAKT" sim Never.mo $options 2>&1 | grep -q W1335 || fail "Never $options: W1335"
done
finish
