#!/usr/bin/env bash
# Whole libraries, where there is a checkout: every file parses, and the printed
# tree parses to the same tree. The release build reads 15 MB in under 1 s.
. "${TAKT_SOURCE:?}/tests/support/cli.sh" || exit 4

any=
for dir in "${TAKT_MSL:-}" "${TAKT_MSL_HEAD:-}" "${TAKT_COMPLIANCE:-}"; do
    [ -n "$dir" ] || continue
    any=1
    [ -d "$dir" ] || { fail "there is no directory $dir"; continue; }
    nfile=$(find -L "$dir" -name '*.mo' -not -path '*/.git/*' | wc -l)
    expect 0 "^$nfile files, .* 0 errors" parse --roundtrip "$dir"
    grep -q "^$nfile of $nfile files are the same" "$work/both" ||
        fail "$dir: some files are not the same after printing"
    expect 0 '"errors": 0' parse --json "$dir"
    echo "$dir: $(cat "$work/out")"
    case $TAKT in *asan*) continue ;; esac
    # processor time, as other tests run beside this one
    bytes=$(sed -n 's/.*"bytes": \([0-9]*\).*/\1/p' "$work/out")
    seconds=$(TIMEFORMAT='%U %S'
        { time "$TAKT" parse --json "$dir" >/dev/null; } 2>&1)
    awk -v n="$bytes" -v t="$seconds" 'BEGIN {
        split(t, s); exit !(n < 1e6 || (s[1] + s[2]) * 15e6 / n < 1) }' ||
        fail "$dir: $bytes bytes take $seconds s (user, system)"
done
[ -n "$any" ] || skip "TAKT_MSL, TAKT_MSL_HEAD and TAKT_COMPLIANCE are not set"
finish
