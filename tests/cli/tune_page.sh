#!/usr/bin/env bash
# The report of a tuning: whole, a row of its table has a cell per column, and
# tables and pictures have the same numbers.
# build: release
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
sed -n "/id='candidate-list'/,/<\/table>/p" s.html >table
titles=$(grep -o '<th[ >]' table | wc -l)
[ "$titles" -gt 5 ] || fail "the table has $titles titles"
grep "^<tr class=" table >rows
[ -s rows ] || fail "the table has no rows"
while read -r row; do
    cells=$(grep -o '<td' <<<"$row" | wc -l)
    [ "$cells" = "$titles" ] || fail "$cells cells under $titles titles: $row"
done <rows
# the two equations as one block: four entries, none of them zero
grep -q ">full, solve</td><td>[0-9]*</td><td>2</td><td>4</td>" rows ||
    fail "no row of the full step"

# a row says what the table of the command says
cp out said
checks=$((checks + 1))
sed "s/.*<\/span>//; s/<\/td><td class='t verdict'>.*//; s/<td class='t'>.*//; s/<\/td>/ /g; s/<td>//g
    s/&ndash;/-/g; s/&infin;/inf/g; s/  */ /g; s/ *$//" rows >shown
while read -r row; do
    sed 's/  */ /g' said | grep -qF -- " $row " || fail "the command does not print: $row"
done < <(grep -v " - - - - " shown)

# the table and the pictures have the same numbers of entries
page() { # CANDIDATE: numbers of its row, and of the pictures
    run_takt tune "$TAKT_SOURCE/models/gallery/MotorDrive.mo" --step 0.1ms --stop 0.05 --only sparsing,mixed \
        --rho 0.1 --attack 0 --choose "$1" --deviation 50 -o m.json --html m.html
    row=$(grep -o "</span>$1</td>.*" m.html | sed 's/<\/td><td>/ /g; s/<[^>]*>//g')
    numbers=$(sed "s/^$1 *//" <<<"$row")
    set -- "$1" $numbers
    checks=$((checks + 1))
    table_nnz=$4 table_factors=$5
}
for name in 'sparsed 0.1' 'mixed, row' full; do
    page "$name"
    grep -q ">$name: [0-9]* iteration variables, $table_nnz entries<" m.html ||
        fail "the table has $table_nnz entries, the picture: $(grep -o ">$name: [0-9]* iteration[^<]*" m.html)"
    # the cells of the picture are those entries
    cells=$(grep ">$name: [0-9]* iteration variables" m.html | sed "s/.*>$name: [0-9]* iteration//" |
        grep -o '"cells":\[[^]]*' | head -n 1 | tr ',' '\n' | wc -l)
    [ "$((cells / 3))" = "$table_nnz" ] || fail "$name: $((cells / 3)) cells are drawn, the table has $table_nnz"
    grep -q ">$name: factors .*; $table_factors with blocks" m.html || [ "$table_factors" -le 2 ] ||
        fail "the table has $table_factors entries of factors, the picture: $(grep -o ">$name: factors[^<]*" m.html)"
done
finish
