#!/usr/bin/env bash
# Standard output can take n bytes only, n = 0, 1, ...: exit code 4 and a
# message when something was lost.
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE/tests/fault" || exit 4
command -v prlimit >/dev/null || skip "prlimit is missing"
trap '' XFSZ # inherited: a write beyond the limit fails instead of killing

while IFS= read -r line; do
    case $line in '' | '#'*) continue ;; esac
    eval "set -- $line"
    timeout 60 "$TAKT" "$@" >"$work/whole" 2>/dev/null </dev/null
    want=$?
    size=$(stat -c %s "$work/whole")
    step=$((size / 20 + 1))
    for ((n = 0; n < size; n += step)); do
        prlimit --fsize=$n timeout 60 "$TAKT" "$@" 2>&1 >"$work/out" \
            </dev/null | cat >"$work/err"
        code=${PIPESTATUS[0]}
        checks=$((checks + 1))
        [ $code = 4 ] || fail "takt $line, $n of $size bytes: exit code $code"
        grep -q 'takt: ' "$work/err" ||
            fail "takt $line, $n of $size bytes: no message"
    done
    prlimit --fsize=$((size + 1)) timeout 60 "$TAKT" "$@" >"$work/out" \
        2>/dev/null </dev/null
    [ $? = $want ] || fail "takt $line: all bytes fit, but the exit code differs"
done <commands
finish
