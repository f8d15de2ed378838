#!/usr/bin/env bash
# FMUs that are connected by a description of SSP: the same numbers as one model,
# loops by their names, as co-simulation, in an archive, and what is wrong.
# build: release
# cost: 9
. "$TAKT_SOURCE/tests/support/cli.sh"
mkdir "$work/tmp" && export TMPDIR=$work/tmp # others may unpack FMUs beside this
sanitized && skip "the compiler's work is left to the other build"
command -v python3 >/dev/null || skip "python3 packs archives"
cp "$TAKT_SOURCE"/tests/fmu/system/* "$work" && cd "$work" || exit 4

# fine ARG...: takt ARG... exits with 0
fine() {
    run_takt "$@"
    [ "$code" = 0 ] || { fail "takt $*: exit code $code"; head -5 "$work/err"; }
}

# near A B LIMIT: all columns that two CSV files share
near() {
    checks=$((checks + 1))
    python3 - "$@" <<'PY' >"$work/said" || { fail "near $*"; cat "$work/said"; }
import csv, sys
a, b = ([dict(r) for r in csv.DictReader(open(p))] for p in sys.argv[1:3])
names = [n for n in b[0] if n in a[0]]
worst = max(abs(float(x[n]) - float(y[n])) for x, y in zip(a, b) for n in names)
print(len(names), len(a), len(b), worst)
sys.exit(not (len(names) >= 9 and len(a) == len(b) and worst <= float(sys.argv[3])))
PY
}

for model in Plant Control; do
    fine build $model.mo --target fmu$([ $model = Plant ] && echo 2 || echo 3) --quiet -o $model.fmu
done

# implicit methods see through the connections; a loop is solved and named
for how in "lie 0" "radau5 0.1" "cvode 0.1"; do
    set -- $how
    common="--method $1 --step 10ms --set control.k=3 --set plant.direct=$2 --quiet"
    [ "$1" = cvode ] && common="$common --tolerance 1e-10"
    fine sim System.ssd --external $common -o fmu.csv
    fine sim Both.mo $common -o mo.csv
    near fmu.csv mo.csv $([ "$1" = cvode ] && echo 1e-6 || echo 1e-10)
done
expect 0 'W0226.*\|plant.u -> plant.y -> control.y -> control.u' check System.ssd
grep -q 'plant.u -> plant.y' "$work/err" || fail "the loop has no names"
expect 0 'states             3' check System.ssd

# h |lambda| = 20 in one of the FMUs: stiff, and stable with the others
fine sim System.ssd --external --method lie --step 1 --stop 200 --quiet -o fmu.csv
checks=$((checks + 1))
tail -1 fmu.csv | awk -F, '{ exit !($3 > 0.99 && $3 < 1.01) }' || fail "not at rest: $(tail -1 fmu.csv)"

# as co-simulation, each with a method of its own: near, with the delay of a step
sed 's/source="\(.*\)"/source="\1" implementation="CoSimulation"/' System.ssd >Cosim.ssd
fine sim Cosim.ssd --external --step 10ms --quiet -o cosim.csv
fine sim Both.mo --method cvode --step 10ms --quiet -o mo.csv
checks=$((checks + 1))
python3 - <<'PY' || fail "co-simulation is far away"
import csv
a, b = ([float(r["plant.y"]) for r in csv.DictReader(open(p))] for p in ("cosim.csv", "mo.csv"))
worst = max(abs(x - y) for x, y in zip(a, b))
print("co-simulation:", worst)
assert len(a) == len(b) == 201 and 1e-4 < worst < 0.03
PY

# as an archive; nothing is left of it
mkdir -p pack/resources && cp Plant.fmu Control.fmu pack/resources
sed 's/source="/source="resources\//' System.ssd >pack/SystemStructure.ssd
(cd pack && python3 -m zipfile -c ../System.ssp SystemStructure.ssd resources)
fine sim System.ssp --external --method lie --step 10ms --quiet -o ssp.csv
fine sim System.ssd --external --method lie --step 10ms --quiet -o fmu.csv
near ssp.csv fmu.csv 0
checks=$((checks + 1))
ls -d "$TMPDIR"/takt-fmu-?????? >/dev/null 2>&1 && fail "something is left of an archive"

# what is wrong
expect 1 'E0620' sim System.ssd
wrong() { # CODE WORDS SED
    sed "$3" System.ssd >wrong.ssd
    expect "$1" "$2" check wrong.ssd
}
wrong 1 "names 'plant.z', which no FMU" 's/endConnector="u"/endConnector="z"/'
wrong 1 "'plant.y' is no input" 's/endConnector="u"/endConnector="y"/'
wrong 1 "two components have the name 'plant'" 's/name="control"/name="plant"/'
wrong 1 'the path of an FMU' 's/Control.fmu/Control.mo/'
wrong 1 'the path of an FMU' 's,source="Control,source="/Control,'
wrong 1 'E0220' 's/Control.fmu/Other.fmu/'
wrong 1 'E0223' 's/<ssd:Elements>/<ssd:Elements/'
wrong 1 "'startTime' is no number" 's/startTime="0"/startTime="x"/'
wrong 3 'a system within a system' 's/<ssd:Elements>/<ssd:Elements><ssd:System name="s"\/>/'
wrong 3 'a parameter binding' 's/<ssd:Elements>/<ssd:ParameterBinding\/><ssd:Elements>/'
wrong 3 'a transformation' 's/<ssd:Connections>/<ssd:Connections><ssd:LinearTransformation\/>/'
wrong 1 'no components' 's/<ssd:Component /<ssd:Part /'
expect 1 'E0220' check nowhere.ssd
expect 3 'U0224' build System.ssd --external -o out
finish
