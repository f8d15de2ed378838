#!/usr/bin/env bash
# The page of takt tune: whole, and a row of its table has a cell per column.
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4

cat >Slow.mo <<'M'
model Slow
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -x + y;
  der(y) = x - 200*y;
end Slow;
M
expect 0 'report: s.html' tune Slow.mo --step 10ms --stop 0.5 -o s.json --html s.html
[ "$(tail -n 1 s.html)" = "</body></html>" ] || fail "the page has no end"
titles=$(grep -o '<th>[^<]*' s.html | wc -l)
[ "$titles" -gt 5 ] || fail "the table has $titles titles"
grep "^<tr class=" s.html >rows
[ -s rows ] || fail "the table has no rows"
while read -r row; do
    cells=$(grep -o '<td' <<<"$row" | wc -l)
    [ "$cells" = "$titles" ] || fail "$cells cells under $titles titles: $row"
done <rows
# the two equations as one block: four entries, none of them zero
grep -q ">full, solve</td><td>[0-9]*</td><td>2</td><td>4</td>" rows ||
    fail "no row of the full step"
finish
