#!/usr/bin/env bash
# What takt check says of structure: counts of Cellier and Kofman, JSON, pictures.
# build: release
source "$TAKT_SOURCE/tests/support/cli.sh"
gallery=$TAKT_SOURCE/models/gallery

# Cellier, Kofman 8.5: 12, 11, 12 equations, five assignments, one variable
be="--keep-aliases --method be --step 0.01"
expect 0 'equations 12, assignments 5, iteration variables 1' \
    check $be "$gallery/RlcIndex0.mo"
expect 0 'equations 11, assignments 5, iteration variables 1' \
    check $be "$gallery/RlcIndex1.mo"
expect 0 'equations 12, assignments 5, iteration variables 1' \
    check --direct $be "$gallery/RlcIndex2.mo"
expect 0 'division by the step size' \
    check --direct $be "$gallery/RlcIndex2.mo"
refuse 0 'division by the step size' check $be "$gallery/RlcIndex0.mo"
expect 0 'equations 24, assignments 10, iteration variables 2' \
    check --keep-aliases --method radau3 --step 0.01 "$gallery/RlcIndex0.mo"
# Gustafsson 4: a loop of six, two iteration variables
expect 0 'block of 6, nonlinear, torn to 2' \
    check --method be --step 0.01 "$gallery/SpringPendulum.mo"
# 8.9 and the growth that structure alone does not see
heat=$gallery/HeatDiffusion.mo
expect 0 'block of 100.*torn to \(1[0-9]\|2[0-5]\), growth' \
    check --method bdf3 --step 0.1 --algebraic tear "$heat"
expect 0 'refused: .*, [23] iteration variables, growth [0-9.]*e+[5-9]' \
    check --method bdf3 --step 0.1 --algebraic tear "$heat"
expect 0 'refused: .*growth' \
    check --method bdf3 --step 1ms --algebraic tear "$heat"
expect 0 'chosen: ' check --method bdf3 --step 1ms "$heat"

# JSON
run_takt check --json --method radau3 --step 0.1 "$heat"
if command -v python3 >/dev/null; then
    python3 - "$work/out" <<'END' || fail "JSON of heat with Radau IIA(3)"
import json, sys
m = json.load(open(sys.argv[1]))
assert m["unknowns"] == m["equations"] == 51 and m["balanced"]
assert m["index"] == 0 and len(m["states"]) == 50
assert m["difference_equations"] == 202 and m["assignments"] == 2
assert 0 < m["iteration_variables"] <= 100
block = [b for b in m["blocks"] if b["torn"]]
assert len(block) == 1 and block[0]["size"] == 200
assert block[0]["kind"] == "constant"
assert 1 <= block[0]["growth"] <= 1000
assert len(block[0]["iteration"]) == block[0]["torn"]
END
fi

# pictures: self-contained and well-formed, also with 1,000 rows
expect 0 states check --method be --step 0.01 --blt "$work/a.svg" \
    "$gallery/SpringPendulum.mo"
expect 0 states check --method be --step 0.01 --blt "$work/a.html" \
    "$gallery/SpringPendulum.mo"
grep -q 'SpringPendulum.mo:[0-9]*: *der(v)' "$work/a.svg" ||
    fail "the picture does not show the line of the source"
grep -q 'class=.t.' "$work/a.svg" || fail "no iteration variables drawn"
grep -q "data-kind='loops'" "$work/a.html" || fail "no loops in the page"
! grep -q 'src=\|href=' "$work/a.html" || fail "the page needs other files"
{
    echo 'model Row "1,000 coupled equations"'
    echo '  Real x[500](each start = 0, each fixed = true), y[500];'
    echo 'equation'
    echo '  y[1] = sin(time) + x[2];'
    echo '  for i in 2:500 loop y[i] = 0.1*y[i - 1] + x[i]; end for;'
    echo '  for i in 1:500 loop der(x[i]) = y[i] - x[i]; end for;'
    echo 'end Row;'
} >"$work/Row.mo"
expect 0 'equations 1[05]00' check --method be --step 0.01 \
    --blt "$work/row.svg" "$work/Row.mo"
[ "$(grep -c "class='r'" "$work/row.svg")" -ge 1000 ] ||
    fail "1,000 rows are not drawn"
if command -v python3 >/dev/null; then
    for f in a row; do
        python3 -c "import sys, xml.dom.minidom as x; x.parse(sys.argv[1])" \
            "$work/$f.svg" || fail "$f.svg is not well-formed"
    done
fi

# wrong use
expect 2 'ends in .svg or .html' check --blt out.png "$heat"
# the search is no worse than the heuristics, and says how few there must be
expect 0 'found: exact, at least [2-9][0-9]*, 25 iteration variables' \
    check --tearing exact --algebraic tear --method be --step 0.1 "$heat"
for line in 'block of 100, .*torn to 25, growth 12' 'exact, proven, dividing by h, 2 it'; do
    grep -q "$line" "$work/both" || fail "--tearing exact: $line"
done
expect 2 'cellier, modified' check --tearing best "$heat"
expect 1 'no method .bee.' check --method bee "$heat"
expect 1 'did you mean' check --method radou3 "$heat"
expect 4 'cannot be written' check --blt /nowhere/a.svg "$heat"
echo '{"takt_plan": 1, "method": "be", "modes": {"omega": "explicit"}}' \
    >"$work/p.json"
expect 0 'iteration variables 1' check --plan "$work/p.json" --step 0.01 \
    "$gallery/SpringPendulum.mo"
echo '{"takt_plan": 1, "method": "be", "modes": {"omeg": "explicit"}}' \
    >"$work/p.json"
expect 1 'E1205' check --plan "$work/p.json" "$gallery/SpringPendulum.mo"
echo '{"takt_plan": 1, "methd": "be"}' >"$work/p.json"
expect 1 "p.json:1:18: error: there is no key 'methd'" check \
    --plan "$work/p.json" "$gallery/SpringPendulum.mo"
echo '{"takt_plan": 1, "method": "be", "tearing": {"omega": ["omega", "v"]}}' \
    >"$work/p.json"
expect 0 'torn to 2.*: v, omega' check --plan "$work/p.json" --step 0.01 \
    "$gallery/SpringPendulum.mo"
# division by the step is a last resort, also in the systems that start bdf2
refuse 0 W1202 check "$TAKT_SOURCE/models/gallery/HeatDiffusion.mo" \
    --method bdf2 --step 1ms

finish
