#!/usr/bin/env bash
# demo.sh - what `make demo` shows: a six-axis robot goes from its Modelica source
# through check, tune and build to compiled code that is run for its trajectory, then
# in real time, and to a page that says all of it.
#
#   demo.sh [--short]   with TAKT=PROGRAM in the environment nothing is built; --short is
#                       for tests: a tenth of the trajectory, the rest is the same
set -u
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 4
model=models/gallery/SixAxisRobot.mo
name=SixAxisRobot
step=1ms
out=${TAKT_DEMO:-build/demo}
failed=0
stop=1.8 steps=1800 seconds=5 attacks=10
[ "${1:-}" = --short ] && { stop=0.18 steps=180 seconds=0.5 attacks=1; }

# show WANTED-EXIT-CODE COMMAND...
show() {
    local want=$1
    shift
    printf '\n$ %s\n' "$*"
    "$@" 2>&1
    local code=$?
    if [ $code != "$want" ]; then
        echo "demo: exit code $code, expected $want" >&2
        failed=1
    fi
}

# value KEY FILE: the first number under a key of a JSON file
value() { tr -d ' \t\n' <"$2" | grep -o "\"$1\":[-0-9.e+]*" | head -n 1 | cut -d: -f2; }

[ -n "${TAKT:-}" ] || { TAKT=build/takt
echo "building takt"
cmake -S . -B build -G Ninja -DTAKT_SANITIZE=OFF >build.log 2>&1 &&
    cmake --build build -j "${JOBS:-2}" --target takt >>build.log 2>&1 ||
    { tail -n 60 build.log; rm -f build.log; exit 4; }
rm -f build.log; }
rm -rf "$out"
mkdir -p "$out"

cat <<'END'

A robot with six axes: controllers, motors, elastic gears with friction, and an
arm whose mass matrix couples all joints. takt flattens it to scalar equations,
finds its index and its states, and orders its equations in blocks.
END
show 0 "$TAKT" check $model

cat <<'END'

What does a step of 1 ms need? takt looks at the spectrum along the trajectory, solves
together what is stiff and the rest by explicit means, tries every candidate out and
attacks the one that it is about to recommend. The robot is as built: its parameters are
constants (--tunable none), what varies are start values and how long it moves.
END
show 0 "$TAKT" tune $model --step $step --stop $stop --only mixed --tunable none --attack $attacks -o "$out/$name.plan.json" --html "$out/$name.report.html"

cat <<'END'

The plan becomes C99 without allocation, compiled and run for the trajectory.
END
show 0 "$TAKT" build $model --plan "$out/$name.plan.json" --target c -o "$out/$name"
cmake -S "$out/$name" -B "$out/$name/build" >"$out/cmake.log" 2>&1 || { cat "$out/cmake.log"; failed=1; }
show 0 cmake --build "$out/$name/build" -- --no-print-directory
printf '\n$ %s\n' "$out/$name/build/${name}_example $steps"
"$out/$name/build/${name}_example" $steps >"$out/end.txt" || failed=1
"$TAKT" sim $model --method ida --step $step --stop $stop --quiet -o "$out/reference.csv" || failed=1

plan=$out/$name.plan.json
"$TAKT" check $model --json >"$out/check.json" 2>/dev/null
# The joints at the end: compiled code and reference.
distance=$(awk 'NR == FNR { value[$1] = $2; next }
    FNR == 1 { gsub(/"/, ""); n = split($0, name, ","); next }
    { last = $0 }
    END { split(last, x, ",")
          for (i = 1; i <= n; i++)
              if (name[i] in value && name[i] ~ /^q\[/) {
                  d = value[name[i]] - x[i]; d = d < 0 ? -d : d
                  if (d > most) most = d; seen++ }
          if (seen == 6) printf "%.1e rad", most; else print "?" }' \
    "$out/end.txt" "$out/reference.csv")
case $distance in *rad) ;; *) failed=1 ;; esac

cat <<'END'

The same step holds a deadline every millisecond, with the machine as it is.
END
printf '\n$ %s\n' "$TAKT run $model --plan $plan --stop $seconds -o $out/run.csv"
"$TAKT" run $model --plan "$plan" --stop $seconds --json -o "$out/run.csv" >"$out/run.json" || failed=1
[ "$(value steps "$out/run.json")" = "$(awk "BEGIN { print 1000 * $seconds }")" ] || failed=1
[ "$(value lost "$out/run.json")" = 0 ] || failed=1
[ "$(tail -n 1 "$out/$name.report.html")" = "</body></html>" ] || failed=1

us() { awk -v s="$(value "$1" "$2")" 'BEGIN { printf "%.3g us", 1e6 * s }'; }
printf '\n%s\n' "Summary"
printf '  %-34s %s\n' \
    "equations, states" "$(value equations "$out/check.json"), $(value states "$plan")" \
    "variables coupled in a step" "$(value full_block "$plan") before, $(value largest_block "$plan") after" \
    "instructions per step" "$(value full_instructions "$plan") before, $(value instructions "$plan") after (counted)" \
    "deviation from the reference" "$(printf %.3g "$(value deviation_percent "$plan")") % of the range" \
    "compiled code, angles at the end" "within $distance of it" \
    "largest |eigenvalue| of a step" "$(printf %.6f "$(value spectral_radius "$plan")")" \
    "real time: median of a step" "$(us median "$out/run.json") of a period of 1000 us" \
    "real time: steps, overruns" "$(value steps "$out/run.json"), $(sed -n '/"overruns"/,/}/s/.*"count":[^0-9]*\([0-9]*\).*/\1/p' "$out/run.json")" \
    "from a tick to its results, at most" "$(us delta_min "$out/run.json")" \
    "report, to open in a browser" "$out/$name.report.html"
[ $failed = 0 ] || echo "demo: something is not as it should be" >&2
exit $failed
