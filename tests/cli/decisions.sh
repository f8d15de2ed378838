#!/usr/bin/env bash
# Decisions are obeyed, refused or warned about, never ignored; the same plan
# decides the same wherever it is used.
# build: sanitizers
source "$TAKT_SOURCE/tests/support/cli.sh"
gallery=$TAKT_SOURCE/models/gallery
heat=$gallery/HeatDiffusion.mo
run="--stop 0.01 --step 1ms"

plan() { # plan TEXT: the file $work/p.json
    echo "{\"takt_plan\": 1, $1}" >"$work/p.json"
}
with="--plan $work/p.json"

# --- for the desk alone -------------------------------------------------------
cat >"$work/Orifice.mo" <<'M'
model Orifice
  Real q(start = 1, fixed = true), dp(start = 1);
equation
  der(q) = -1e4*q;
  q = noEvent(if dp > 0 then sqrt(dp + 1e-12) else -sqrt(-dp + 1e-12));
end Orifice;
M
simulate() { # simulate FILE OPTION...
    "$TAKT" sim "$work/Orifice.mo" --step 1ms --stop 1 --defect off -o "$work/$1.csv" --quiet \
        "${@:2}" >/dev/null 2>&1
}
plan '"method": "lie", "damping": true'
simulate plan $with
simulate line --method lie --damping
simulate none --method lie
cmp -s "$work/plan.csv" "$work/line.csv" || fail "damping of a plan is not obeyed"
cmp -s "$work/plan.csv" "$work/none.csv" && fail "damping makes no difference"
plan '"newton": {"tol": 1e-6}'
for verb in "cost" "build -o $work/code" "sim --static"; do
    expect 1 "'newton.tol' is for the desk.*E1208" $verb "$heat" $with $run
done
expect 0 . sim "$heat" $with $run

# --- what the model or the method cannot do -----------------------------------
plan '"method": "lie", "factor": {"*": "dense"}'
expect 0 'has 50 unknowns, dense factors are for at most 8.*W1204' \
    cost "$heat" $with --algebraic solve
plan '"method": "lie", "factor": {"i0": "qr"}'
expect 0 "'i0' is computed without a matrix.*W1204" \
    cost "$gallery/RlcIndex0.mo" $with
plan '"method": "be", "tearing": {"i0": ["i0"]}'
expect 0 "'i0' is in no block that is torn.*W1205" check "$gallery/RlcIndex0.mo" $with
plan '"states": ["nobody"]'
expect 1 "no variable 'nobody'.*E1205" cost "$heat" $with
plan '"states": ["i1"]'
expect 0 "'i1' cannot be a state.*W1206" cost "$gallery/RlcIndex0.mo" $with
plan '"direct": true, "states": ["i1"]'
expect 1 E1208 cost "$gallery/RlcIndex0.mo" $with
plan '"order_buildup": true, "method": "be"'
expect 1 "not for be.*E1208" cost "$heat" $with
plan '"fixed": true, "init": "solve"'
expect 1 E1208 cost "$heat" $with
expect 2 "exclude\|leaves nothing" cost "$heat" --fixed --init solve
plan '"pivots": {}'
expect 1 "no key 'pivots'" cost "$heat" $with

# --- what is asked for is done, under any name of a variable --------------------
plan '"method": "be", "tearing": {"VB": ["I1", "I2"]}'
expect 0 'VB := E - R1\*I1$' check "$gallery/RcNetwork.mo" $with --dump=schedule
cat >"$work/Loop.mo" <<'M'
model Loop
  Real x(start = 1, fixed = true), a, b, c = b;
equation
  der(x) = -a;
  a^3 + a = x + 0.1*c;
  b^3 + b = x + 0.1*a;
end Loop;
M
for name in b c; do
    plan '"method": "be", "cuts": [{"kind": "sparsed", "eq": "#3", "var": "'$name'"}]'
    refuse 0 W1203 check "$work/Loop.mo" $with
done

# --- a method of the user: the midpoint rule as a one-leg method ----------------
cat >"$work/leg.json" <<'M'
{"order": 2, "oneleg": true, "alpha": [1, -1], "beta": [0.5, 0.5]}
M
cat >"$work/Decay.mo" <<'M'
model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Decay;
M
# (1 - h/2)^2 / (1 + h/2)^2 after two steps of 1/2
expect 0 '"x":[[:space:]]*0.36\(,\|$\|00000\)' sim "$work/Decay.mo" \
    --method "$work/leg.json" --step 0.5 --stop 1 --json

# --- the command line edits the plan ------------------------------------------
plan '"method": "be", "step": 0.5, "init": "values", "scalar": "float"'
expect 0 'linearly implicit Euler, step 0.01 s, double' cost "$heat" $with \
    --method lie --step 10ms --scalar double
plan '"scalar": "float"'
expect 0 'linearly implicit Euler.*float' cost "$heat" $with
finish
