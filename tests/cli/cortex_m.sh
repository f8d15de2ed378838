#!/usr/bin/env bash
# Steps on an emulated Cortex-M4F: the same number of instructions always, at
# most as many as promised, and the values that the desk computes.
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE" || exit 4
for tool in arm-none-eabi-gcc qemu-system-arm make; do
    command -v $tool >/dev/null || skip "$tool is needed"
done

# counted NAME LIMIT MODEL OPTION...
counted() {
    local name=$1 limit=$2 low high
    shift 2
    run_takt build "$@" --target cortex-m --name "$name" --quiet -o "$work/$name"
    [ "$code" = 0 ] || { fail "build $name: $code"; head -3 "$work/err"; return; }
    timeout 200 make -s -C "$work/$name/firmware" run >"$work/run" 2>&1 ||
        { fail "$name: firmware"; head -5 "$work/run"; return; }
    read -r low high < <(sed -n \
        's/^1000 steps, .*: least \([0-9]*\), largest \([0-9]*\)$/\1 \2/p' "$work/run")
    echo "$name: ${low:-?} to ${high:-?} instructions per step"
    [ -n "$low" ] && [ "$low" = "$high" ] || fail "$name: the work varies"
    [ "${high:-$((limit + 1))}" -le "$limit" ] || fail "$name: more than $limit"
    # the same C in float at the desk; sums are rounded otherwise
    "$TAKT_CC" -O1 -std=c99 -I"$work/$name" "$work/$name/$name.c" \
        "$work/$name/example/main.c" -lm -o "$work/desk" || fail "$name: cc"
    "$work/desk" 1000 >"$work/desk.txt"
    awk 'NR == FNR { v = $NF; sub(/ [^ ]*$/, ""); value[$0] = v; next }
         /^1000 steps/ { next }
         { v = $NF; sub(/ [^ ]*$/, "")
           if (!($0 in value)) { print "missing: " $0; bad = 1; next }
           n++
           d = v - value[$0]; d = d < 0 ? -d : d
           s = value[$0] < 0 ? -value[$0] : value[$0]
           # derivatives are small differences of large numbers in float
           if (d > ($0 ~ /^der/ ? 2e-2*s + 0.1 : 2e-3*(s + 0.01))) { print $0 ": " v " and " value[$0]; bad++ } }
         END { exit bad > n/50 || n == 0 }' "$work/desk.txt" "$work/run" \
        >"$work/differs" || { fail "$name: other values"; head -5 "$work/differs"; }
}

counted bare 600 models/gallery/ExhaustPipe.mo --step 1ms --fixed --no-monitor
counted fixed 690 models/gallery/ExhaustPipe.mo --step 1ms --fixed
counted pipe 700 models/gallery/ExhaustPipe.mo --step 1ms
counted robot 8000 models/gallery/SixAxisRobot.mo --fixed --method lie --step 1ms
expect 2 "target takes c or cortex-m" build models/gallery/Rectifier.mo \
    --target z80 -o "$work/x"
finish
