#!/usr/bin/env bash
# Every predefined function is tested by value: a golden model of values or sim
# calls it, or one of err if it is refused by name.
cd "$TAKT_SOURCE" || exit 4
names() {
    sed -n '/^static const Builtin table/,/^};/s/^ *{"\([A-Za-z]*\)".*/\1/p' \
        src/eval/builtin.c
    sed -n 's/^FUNCTION([A-Z0-9]*, "\([A-Za-z0-9]*\)".*/\1/p' src/expr/ops.def
}
failures=0
checks=0
for name in $(names | sort -u); do
    where='tests/golden/values/*.mo tests/golden/sim/*.mo'
    grep -q "{\"$name\", builtin_unsupported," src/eval/builtin.c &&
        where='tests/golden/err/*.mo'
    checks=$((checks + 1))
    # shellcheck disable=SC2086
    sed 's/"[^"]*"//g; s/\/\/.*//' $where |
        grep -qE "(^|[^A-Za-z0-9_])$name *\(" ||
        { echo "FAIL: no model of $where calls $name()"
          failures=$((failures + 1)); }
done
[ $checks -ge 70 ] || { echo "FAIL: only $checks functions found"; exit 1; }
echo "$checks functions, $failures without a value"
[ $failures = 0 ]
