#!/usr/bin/env bash
# takt report: one page, whole and alone, of the step that takt build makes.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4
gallery=$TAKT_SOURCE/models/gallery

# number FILE KEY: of JSON
number() { tr -d ' \n' <"$1" | sed "s/.*\"$2\":\([-0-9.e+]*\).*/\1/"; }

expect 0 . report "$gallery/MotorDrive.mo" --step 1ms -o motor.html
page=motor.html
[ "$(tail -n 1 $page)" = "</body></html>" ] || fail "the page has no end"
for id in model states structure plan candidates matrices spectra trajectories cost errors messages source; do
    grep -q "<section id='$id'>" $page || fail "no section $id"
done
# nothing is fetched, and nobody else is named
! grep -o "\(src\|href\)=['\"][^'\"#][^'\"]*" $page || fail "links to somewhere else"
! grep -o "https\?://[a-z0-9.]*" $page | grep -v 'http://www.w3.org$' || fail "hosts are named"
# every link has its end
grep -o "href='#[^']*'" $page | sed "s/href='#//; s/'//" | sort -u >links
grep -o "id='[^']*'" $page | sed "s/id='//; s/'//" | sort -u >ends
comm -23 links ends >lost
[ ! -s lost ] || fail "links without an end: $(head -3 lost)"
[ -s links ] || fail "no links"
# numbers are those of the other verbs
run_takt cost "$gallery/MotorDrive.mo" --step 1ms --json
cp "$work/out" cost.json
total=$(grep "<td class='t mono'>in all" $page | sed "s/<\/td><\/tr>.*//; s/.*<td>//")
[ "$total" = "$(sed -n 's/^."instructions":.\([0-9]*\),*/\1/p' cost.json)" ] || fail "the certificate says $total"
run_takt check "$gallery/MotorDrive.mo" --method lie --step 1ms --json
cp "$work/out" check.json
equations=$(number check.json difference_equations) iterated=$(number check.json iteration_variables)
grep -q "<p>$equations equations: .* with $iterated iteration" $page ||
    fail "check has $equations equations and $iterated iteration variables; the page: $(grep -o '<p>[0-9]* equations:[^<]*' $page)"
grep -q 'warn.>W1355<' $page || fail "a warning of the model is not shown"

# the same bytes again; to standard output too
"$TAKT" report "$gallery/MotorDrive.mo" --step 1ms >again.html 2>/dev/null
cmp -s again.html motor.html || fail "two reports of one model differ"

# with a plan: its evidence, and what else was tried when it was made
expect 0 . tune "$gallery/MotorDrive.mo" --step 1ms --stop 0.1 --only sparsing --rho 0.1 --attack 0 -o p.json --deviation 50
expect 0 . report "$gallery/MotorDrive.mo" --plan p.json --stop 0.1 -o plan.html
grep -q 'Evidence in the plan' plan.html || fail "no evidence"
grep -q '"name":"tried when the plan was made"' plan.html || fail "no candidates of the evidence"
grep -q '</span>given</td>' plan.html || fail "the plan is no candidate"

# models that cannot be tuned have a report all the same, which says why
cat >Const.mo <<'M'
model Const
  output Real y = 2*u;
  input Real u;
end Const;
M
expect 0 . report Const.mo -o const.html
grep -q 'No candidates were tried out: ' const.html || fail "not said why there is no tuning"

# bad use
expect 2 'ends in .html' report Const.mo -o x.pdf
expect 2 'exactly one MODEL' report
expect 2 'only takes a list' report Const.mo -o x.html --only nobody
expect 1 'E1308' report Const.mo -o nowhere/x.html
expect 1 . report nosuch.mo -o x.html
[ ! -e x.html ] || fail "a page of nothing"

# --- plots: units, one axis a unit, the reference beside the run
expect 0 . sim "$gallery/MotorDrive.mo" --step 1ms --stop 0.1 -o ref.csv
for end in svg png html; do
    run_takt sim "$gallery/MotorDrive.mo" --method lie --step 1ms --stop 0.1 --compare ref.csv --tube 0.1 \
        --plot "p.$end" --var fan.w --var motor.i
    [ -s "p.$end" ] || fail "no p.$end"
done
[ "$(head -c 4 p.png | tail -c 3)" = PNG ] || fail "p.png is no PNG"
grep -q '>rad/s</text>' p.svg && grep -q '>A</text>' p.svg || fail "no units in the picture"
[ "$(grep -c "class='u'" p.svg)" = 2 ] || fail "not one axis a unit"
grep -q 'fan.w, reference' p.svg && grep -q "stroke-dasharray='6 4'" p.svg || fail "the reference is not drawn"
grep -q '"unit":"rad/s"' p.html && grep -q '"name":"fan.w, reference"' p.html || fail "the page lacks units or reference"
expect 2 'ends in .svg or .png or .html' sim "$gallery/MotorDrive.mo" --plot p.pdf
finish
