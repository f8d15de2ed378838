#!/usr/bin/env bash
# What a step says: fine, a warning, a failure with the last good state kept,
# an assertion, terminate(); and delay() to the last bit.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE" || exit 4
strict="-std=c99 -Wall -Wextra -Wconversion -pedantic -Werror"
sanitize="-fsanitize=undefined,address -fno-sanitize-recover=all"

cat >"$work/main.c" <<'C'
/* main STEPS: one line per step that is not fine, then the values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model.h"
int main(int argc, char **argv)
{
    static model m, before;
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
    int start = model_init(&m);
    if (start)
        printf("start %d %s: %s\n", start, model_status_text(start),
               model_where(&m));
    for (long k = 1; k <= n && start >= 0; k++) {
        before = m;
        int status = model_step(&m);
        if (status)
            printf("step %ld: %d %s: %s; causes %u, FMI %d\n", k, status,
                   model_status_text(status), model_where(&m), m.causes,
                   model_fmi_status(status));
        if ((status == 0) != (m.causes == 0) || status != m.status)
            printf("step %ld: status %d, but causes %u\n", k, status, m.causes);
        if (status < 0 && memcmp(&before.s, &m.s, sizeof m.s))
            printf("the last good state was lost\n");
        if (status < 0 || status == MODEL_TERMINATED)
            break;
    }
    for (int i = 0; i < MODEL_NVAR; i++)
        printf("%s %.17g\n", model_name(i), (double)model_get(&m, i));
    return 0;
}
C

# runs NAME [OPTION...]: builds $work/NAME.mo and leaves its output in values
runs() {
    local name=$1
    shift
    run_takt build "$work/$name.mo" --step 1ms --all --quiet --name model \
        -o "$work/model" "$@"
    [ "$code" = 0 ] || { fail "build $name"; head -3 "$work/err"; return; }
    "$TAKT_CC" $strict $sanitize -O1 -ffp-contract=off "-I$work/model" \
        "$work/model/model.c" "$work/main.c" -lm -o "$work/run" 2>"$work/cc" ||
        { fail "$name: compiler"; head -5 "$work/cc"; return; }
    timeout 60 "$work/run" 1000 >"$work/values" 2>"$work/sanitizer" ||
        { fail "$name: run"; head -5 "$work/sanitizer"; }
}

says() {
    grep -q -e "$1" "$work/values" ||
        { fail "no line '$1' in:"; head -5 "$work/values"; }
}

# divides by zero in mid run
cat >"$work/Zero.mo" <<'M'
model Zero
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = 1/(floor(10*x) - 5);
end Zero;
M
runs Zero
says "step 40[01]: -1 a value is not finite"
! grep -q "was lost" "$work/values" || fail "Zero: the last good state was lost"
# diverges: the state leaves all bounds
cat >"$work/Blow.mo" <<'M'
model Blow
  Real x(start = 1, fixed = true);
equation
  der(x) = exp(x);
end Blow;
M
runs Blow --method rk4
says "step .*: -1 a value is not finite"
! grep -q "was lost" "$work/values" || fail "Blow: the last good state was lost"
awk '/^x / { exit !($2 - $2 == 0) }' "$work/values" || fail "Blow: x is not finite"
# a nonlinear block without a solution after a while names itself
cat >"$work/Root.mo" <<'M'
model Root
  Real x(start = 1, fixed = true), y(start = 1);
equation
  der(x) = -2;
  y^3 + y*exp(y) = sqrt(x) + y*x;
end Root;
M
runs Root
says "step .*: -1 a value is not finite: y"
! grep -q "was lost" "$work/values" || fail "Root: the last good state was lost"
# a block that does not converge in its fixed number of iterations
cat >"$work/Slow.mo" <<'M'
model Slow
  Real x(start = 0, fixed = true), y(start = 0);
equation
  der(x) = 1;
  y + 1e-3*(exp(40*y) - 1) = 5*sin(200*x);
end Slow;
M
runs Slow --method be --newton 2
says "1 a block did not converge: y; causes 256, FMI 1"
! grep -q "but causes" "$work/values" || fail "Slow: causes"

# assertions of both levels, and terminate
cat >"$work/Watch.mo" <<'M'
model Watch
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 0.2, "x is above 0.2", AssertionLevel.warning);
  assert(x < 0.3, "x is above 0.3");
end Watch;
M
runs Watch
says "step 200: 3 an assertion warns: x is above 0.2"
says "step 300: -2 an assertion failed: x is above 0.3"
says "step 300: .*; causes 131136, FMI 3" # an assertion of either level
! grep -q "but causes" "$work/values" || fail "Watch: causes"
! grep -q "was lost" "$work/values" || fail "Watch: the last good state was lost"
cat >"$work/Ends.mo" <<'M'
model Ends
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.2505 then
    terminate("far enough");
  end when;
end Ends;
M
runs Ends
says "step 251: 4 the model ends the run: far enough; causes 128, FMI 0"

# delay(): constant, changing, shorter than a step; in stages of a method
cat >"$work/Late.mo" <<'M'
model Late
  parameter Real T = 0.0253;
  Real x(start = 1, fixed = true), y, z, short;
equation
  der(x) = -5*y + z;
  y = delay(x, T);
  z = delay(time*x, 0.01 + 0.005*sin(20*time), 0.02);
  short = delay(x, 0.0004);
end Late;
M
for method in lie rk4 radau3 bdf2; do
    runs Late --method $method
    run_takt sim "$work/Late.mo" --static --method $method --step 1ms --stop 1 \
        --quiet --every 1000 -o "$work/sim.csv"
    awk 'NR == FNR { v[$1] = $2; next }
         FNR == 1 { gsub(/"/, ""); n = split($0, head, ",") } { last = $0 }
         END { split(last, x, ",")
               for (i = 2; i <= n; i++)
                   if (v[head[i]] + 0 != x[i] + 0) {
                       print head[i] ": " v[head[i]] " and " x[i]; bad = 1 }
               exit bad }' "$work/values" "$work/sim.csv" >"$work/diff" ||
        { fail "Late ($method) differs:"; head -4 "$work/diff"; }
done
# sample() in steps of 1 ms and initial(), as known by hand after 1000 steps:
# y is what x came with at the last instant, 1; x and u count from there
cat >"$work/Sampled.mo" <<'M'
model Sampled
  Real x(start = 0, fixed = true), s(start = 0, fixed = true);
  discrete Real y(start = 0, fixed = true), u(start = 0, fixed = true);
  Boolean begun(start = false, fixed = true);
  Integer k(start = 0, fixed = true);
equation
  der(x) = 8;
  der(s) = u;
  begun = pre(begun) and x > 100 or initial() and x < 1;
  k = pre(k) + (if edge(begun) then 1 else 0);
  when sample(0.125, 0.125) then
    y = pre(x);
    u = pre(u) + 1;
    reinit(x, 0);
  end when;
end Sampled;
M
for method in lie be rk4 radau3; do
    runs Sampled --method $method
    for want in "y 1" "u 8" "x 0" "begun 0" "s 3.5"; do
        awk -v want="$want" 'BEGIN { split(want, w, " ") }
            $1 == w[1] { d = $2 - w[2]; found = d < 1e-11 && d > -1e-11 }
            END { exit !found }' "$work/values" ||
            fail "Sampled by $method: not $want but $(grep "^${want%% *} " "$work/values")"
    done
done

# a loop of discrete variables: the desk solves it, a fixed number of iterations
# that is too small is said
cat >"$work/Loop.mo" <<'M'
model Loop
  discrete Real y(start = 0), z(start = 0);
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when sample(0.1, 0.1) then
    y = 5 + time - z^3;
    z = 2*y + pre(z);
  end when;
end Loop;
M
for options in "" "--method be --step 10ms" "--method lie --step 10ms --static --newton 12"; do
    # shellcheck disable=SC2086
    run_takt sim "$work/Loop.mo" --stop 0.15 $options -o "$work/loop.csv"
    grep -q W1332 "$work/both" && fail "Loop $options: did not converge"
    tail -1 "$work/loop.csv" | awk -F, '{ exit !($2 > 0.81229122 && $2 < 0.81229124) }' ||
        fail "Loop $options: $(tail -1 "$work/loop.csv")"
done
expect 0 "W1332" sim "$work/Loop.mo" --stop 0.15 --method lie --step 10ms --static
finish
