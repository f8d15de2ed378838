#!/usr/bin/env bash
# spatialDistribution(): what leaves a pipe whose flow turns around, against its
# solution by characteristics; in generated C to the last bit and in constant
# work; too few points are said; saved and continued.
# build: release
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
sanitized && skip "generated code, and what a unit test shows with sanitizers"
cd "$work" || exit 4

# The way goes to 1.5 and back. Where did what leaves now enter?
cat >Turns.mo <<'M'
model Turns
  parameter Real tolerance = 1e-6;
  Real v(start = 1), x(start = 0, fixed = true), out0, out1, slope;
  Real y0 "what leaves at 0", y1 "what leaves at 1";
  Boolean jumps "near one, a fixed step is late";
equation
  v = if time < 1.5 then 1 else -1;
  der(x) = v;
  (out0, out1) = spatialDistribution(2 + time, -1 - time, x, v >= 0, {0, 0.5, 1}, {5.0, 5.5, 6.0});
  slope = der(out1);
  y1 = if time < 1 then 6 - time else if time < 1.5 then 1 + time else -1 - time;
  y0 = if time < 1.5 then 2 + time else if time < 2.5 then 5 - time else -time;
  jumps = abs(time - 1) < 0.03 or abs(time - 1.5) < 0.03 or abs(time - 2.5) < 0.03;
  assert(jumps or abs(out0 - y0) < tolerance, "what leaves at 0 is " + String(out0) + ", not " + String(y0));
  assert(jumps or abs(out1 - y1) < tolerance, "what leaves at 1 is " + String(out1) + ", not " + String(y1));
  assert(jumps or abs(slope - (if time > 1 and time < 1.5 then 1 else -1)) < tolerance, "its slope is " + String(slope));
end Turns;
M
for with in "" "--method ida" "--method radau5 --tolerance 1e-6" "--method be --step 10ms" "--method lie --step 10ms" \
    "--method rk4 --step 10ms" "--method bdf2 --step 10ms"; do
    # shellcheck disable=SC2086
    expect 0 "signals" sim Turns.mo --stop 3.5 $with -o o.csv
done
sed 's/-1 - time, x/-1.1 - time, x/' Turns.mo >Wrong.mo
expect 1 "what leaves at 1 is" sim Wrong.mo --method be --step 10ms --stop 3.5

# No function of libm: its work is the same in every step.
cat >Swing.mo <<'M'
model Swing "a pipe in which the fluid swings"
  Real x(start = 0.2, fixed = true), v(start = 1.2, fixed = true);
  Real a(start = 0, fixed = true), b(start = 1, fixed = true), out0, out1;
  parameter Real first[4] = {0, 1, 3, 2};
equation
  der(x) = v;
  der(v) = -x;
  der(a) = 3*b;
  der(b) = -3*a;
  (out0, out1) = spatialDistribution(a, b, 1.5*x, v >= 0, {0, 0.4, 0.4, 1}, first);
end Swing;
M
for method in lie rk4 radau3; do
    run_takt build Swing.mo --method $method --step 10ms --stop 10 --all --quiet --name model -o $method
    [ "$code" = 0 ] || { fail "build $method: $code"; cat "$work/err"; }
    "$TAKT_CC" -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror -O1 -ffp-contract=off -c $method/model.c \
        -o $method/model.o && "$TAKT_CC" -O1 -I$method $method/example/main.c $method/model.o -lm -o $method/run ||
        fail "$method: compiler"
    run_takt sim Swing.mo --static --estimate off --defect off --method $method --step 10ms --stop 10 --quiet \
        --every 1000 -o sim.csv
    $method/run 1000 >values || fail "$method: the run failed"
    same values sim.csv >diff || { fail "$method differs:"; head -3 diff; }
done
run_takt build Swing.mo --method lie --step 10ms --stop 10 --quiet --name model --points 50 -o few
"$TAKT_CC" -O1 -Ifew few/example/main.c few/model.c -lm -o few/run
few/run 1000 >out && fail "50 points are enough"
grep -q "needs more points than it may have" out || { fail "few points:"; cat out; }
if command -v valgrind >/dev/null && [ "$(uname -m)" = x86_64 ]; then
    read -r _ low _ high < <("$TAKT_SOURCE/bench/count_steps.sh" Swing.mo 300 --method lie --step 10ms 2>err)
    echo "instructions of a step: ${low:-none} to ${high:-none}"
    [ "${low:-0}" -gt 0 ] && [ "$low" = "${high:-}" ] || { fail "the work varies"; cat err; }
fi

# saved and continued
options="--method be --step 10ms"
# shellcheck disable=SC2086
{
    expect 0 "steps" sim Swing.mo $options --stop 4 -o whole.csv
    expect 0 "steps" sim Swing.mo $options --stop 2 --save-state half.json
    expect 0 "steps" sim Swing.mo $options --stop 4 --from-state half.json -o rest.csv
}
[ "$(tail -1 whole.csv)" = "$(tail -1 rest.csv)" ] || fail "a run that was continued differs"
finish
