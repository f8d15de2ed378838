#!/usr/bin/env bash
# What short runs compute, by value: every method on two small models, a few on
# models with events, sampling, delay, loops and a reduced index; simulated,
# simulated as generated code does, and as generated C.
#
#   tests/cli/trajectories.sh --bless     writes trajectories.expect anew
#
# The number that is kept of a run adds up what its columns hold: of each the
# sum x over weighted rows, as sign(x) log(1 + |x|/1e-6), so that every column
# counts by its relative change and rounding does not.
source=${TAKT_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
TAKT=${TAKT:-$source/build/takt}
# build: release
. "$source/tests/support/cli.sh"
cd "$source" || exit 4
list=tests/cli/trajectories.expect

cat >"$work/Mixed.mo" <<'MO'
model Mixed "a loop, a delay, a sampled control, a switch, a table of ifs"
  parameter Real k = 3;
  parameter Real T = 0.2;
  Real x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
  Real a(start = 0.5), b(start = 0.5);
  Real late = delay(x, 0.03);
  Boolean up(start = false, fixed = true);
  discrete Real u(start = 0.25, fixed = true);
  Real f = if time < 0.05 then sin(20*time) else if x > 0.9 then y^2 else exp(-x);
equation
  2*a + b + 0.1*a^3 = x + 1;
  a - 2*b - 0.1*sin(b) = y + 0.1*u;
  T*der(x) = -a*k + late + f;
  der(y) = if up then -x else 2 + abs(b);
  up = y > 0.08;
  when sample(0.01, 0.02) then
    u = 0.5*pre(u) + x;
  end when;
end Mixed;
MO
cat >"$work/cc" <<'SH'
#!/bin/sh
for a; do shift; [ "$a" = -O2 ] && a=-O0; set -- "$@" "$a"; done
exec cc "$@"
SH
chmod 755 "$work/cc"

# runs: MODEL METHOD STEP STOP WAY
runs() {
    local m w all='fe pece rk2 rk3 rk4 be bdf1 bdf2 bdf3 bdf4 bdf5 trapezoid
        midpoint bi2 radau3 radau5 lobatto4 sdirk4 am3 lie liex2 liex3 liex4
        ros2 rosw3 rodas3 rodas4 rodasp4'
    for m in $all; do
        echo "StiffOscillator $m 0.002 0.02 sim"
        echo "Mixed $m 0.01 0.2 sim"
    done
    for m in rk4 be bdf2 radau3 lie liex2 ros2; do
        echo "Mixed $m 0.01 0.2 static"
        for w in sim static; do
            echo "Pendulum $m 0.01 0.2 $w"
            echo "BacklashDrive $m 0.005 0.1 $w"
        done
    done
    for m in be lie; do
        for w in sim static; do
            echo "SampledControl $m 0.01 0.3 $w"
            echo "DiodeLadder $m 1e-5 2e-4 $w"
            echo "HeatedRoom $m 60 3600 $w"
            echo "CoupledPendulums $m 0.01 0.1 $w"
        done
    done
    for m in lie radau3; do echo "Mixed $m 0.01 0.2 code"; done
    echo "Mixed bdf2 0.01 0.2 code"
    echo "BacklashDrive be 0.005 0.1 code"
    echo "Pendulum ros2 0.01 0.2 code"
    echo "Pendulum ida 0.01 0.2 sim"
    echo "CoupledPendulums cvode 0.01 0.1 sim"
}

fingerprint() {
    awk -F, '
        NR > 1 { for (c = 2; c <= NF; c++) sum[c] += $c*(1 + NR % 7); n = NF }
        END { for (c = 2; c <= n; c++) {
                  x = sum[c] < 0 ? -sum[c] : sum[c]
                  total += (sum[c] < 0 ? -1 : 1)*log(1 + x/1e-6) }
              printf "%.9f\n", total }' "$1"
}

# number MODEL METHOD STEP STOP WAY: of a run, or its exit code
number() {
    local file=models/gallery/$1.mo verb='sim'
    [ "$1" = Mixed ] && file=$work/Mixed.mo
    [ "$5" = static ] && verb='sim --static'
    [ "$5" = code ] && verb='run --no-wait'
    rm -f "$work/run.csv"
    # shellcheck disable=SC2086
    CC=$work/cc run_takt $verb "$file" --method "$2" --step "$3" --stop "$4" \
        --quiet -o "$work/run.csv"
    if [ "$code" = 0 ]; then fingerprint "$work/run.csv"; else echo "exit $code"; fi
}

if [ "${1:-}" = --bless ]; then
    while read -r run; do
        # shellcheck disable=SC2086
        echo "$run $(number $run)"
    done < <(runs) >"$work/list" && cp "$work/list" $list
    exit
fi
[ "$(runs)" = "$(sed 's/^\(\([^ ]* \)\{4\}[^ ]*\).*/\1/' $list)" ] ||
    fail "the runs are not those of $list"
while read -r model method step stop way want; do
    have=$(number "$model" "$method" "$step" "$stop" "$way")
    checks=$((checks + 1))
    tolerance=1e-6
    case $method in ida | cvode) tolerance=1e-2 ;; esac
    awk -v a="$want" -v b="$have" -v most=$tolerance 'BEGIN {
        exit !(a == b || a !~ /exit/ && b !~ /exit/ && a - b <= most &&
               b - a <= most) }' || { fail "$model, $method, $way: $have, not $want"
        [ -n "${TAKT_FIRST:-}" ] && finish; }
done <$list
finish
