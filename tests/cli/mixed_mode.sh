#!/usr/bin/env bash
# Mixed mode and delays through plans: the spring pendulum of Gustafsson 2021,
# 3.2 and 4.1, and the circuit of 5.3. Prints the errors of the four curves.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
gallery=$TAKT_SOURCE/models/gallery

plan() { # name text
    printf '{"takt_plan": 1, "method": "be", %s}\n' "$2" >"$work/$1.json"
}
near() { # what value expected tolerance
    awk -v x="$2" -v y="$3" -v t="$4" \
        'BEGIN { exit !(x != "" && x - y <= t && y - x <= t) }' ||
        fail "$1 is '$2', expected $3"
}

# --- the spring pendulum at h = 0.01 ---------------------------------------
# Largest error of x, v, theta, omega against the reference: at 20 s, and over
# the run.
pendulum=$gallery/SpringPendulum.mo
columns='NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); at[$i] = i }
                   next }
         { print $at["x"], $at["v"], $at["theta"], $at["omega"] }'
states() { # file
    awk -F, "$columns" "$1"
}
expect 0 rtol sim "$pendulum" --method ida --tolerance 1e-12 --step 0.01 \
    -o "$work/reference.csv"
states "$work/reference.csv" >"$work/reference.txt"
curve() { # name end largest option...
    local name=$1 end=$2 largest=$3
    shift 3
    expect 0 "2000 steps" sim "$pendulum" --step 0.01 -o "$work/$name.csv" "$@"
    states "$work/$name.csv" | paste -d' ' - "$work/reference.txt" |
        awk '{ e = 0
               for (i = 1; i <= 4; i++) { d = $i - $(i + 4)
                   if (d < 0) d = -d
                   if (d > e) e = d }
               if (e > most) most = e }
             END { printf "%.6f %.6f\n", e, most }' >"$work/error"
    read -r at_end over <"$work/error"
    printf '%-20s %10s %10s\n' "$name" "$at_end" "$over"
    near "error of $name at 20 s" "$at_end" "$end" 0.005
    near "largest error of $name" "$over" "$largest" 0.005
}
plan mixed '"modes": {"theta": "explicit", "omega": "explicit"}'
printf '%-20s %10s %10s\n' "" "at 20 s" "largest"
curve mixed 0.154 0.453 --plan "$work/mixed.json"
curve implicit 2.934 3.303 --method be
curve explicit 6.540 14.004 --method fe
curve predictor-corrector 2.979 3.308 --method pece

# The state at the end, to many digits.
run_takt sim "$pendulum" --step 0.01 --plan "$work/mixed.json" --json
value() { # name
    sed -n "s/^[[:space:]]*\"$1\":[[:space:]]*\([-0-9.e+]*\),*\$/\1/p" \
        "$work/out" | tail -1
}
near x "$(value x)" 0.9603222706899353 1e-11
near v "$(value v)" -2.4855115965740624 1e-11
near omega "$(value omega)" -1.2949306630739974 1e-11

# 4.1: a loop of 6 with 2 iteration variables; 1 with the angular velocity slow,
# and then nothing is gained by the angle.
expect 0 "block of 6, .*torn to 2" check "$pendulum" --method be --step 0.01 \
    --dump=schedule
plan omega '"modes": {"omega": "explicit"}'
expect 0 "step: 6 equations, 4 blocks, 1 iteration" check "$pendulum" \
    --plan "$work/omega.json" --step 0.01 --dump=schedule
grep -q "block of 3, .*torn to 1" "$work/out" || fail "no block of 3 is left"
expect 0 "step: 6 equations, 4 blocks, 1 iteration" check "$pendulum" \
    --plan "$work/mixed.json" --step 0.01 --dump=schedule
# A cut of the formula is the same as the mode; der(x) may go by another name.
plan cut '"cuts": [{"kind": "step", "eq": "int(omega)", "var": "der(omega)"}]'
expect 0 "step: 6 equations, 4 blocks, 1 iteration" check "$pendulum" \
    --plan "$work/cut.json" --step 0.01 --dump=schedule
plan cut '"cuts": [{"kind": "step", "eq": "int(x)", "var": "v"}]'
expect 0 "x := old(x) + h\*old(der(x))" check "$pendulum" \
    --plan "$work/cut.json" --step 0.01 --dump=schedule

