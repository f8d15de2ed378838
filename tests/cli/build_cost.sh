#!/usr/bin/env bash
# The certificate against the object: code within 25 % of what `size` shows,
# the stack of a step, the bytes of an instance exactly.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE" || exit 4
[ "$(uname -m)" = x86_64 ] || skip "estimates are those of x86-64"
"$TAKT_CC" --version | grep -q "Free Software" || skip "estimates are those of gcc"

number() { sed -n "s/.*\"$1\":[^0-9]*\([0-9]*\).*/\1/p" "$2" | head -1; }

for name in HeatDiffusion DiodeLadder TransistorAmplifier FourBar ExhaustPipe \
    MotorDrive SampledControl Hires VanDerPol; do
    expect 0 . build "models/gallery/$name.mo" --step 1ms --name model \
        -o "$work/model"
    "$TAKT_CC" -O2 -ffp-contract=off -fno-math-errno -fstack-usage \
        -c "$work/model/model.c" -o "$work/model.o" || fail "$name: compiler"
    sheet=$work/model/model.cost.json
    code=$(number code_bytes "$sheet") text=$(size "$work/model.o" |
        awk 'NR == 2 { print $1 }')
    stack=$(number stack_bytes "$sheet") used=$(awk -F'\t' '
        $1 ~ /model_step/ { if ($2 > most) most = $2 } END { print most }' \
        "$work/model.su")
    echo "$name: code $code of $text, stack $stack of $used"
    [ $((100 * code)) -ge $((75 * text)) ] &&
        [ $((100 * code)) -le $((125 * text)) ] ||
        fail "$name: code $code, size says $text"
    [ $((100 * stack)) -ge $((75 * used)) ] || fail "$name: stack $stack of $used"
    cat >"$work/bytes.c" <<'C'
#include <stdio.h>
#include "model.h"
int main(void) { return printf("%zu\n", sizeof(model)) < 0; }
C
    "$TAKT_CC" "-I$work/model" "$work/bytes.c" -o "$work/bytes" &&
        [ "$("$work/bytes")" = "$(number data_bytes "$sheet")" ] ||
        fail "$name: data $(number data_bytes "$sheet"), not $("$work/bytes")"
done
finish
