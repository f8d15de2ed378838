#!/usr/bin/env bash
# The demo, short: every command works, the summary has all its figures, and the run and the
# report are there. Figures of the full one are in its own output.
# cost: 20
. "$TAKT_SOURCE/tests/support/cli.sh"
sanitized && skip "the other build shows it"
cd "$TAKT_SOURCE" || exit 4
TAKT_DEMO=$work/demo CC=$TAKT_CC timeout 200 ./demo.sh --short >"$work/said" 2>&1 || { fail "exit code $?"; tail -50 "$work/said"; }
checks=1
for line in 'equations, states  *[0-9]*, 78' 'variables coupled in a step  *[0-9]* before, [0-9]* after' \
    'instructions per step  *[0-9]* before, [0-9]* after' 'compiled code, angles at the end  *within [0-9.e-]* rad' \
    'real time: steps, overruns  *500, [0-9]' 'real time: median of a step  *[0-9.]* us of a period' \
    'from a tick to its results, at most  *[0-9.e+]* us' 'deviation from the reference  *[0-9.]* %'; do
    grep -q "^  $line" "$work/said" || fail "no line '$line': $(tail -14 "$work/said")"
    checks=$((checks + 1))
done
grep -q 'error' "$work/said" && fail "$(grep error "$work/said")"
tail -1 "$work/said" | grep -q 'report, to open in a browser' || fail "the report is not last"
[ "$(wc -l <"$work/demo/run.csv")" = 502 ] || fail "rows of the run"
finish
