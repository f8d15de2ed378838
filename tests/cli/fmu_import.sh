#!/usr/bin/env bash
# FMUs of others as models: an FMU written by hand against the same model in
# Modelica, its events, what it cannot do, and files that are none.
# build: release
# cost: 12
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE/tests/fmu/probe" || exit 4
sanitized && skip "the compiler's work is left to the other build"
command -v python3 >/dev/null || skip "python3 packs the FMUs"
mkdir "$work/tmp" && export TMPDIR=$work/tmp # others may unpack FMUs beside this

# pack NAME XML OPTION...: $work/NAME.fmu of probe2.c
pack() {
    local name=$1 xml=$2 dir=$work/$1.dir
    shift 2
    mkdir -p "$dir/binaries/linux64" "$dir/binaries/aarch64-linux"
    cp "$xml" "$dir/modelDescription.xml"
    "$TAKT_CC" -shared -fPIC -O1 -Wall -Wextra -Werror \
        -I"$TAKT_SOURCE/runtime/fmu" "$@" probe2.c \
        -o "$dir/binaries/linux64/probe2.so" || fail "probe2.c"
    cp "$dir/binaries/linux64/probe2.so" "$dir/binaries/aarch64-linux"
    (cd "$dir" && python3 -m zipfile -c "../$name.fmu" modelDescription.xml binaries)
}

# fine ARG...: takt ARG... exits with 0
fine() {
    run_takt "$@"
    [ "$code" = 0 ] || { fail "takt $*: exit code $code"; head -5 "$work/err"; }
}

# near A B LIMIT [NAME...]: columns of two CSV files, all that they share
near() {
    checks=$((checks + 1))
    python3 - "$@" <<'PY' >"$work/said" || { fail "near $1 $2"; cat "$work/said"; }
import csv, sys
a, b = ([dict(r) for r in csv.DictReader(open(p))] for p in sys.argv[1:3])
names = sys.argv[4:] or [n for n in b[0] if n in a[0] and not n.startswith("der(")]
worst = max(abs(float(x[n]) - float(y[n])) for x, y in zip(a, b) for n in names)
print(len(names), len(a), len(b), worst)
sys.exit(not (len(names) > 2 and len(a) == len(b) and worst <= float(sys.argv[3])))
PY
}

cat >"$work/in.csv" <<'CSV'
time,u,count_in,on
0,0,0,0
0.3,1,3,0
0.7,1,3,1
1.2,0,1,1
2,0,1,1
CSV
pack probe probe2.xml
probe=$work/probe.fmu

# the same numbers as the model in Modelica, whatever integrates it
for how in "lie grid" "lie exact" "radau5 grid" "fe exact" "rodas3 exact"; do
    set -- $how
    step=0.01
    [ "$1" = fe ] && step=0.0005
    common="--input $work/in.csv --method $1 --events $2 --step $step --events-max 4 --quiet"
    fine sim "$probe" --external $common -o "$work/fmu.csv"
    run_takt sim Probe.mo $common -o "$work/mo.csv"
    near "$work/fmu.csv" "$work/mo.csv" 1e-9
done
fine sim "$probe" --external --input "$work/in.csv" --method cvode --tolerance 1e-8 --quiet -o "$work/fmu.csv"
run_takt sim Probe.mo --input "$work/in.csv" --method cvode --tolerance 1e-8 --quiet -o "$work/mo.csv"
near "$work/fmu.csv" "$work/mo.csv" 1e-5 h v T

# as generated code does, and in that code
fine sim "$probe" --external --input "$work/in.csv" --static --quiet -o "$work/fmu.csv"
fine run "$probe" --external --input "$work/in.csv" --stop 0.2 --no-wait --quiet -o "$work/run.csv"

# a stiff state, 100 times beyond what an explicit method can do
fine sim "$probe" --external --set k=1e4 --set T=1 --method lie --step 20ms --quiet
expect 0 'W1350' sim "$probe" --external --set k=1e4 --set T=1 --method fe --step 20ms --quiet

# start values and parameters are set, structure is that of the description
fine sim "$probe" --external --set h=2 --set g=1 --stop 0.1 --quiet -o "$work/fmu.csv"
checks=$((checks + 1))
tail -1 "$work/fmu.csv" | grep -q '^0.1,1.99' || fail "start values: $(tail -1 "$work/fmu.csv")"
expect 0 '-1000' linearize "$probe" --external
expect 0 'states             3: h, v, T' check "$probe"

# without derivatives of its own: differences, as near as they go
sed 's/providesDirectionalDerivative="true"//' probe2.xml >"$work/plain.xml"
pack plain "$work/plain.xml"
fine sim "$work/plain.fmu" --external --input "$work/in.csv" --method lie --events exact --quiet -o "$work/fmu.csv"
run_takt sim Probe.mo --input "$work/in.csv" --method lie --events exact --quiet -o "$work/mo.csv"
near "$work/fmu.csv" "$work/mo.csv" 1e-8

# what is not to be
expect 1 'E0620' sim "$probe"
expect 3 'U0224' build "$probe" --external -o "$work/out"
expect 3 'not for co-simulation' sim "$probe:cosim" --external
pack breaks probe2.xml -DPROBE_BREAKS
expect 1 'no more of this after 0.5 s' sim "$work/breaks.fmu" --external
pack nan probe2.xml -DPROBE_NAN
expect 1 'is not finite' sim "$work/nan.fmu" --external --method lie --step 10ms
mkdir "$work/left" && export TMPDIR=$work/left # nobody tidies up after these
pack crashes probe2.xml -DPROBE_CRASHES
expect 139 'the program has crashed; if it ran the code of an FMU' sim "$work/crashes.fmu" --external
pack exits probe2.xml -DPROBE_EXITS
expect 4 'the code of an FMU .* has ended the program' sim "$work/exits.fmu" --external
export TMPDIR=$work/tmp
sed 's/probe2"/other"/' probe2.xml >"$work/other.xml"
pack other "$work/other.xml"
expect 1 'E0222' sim "$work/other.fmu" --external
sed 's/{probe-2}/{probe-3}/' probe2.xml >"$work/token.xml"
pack token "$work/token.xml"
expect 1 'instantiation failed' sim "$work/token.fmu" --external
for bad in 's/derivative="1"/derivative="99"/' 's/fmiVersion="2.0"/fmiVersion="1.0"/' \
    's/<ModelStructure>/<ModelStructure/' 's/valueReference="3"/valueReference="x"/' \
    's/causality="input"/causality="inside"/' 's/name="v"/name="h"/'; do
    sed "$bad" probe2.xml >"$work/bad.xml"
    mkdir -p "$work/bad.dir" && cp "$work/bad.xml" "$work/bad.dir/modelDescription.xml"
    (cd "$work/bad.dir" && python3 -m zipfile -c ../bad.fmu modelDescription.xml)
    run_takt check "$work/bad.fmu"
    [ "$code" = 1 ] || [ "$code" = 3 ] || fail "$bad: exit $code"
    grep -q 'E0221\|U0224' "$work/err" || fail "$bad: $(head -1 "$work/err")"
done
echo "no archive" >"$work/none.fmu"
expect 1 'E0220' check "$work/none.fmu"
expect 1 'E0220' check "$work/nowhere.fmu"
checks=$((checks + 1))
ls -d "$TMPDIR"/takt-fmu-?????? >/dev/null 2>&1 && fail "an unpacked FMU is left"
finish