# --- the circuit -------------------------------------------------------------
circuit=$gallery/RcNetwork.mo
expect 0 "block of 9" check "$circuit" --method be --step 0.01 --dump=schedule
vc='{"kind": "step", "eq": "#5", "var": "VC"}'
i2='{"kind": "step", "eq": "#9", "var": "I2"}'
plan split "\"step\": 0.01, \"cuts\": [$vc, $i2]"
expect 0 "block of 5" check "$circuit" --plan "$work/split.json" --dump=schedule
grep -q "block of 4" "$work/out" || fail "the circuit is not split into 5 + 4"
# What the undelayed equations have left over is of order h.
for step in 0.01 0.001; do
    expect 0 "VC delayed in #5: that equation is off by at most" \
        sim "$circuit" --plan "$work/split.json" --step $step
    grep "off by" "$work/out"
    run_takt sim "$circuit" --plan "$work/split.json" --step $step --json
    near "residual of #9 at $step" "$(value largest)" \
        "$(awk -v h=$step 'BEGIN { print 0.1764 * h }')" \
        "$(awk -v h=$step 'BEGIN { print 0.01 * h }')"
done
# Between iterations: the fixed point is that of backward Euler, two iterations
# more divide the last correction by 1/0.1398^2 = 51.
it='{"kind": "iterate", "eq": "#5", "var": "VC"},
    {"kind": "iterate", "eq": "#9", "var": "I2"}'
for n in 8 10; do
    plan iterate "\"step\": 0.01, \"algebraic\": \"keep\", \"newton\": $n,
        \"cuts\": [$it]"
    run_takt sim "$circuit" --plan "$work/iterate.json" --json
    [ $n = 8 ] && last=$(value residual)
done
near VB "$(value VB)" -0.7270732534722335 1e-9
near VC "$(value VC)" -0.38094060396337104 1e-9
near "contraction of two iterations" \
    "$(awk -v a="$last" -v b="$(value residual)" 'BEGIN { print b / a }')" \
    0.01954 0.0005
# Where the plan leaves open what is iterated on, it is a matrix that has them.
for how in keep auto; do
    plan iterate "\"step\": 0.01, \"algebraic\": \"$how\", \"newton\": 1,
        \"cuts\": [$it]"
    run_takt sim "$circuit" --plan "$work/iterate.json" --json
    near "VC, one iteration, $how" "$(value VC)" -0.3817686218026662 1e-9
done
# Two variables delayed in one equation.
vb='{"kind": "step", "eq": "#5", "var": "VB"}'
plan two "\"step\": 0.01, \"cuts\": [$vc, $vb]"
expect 0 "VC, VB delayed in #5" sim "$circuit" --plan "$work/two.json"
plan nowhere '"step": 0.01, "cuts": [{"kind": "step", "eq": "#4", "var": "VC"}]'
expect 1 "'VC' cannot be delayed in equation '#4'.*E1206" sim "$circuit" \
    --plan "$work/nowhere.json"
plan itself '"step": 0.01,
    "cuts": [{"kind": "step", "eq": "int(VB)", "var": "VB"}]'
expect 1 "'VB' cannot be delayed in equation 'int(VB)'" sim "$circuit" \
    --plan "$work/itself.json"
plan unknown '"step": 0.01,
    "cuts": [{"kind": "step", "eq": "#5", "var": "der(VX)"}]'
expect 1 "has no variable 'der(VX)'.*E1205" sim "$circuit" \
    --plan "$work/unknown.json"

# --- the defect of old values -----------------------------------------------
# An input that moves slowly leaves next to nothing over, one that kicks raises a
# doubt in that step: at the desk, as generated code looks, with and without a
# residual that has the unknown it is paired with, linear and not.
lag() { # NAME TERM
    printf 'model %s
      input Real u(start = 0);
      Real p(start = 0, fixed = true), q, f;
    equation
      der(p) = u - f;
      f = 2*q;
      q = p - %s + 0.1*u;
      annotation(experiment(StopTime = 1));
    end %s;\n' "$1" "$2" "$1" >"$work/$1.mo"
}
lag Line '0.3*f'
lag Cube '0.3*f^3'
plan lag '"step": 0.01, "cuts": [{"kind": "step", "eq": "#3", "var": "f"}]'
plan none '"step": 0.01'
printf 'time,u\n0,0\n1,0.2\n' >"$work/slow.csv"
printf 'time,u\n0,0\n0.5,0\n0.51,3\n0.52,0\n1,0\n' >"$work/jump.csv"
doubt() { # MODEL PLAN INPUT OPTION...: time of the first, or nothing
    run_takt sim "$work/$1.mo" --plan "$work/$2.json" --input "$work/$3.csv" --estimate off "${@:4}"
    sed -n 's/.*hardly hold where the step ends.*the first at time \([0-9.]*\).*/\1/p' "$work/err"
}
for m in Line Cube; do
    for how in "--defect full" "--defect full --static" "--defect cheap --static"; do
        [ -z "$(doubt $m lag slow $how)" ] || fail "$m, $how: a slow input raises a doubt"
        at=$(doubt $m lag jump $how)
        near "$m, $how: the doubt where the input jumps" "$at" 0.51 0.005
        [ -z "$(doubt $m none jump $how)" ] || fail "$m, $how: a doubt without old values"
    done
done
finish
