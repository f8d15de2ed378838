#!/usr/bin/env bash
# arrays.sh - runs on derivative arrays: factorisations with reuse and without,
# rows that are left out, and the drift of completions, as rows of the tables of
# docs/methods/derivative-arrays.md. $TAKT is the program.
set -eu
takt=${TAKT:-build/takt}
value() { # value JSON KEY...
    python3 -c 'import json, sys
j = json.load(open(sys.argv[1]))
print(" | ".join(("%d" if isinstance(j[k], int) else "%.0e") % j[k] for k in sys.argv[2:]))' "$@"
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { # run FILE MODEL METHOD TOLERANCE STEP [OPTION...]
    local file=$1
    "$takt" sim "$2" --method "$3" --tolerance "$4" --step "$5" --json \
        "${@:6}" >"$work/$file" 2>/dev/null
}
echo "| model | tolerance | steps | factorisations | without reuse |"
echo "|---|---|---|---|---|"
while read -r model tolerance step; do
    run on "$model" partition "$tolerance" "$step"
    run off "$model" partition "$tolerance" "$step" --reuse off
    echo "| $(basename "$model" .mo) | $tolerance |" \
        "$(value "$work/on" integrator_steps jacobians) |" \
        "$(value "$work/off" jacobians) |"
done <<'M'
models/gallery/Andrews.mo 1e-6 3ms
models/gallery/Pendulum.mo 1e-8 0.1
tests/cli/index/Hessenberg5.mo 1e-8 0.1
M
echo
# rows that say nothing are left out
echo "| model | rows | of F_nu | flops of a factorisation | of all rows |"
echo "|---|---|---|---|---|"
while read -r model step; do
    run few "$model" partition 1e-6 "$step"
    run all "$model" partition 1e-6 "$step" --rows all
    echo "| $(basename "$model" .mo) |" \
        "$(value "$work/few" rows all_rows flops) |" \
        "$(value "$work/all" flops) |"
done <<'M'
models/gallery/Pendulum.mo 0.1
models/gallery/Andrews.mo 3ms
tests/cli/index/Hessenberg6.mo 0.1
models/gallery/RotatedPendulum.mo 0.1
tests/cli/index/RotatedHessenberg4.mo 0.1
M
echo
# with the derivatives that leave least, and with those of the run
echo "| model | completion: drift | defect | by Adams: drift | defect | partition: drift | defect |"
echo "|---|---|---|---|---|---|---|"
for model in models/gallery/Pendulum.mo models/gallery/RotatedPendulum.mo \
    tests/cli/index/Hessenberg6.mo; do
    for method in completion completion-adams partition; do
        run $method $model $method 1e-8 0.1
    done
    echo "| $(basename "$model" .mo) |" \
        "$(value "$work/completion" drift defect) |" \
        "$(value "$work/completion-adams" drift defect) |" \
        "$(value "$work/partition" drift defect) |"
done
