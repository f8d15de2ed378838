#!/usr/bin/env bash
# Error estimates are those of the errors: bench/estimates.sh for every method, and the
# table of docs/methods/estimates.md is what it prints.
# build: release
# cost: 11
. "$TAKT_SOURCE/tests/support/cli.sh"
command -v python3 >/dev/null || skip "no python3"
checks=8
bash "$TAKT_SOURCE/bench/estimates.sh" >"$work/table" || fail "estimates miss:"
grep MISSES "$work/table"
sed -n 's/^    //p' "$TAKT_SOURCE/docs/methods/estimates.md" |
    sed -n '/^method /,$p; /^rodasp4/q' >"$work/page"
diff "$work/page" "$work/table" || fail "the table of the page is another"
# weights that were chosen, on problems that had no part in the choice
bash "$TAKT_SOURCE/bench/estimates.sh" --other midpoint radau3 radau5 liex2 ros2 \
    >"$work/other" || fail "estimates miss on other problems:"
grep MISSES "$work/other"
while read -r row; do
    grep -qF -- "$row" "$TAKT_SOURCE/docs/methods/estimates.md" ||
        fail "not on the page: $row"
done <"$work/other"
[ "$(wc -l <"$work/table")" -ge 31 ] || fail "methods are missing"
finish
