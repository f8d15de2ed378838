#!/usr/bin/env bash
# What `takt cost` counts is what callgrind counts, within 12 %: on the robot, on
# models with events, and on the library's where it is there (TAKT_MSL). The work of
# a step is the same in all that are looked at.
# build: release
# cost: 9
. "$TAKT_SOURCE/tests/support/cli.sh"
sanitized && skip "counts are of the release build"
command -v valgrind >/dev/null || skip "no valgrind"
[ "$(uname -m)" = x86_64 ] || skip "counts are those of x86-64"
"$TAKT_CC" --version | grep -q "Free Software" || skip "counts are those of gcc"
cd "$TAKT_SOURCE" || exit 4
export TAKT

# agree MODEL OPTION...
agree() {
    local model=$1 counted low high
    shift
    set -- --method lie --step 1ms --math takt "$@"
    run_takt cost "$model" --json "$@"
    counted=$(sed -n 's/.*"instructions":[^0-9]*\([0-9]*\).*/\1/p' "$work/out" | head -1)
    read -r _ low _ high < <(bench/count_steps.sh "$model" 20 "$@" 2>"$work/err")
    echo "$(basename "$model" .mo): ${counted:-none} counted, ${low:-none} to ${high:-none} measured"
    [ "${low:-0}" -gt 0 ] && [ "$low" = "${high:-}" ] || fail "$model: the work varies: $low to $high"
    [ $((100 * ${counted:-0})) -ge $((88 * ${high:-1})) ] &&
        [ $((100 * ${counted:-0})) -le $((112 * ${high:-1})) ] ||
        fail "$model: $counted counted, $high measured"
}

for name in SixAxisRobot DriveTrain HydraulicClutch Rectifier FourBar; do
    agree "models/gallery/$name.mo"
done
if [ "${TAKT_MSL:-}" ]; then
    agree Modelica.Mechanics.Rotational.Examples.CoupledClutches -L "$TAKT_MSL"
    agree Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot -L "$TAKT_MSL"
fi
finish
