#!/usr/bin/env bash
# The pictures of blocks are those that were looked at.
#
#   tests/cli/pictures.sh --bless     writes them anew: look at them then
# build: sanitizers
source=${TAKT_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
TAKT=${TAKT:-$source/build/takt}
. "$source/tests/support/cli.sh"
cd "$source/tests/golden/check" || exit 4
keep=$source/tests/cli/pictures

for kind in svg html; do
    for name in Mixed Pendulum; do
        run_takt check "$name.mo" --method radau3 --step 0.01 \
            --blt "$work/page.$kind"
        # styles and scripts are the same in all pages
        sed '/^<style>$/,/^<\/style>/d; /^<script>$/,/^<\/script>/d' "$work/page.$kind" >"$work/$name.$kind"
        [ "$code" = 0 ] || fail "$name.$kind: exit code $code"
        [ "${1:-}" = --bless ] && cp "$work/$name.$kind" "$keep"
        cmp "$work/$name.$kind" "$keep/$name.$kind" ||
            fail "$name.$kind is another picture"
    done
done
finish
