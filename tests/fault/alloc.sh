#!/usr/bin/env bash
# The k-th allocation fails, k = 0, 1, 2, ...: takt ends with exit code 4 and a
# message, or it could do without that memory and the output is whole. Never a
# signal, never half an output with exit code 0.
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE/tests/fault" || exit 4
[ -e "${TAKT_FAULT_LIB:-}" ] || skip "there is no library of faults"

# next K: every k at first, then ever larger steps: late allocations are many
# and alike. TAKT_LONG=1 tries more of them.
next() {
    if [ -n "${TAKT_LONG:-}" ]; then echo $(($1 + 1 + $1 / 200))
    else echo $(($1 + 1 + $1 / 15)); fi
}

while IFS= read -r line; do
    case $line in '' | '#'*) continue ;; esac
    eval "set -- $line"
    timeout 60 "$TAKT" "$@" >"$work/whole" 2>"$work/whole_err" </dev/null
    want=$?
    for once in '' 1; do
        k=0
        while :; do
            rm -f "$work/mark"
            env LD_PRELOAD="$TAKT_FAULT_LIB" TAKT_FAULT_ALLOC=$k \
                ${once:+TAKT_FAULT_ONCE=1} TAKT_FAULT_MARK="$work/mark" \
                timeout 60 "$TAKT" "$@" >"$work/out" 2>"$work/err" </dev/null
            code=$?
            checks=$((checks + 1))
            [ -e "$work/mark" ] || break
            if [ $code = 4 ]; then
                grep -q 'takt: ' "$work/err" ||
                    fail "takt $line, allocation $k: no message"
            elif [ $code != $want ] || ! cmp -s "$work/out" "$work/whole"; then
                fail "takt $line, allocation $k${once:+ alone}: exit code $code"
                head -5 "$work/err"
            fi
            [ $failures -gt 20 ] && finish
            k=$(next $k)
        done
        [ $code = $want ] || fail "takt $line: exit code $code without a fault"
    done
done <commands
finish
