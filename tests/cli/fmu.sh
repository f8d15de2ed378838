#!/usr/bin/env bash
# FMUs: their description, their trajectories, model exchange, the state
# machine of the standard, failures, what their binaries need. TAKT_FMI2 and
# TAKT_FMI3, where they name checkouts of the standard, add its schemas.
# build: release
# cost: 37
. "$TAKT_SOURCE/tests/support/cli.sh"
sanitized && skip "the compiler's work is left to the other build"
. "$TAKT_SOURCE/tests/support/fmu.sh"

# make VERSION MODEL OPTION...: $work/NAME.VERSION.fmu
make() {
    local version=$1 model=$2 name
    name=$(basename "$model" .mo)
    shift 2
    fmu=$work/$name.$version.fmu
    run_takt build "$model" --target "fmu$version" --quiet -o "$fmu" "$@"
    [ "$code" = 0 ] || { fail "build $name: $code"; head -3 "$work/err"; }
}

valid() { # VERSION: against the schemas of the standard, where they are
    local version=$1 var=TAKT_FMI$1
    local schema=${!var:-/nowhere}/schema
    [ -d "$schema" ] && command -v xmllint >/dev/null || return
    rm -rf "$work/unpacked"
    unpack "$fmu" "$work/unpacked"
    xmllint --noout --schema "$schema/fmi${version}ModelDescription.xsd" \
        "$work/unpacked/modelDescription.xml" 2>"$work/said" ||
        { fail "$fmu: schema"; head -3 "$work/said"; }
    [ "$version" = 2 ] ||
        xmllint --noout --schema "$schema/fmi3BuildDescription.xsd" \
            "$work/unpacked/sources/buildDescription.xml" 2>"$work/said" ||
        { fail "$fmu: schema of sources"; head -3 "$work/said"; }
}

# gallery VERSION MODEL: the bits of takt sim --static, with the same decisions
gallery() {
    local version=$1 model=$2
    make "$version" "$model"
    valid "$version"
    run_takt sim "$model" --static --estimate off --quiet -o "$work/sim.csv"
    import "$fmu" trace "$work/sim.csv" 1
    import "$fmu" walk
    import "$fmu" states
    exchange
}

# exchange: an integration by the importer, over at most 500 steps of the FMU
exchange() {
    local span
    python3 - "$fmu" >"$work/span" <<'PY' || return 0
import re, sys, zipfile
xml = zipfile.ZipFile(sys.argv[1]).read("modelDescription.xml").decode()
if "<ModelExchange" not in xml:
    sys.exit(1)
stop, step = map(float, re.search('stopTime="(.*?)" stepSize="(.*?)"', xml).groups())
print(min(stop, 500 * step), step)
PY
    read -r -a span <"$work/span"
    import "$fmu" exchange "${span[@]}"
}

gallery=../../models/gallery
if [ -n "${TAKT_LONG:-}" ]; then
    for model in $gallery/*.mo; do
        gallery 2 "$model"
        gallery 3 "$model"
    done
else
    gallery 2 $gallery/MotorDrive.mo
    gallery 3 $gallery/BouncingMass.mo
    gallery 2 $gallery/SampledControl.mo
    gallery 3 $gallery/Pendulum.mo
fi

# ---- reference results inside are those of the FMU ----
make 3 $gallery/SampledControl.mo
unpack "$fmu" "$work/inside"
inside=$work/inside/extra/org.fmi-standard.fmi-ls-ref
grep -q 'source="SampledControl_out.csv"' "$inside/fmi-ls-manifest.xml" || fail "no manifest"
import "$fmu" trace "$inside/SampledControl_out.csv" 1
said '^501 rows'

# ---- all types, inputs, start values ----
quick
for version in 2 3; do
    make $version Types.mo --step 10ms --stop 1
    valid $version
    import "$fmu" walk
    import "$fmu" states
    exchange
    unpack "$fmu" "$work/types$version"
done
xml=$work/types2/modelDescription.xml
grep -q 'Enumeration declaredType="Types.Gear" start="2"' "$xml" || fail "enumeration"
grep -q 'start="5 % &lt;of&gt; &quot;it&quot;"' "$xml" || fail "String"
reference() { sed -n "s/.*ScalarVariable name=\"$1\" valueReference=\"\([0-9]*\)\".*/\1/p" "$xml"; }
[ "$(reference w)" = "$(reference x)" ] || fail "an alias has a reference of its own"
[ "$(reference z)" != "$(reference x)" ] || fail "a negated alias shares a reference"
grep -q '<Alias name="w"' "$work/types3/modelDescription.xml" || fail "no <Alias>"

# ---- outputs that never change in a step are outputs ----
for version in 2 3; do
    make $version Fixed.mo --interface exchange
    valid $version
    exchange
    make $version Fixed.mo
    run_takt sim "$fmu:cosim" --external --quiet --set a=5 -o "$work/out.csv"
    [ ! -s "$work/err" ] || { fail "sim of Fixed $version says something"; head -2 "$work/err"; }
    [ "$(head -1 "$work/out.csv" | tr -d '"')" = "time,y,c,n,on,x,der(x)" ] &&
        [ "$(tail -1 "$work/out.csv" | cut -d, -f1-5)" = 1,7,7,3,1 ] ||
        { fail "constant outputs $version"; tail -1 "$work/out.csv"; }
done

# ---- a table from a file is inside: the file may go ----
here=$PWD
cd "$work" || exit 4
printf '#1\ndouble tab1(4,2)\n0 0\n0.3 2\n0.6 1\n1 4\n' >map.txt
run_takt sim "$here/Map.mo" --static --estimate off --quiet -o sim.csv
make 3 "$here/Map.mo"
rm map.txt
import "$fmu" trace sim.csv 1
said '^101 rows'
cd "$here" || exit 4

# ---- terminals ----
for version in 2 3; do
    make $version Plug.mo
    valid $version
    import "$fmu" walk
    rm -rf "$work/plug"
    unpack "$fmu" "$work/plug"
    xml=$work/plug/terminalsAndIcons/terminalsAndIcons.xml
    grep -q '<Terminal name="port" matchingRule="plug" terminalKind="Plug.Port">' "$xml" ||
        fail "no terminal"
    grep -q 'variableName="port.u" memberName="u" variableKind="signal"' "$xml" || fail "no member"
    grep -q 'data' "$xml" && fail "a record is a terminal"
    ! [ -d "${TAKT_FMI3:-/nowhere}/schema" ] || ! command -v xmllint >/dev/null ||
        xmllint --noout --schema "$TAKT_FMI3/schema/fmi3TerminalsAndIcons.xsd" "$xml" \
            2>"$work/said" || { fail "terminals: schema"; head -3 "$work/said"; }
done

# ---- stiff, unstable, ended, inputs with derivatives ----
make 2 Stiff.mo
import "$fmu" long "${TAKT_LONG:+10}00000"
said ' 0 bytes more'
run_takt sim Stiff.mo --static --quiet -o "$work/sim.csv"
import "$fmu" trace "$work/sim.csv" 1
make 3 Stiff.mo --method fe
import "$fmu" end 1
said 'failed after [0-9]* steps: 3 logStatusError: t = .* s: a state has left all bounds: x'
import "$fmu" end 7 # the state of before the whole communication step
said 'failed after [0-9]* steps'
for version in 2 3; do
    make $version Ends.mo
    import "$fmu" end 1
    said 'ended after 50 steps: .*the model ends the run: 100 % of #1 is done'
    make $version Moved.mo
    import "$fmu" moved
done

# ---- the same bytes, also in another time zone ----
full
make 2 Ends.mo
cp "$fmu" "$work/first.fmu"
TZ=Asia/Tokyo make 2 Ends.mo
cmp -s "$fmu" "$work/first.fmu" || fail "an FMU depends on when it was made"

# ---- what binaries need and show ----
make 2 $gallery/MotorDrive.mo --math takt --name drive
unpack "$fmu" "$work/drive"
library=$work/drive/binaries/linux64/drive.so
nm -D --defined-only "$library" | awk '$NF !~ /^fmi2/' | grep . &&
    fail "symbols besides those of FMI are visible"
nm -D --undefined-only "$library" | sed -n 's/.*@GLIBC_2\.\([0-9]*\).*/\1/p' |
    awk '$1 > 17 { bad = 1 } END { exit bad }' || fail "needs a new C library"
readelf -d "$library" | grep NEEDED | grep -v -e 'lib[cm]\.so' && fail "needs more libraries"
nm -D --undefined-only "$library" | grep -w -e malloc -e realloc && fail "allocates"

# ---- sources: two FMUs in one program ----
make 2 Stiff.mo
unpack "$fmu" "$work/pair"
make 2 Ends.mo
unpack "$fmu" "$work/pair"
"$TAKT_CC" -std=c99 -Wall -Wextra -Werror -Wmissing-prototypes -pedantic \
    -I"$work/pair/sources" both.c "$work"/pair/sources/*.c -lm \
    -o "$work/two" && [ "$("$work/two")" = "2.0 2.0 1" ] || fail "two FMUs in one program"

# ---- other machines: the same bits, where something can run them ----
elsewhere() { # COMPILER FOLDER/LIBRARY RUNNER...
    local compiler=$1 library=$2
    shift 2
    command -v "$compiler" >/dev/null || return
    make 2 $gallery/MotorDrive.mo --math takt --interface cosim --cross "$compiler"
    rm -rf "$work/cross"
    unpack "$fmu" "$work/cross"
    library=$work/cross/binaries/$library
    [ -e "$library" ] || { fail "no binary of $compiler"; return; }
    command -v "$1" >/dev/null || return
    local xml=$work/cross/modelDescription.xml guid reference
    guid=$(sed -n 's/.*guid="\([^"]*\)".*/\1/p' "$xml")
    reference=$(sed -n 's/.*name="fan.w" valueReference="\([0-9]*\)".*/\1/p' "$xml")
    "$TAKT_CC" load.c -o "$work/here" -ldl &&
        "$work/here" "$work/cross/binaries/linux64/MotorDrive.so" "$guid" "$reference" 1e-4 2000 >"$work/here.txt"
    "$compiler" load.c -o "$work/there.exe" 2>"$work/err" || { fail "$compiler load.c"; return; }
    WINEDEBUG=-all HOME=$work timeout 120 "$@" "$work/there.exe" "$library" "$guid" "$reference" 1e-4 2000 \
        2>"$work/err" </dev/null | tr -d '\r' >"$work/there.txt"
    [ "$(wc -l <"$work/here.txt")" = 2000 ] && cmp "$work/here.txt" "$work/there.txt" ||
        fail "$compiler: other numbers"
}
elsewhere x86_64-w64-mingw32-gcc win64/MotorDrive.dll wine
elsewhere aarch64-linux-gnu-gcc aarch64-linux/MotorDrive.so qemu-aarch64 -L /usr/aarch64-linux-gnu

quick
# ---- model exchange: events of state, of time, and from inside; run by takt ----
for version in 2 3; do
    make $version Events.mo --interface exchange
    valid $version
    import "$fmu" exchange 3 1e-3
    said '^t = 3: 19 events'
    run_takt sim "$fmu" --external --method cvode --tolerance 1e-9 --step 10ms --stop 3 \
        --quiet -o "$work/out.csv"
    run_takt sim Events.mo --method cvode --tolerance 1e-9 --step 10ms --stop 3 --quiet \
        -o "$work/sim.csv"
    python3 - "$work/out.csv" "$work/sim.csv" <<'PY' || fail "Events as FMU $version"
import csv, sys
a, b = (list(csv.DictReader(open(f))) for f in sys.argv[1:])
names = ["h", "v", "n", "y", "k"]
worst = max(abs(float(p[n]) - float(q[n])) for p, q in zip(a, b) for n in names)
print("difference", worst)
sys.exit(len(a) != len(b) or not worst <= 1e-6)
PY
done
"$work/importer" "$fmu" walk 2>&1 | grep -q 'this FMU is for model exchange' ||
    fail "co-simulation of an FMU that is not for it"
make 2 Stiff.mo --interface cosim
python3 -m zipfile -l "$fmu" >"$work/list"
grep -q exchange "$work/list" && fail "sources of model exchange"
expect 3 'model exchange of a model with delays' build Delayed.mo --target fmu3 \
    --interface exchange -o "$work/none.fmu"
expect 2 '--interface is for FMUs' build Stiff.mo --interface cosim -o "$work/none"

# ---- model exchange: blocks are solved from wherever an integrator comes ----
run_takt sim $gallery/Rectifier.mo --method cvode --step 1ms --quiet -o "$work/sim.csv"
for version in 2 3; do
    make $version $gallery/Rectifier.mo --interface exchange --all
    run_takt sim "$fmu" --external --method cvode --step 1ms --quiet -o "$work/out.csv"
    [ ! -s "$work/err" ] || { fail "Rectifier as FMU $version says:"; head -2 "$work/err"; }
    python3 - "$work/out.csv" "$work/sim.csv" <<'PY' || fail "Rectifier as FMU $version"
import csv, sys
a, b = (list(csv.DictReader(open(f))) for f in sys.argv[1:])
names = [n for n in a[0] if n.endswith((".v", ".i")) and n != "ground.p.i" and n in b[0]]
worst = max(abs(float(p[n]) - float(q[n])) for p, q in zip(a, b) for n in names)
print("difference", worst)
sys.exit(len(a) != len(b) or len(names) < 20 or not worst <= 1e-3)
PY
    make $version Fold.mo --interface exchange
    import "$fmu" exchange 0.5 1e-3
    import "$fmu" far -1 0.5
    said 't = 0 s: no solution was found: y'
    make $version Equal.mo --interface exchange
    import "$fmu" zeros
    said '^8 events n 1 m 1 k 0'
done

# ---- scheduled execution: each rate a task of the importer, the same bits ----
make 3 $gallery/MultiRateDrive.mo --interface scheduled --stop 0.4
valid 3
run_takt sim $gallery/MultiRateDrive.mo --static --estimate off --stop 0.4 --quiet -o "$work/sim.csv"
import "$fmu" trace "$work/sim.csv" 1
said '^8001 rows'
import "$fmu" clocks
import "$fmu" states
make 3 Clocked.mo --interface scheduled # shifted clocks, events, terminate()
valid 3
run_takt sim Clocked.mo --static --estimate off --quiet -o "$work/sim.csv"
import "$fmu" trace "$work/sim.csv" 1
import "$fmu" end 1
said 'ended after 900 steps'
make 3 Clocked.mo # co-simulation does not show clocks
unpack "$fmu" "$work/hidden"
grep -q '<Clock\|clocks=' "$work/hidden/modelDescription.xml" && fail "clocks are not hidden"
expect 3 'scheduled execution of an FMU of FMI 2' build Clocked.mo --target fmu2 \
    --interface scheduled -o "$work/none.fmu"
expect 3 'scheduled execution of a model without periodic clocks' build Stiff.mo \
    --target fmu3 --interface scheduled -o "$work/none.fmu"
expect 3 'scheduled execution of a method that looks back' build Clocked.mo --method bdf2 \
    --target fmu3 --interface scheduled -o "$work/none.fmu"
expect 3 'a clock whose interval is no whole number of steps' build Clocked.mo --step 1.5ms \
    --target fmu3 --interface scheduled -o "$work/none.fmu"
expect 3 'clocks that wait for each other' build Entangled.mo --target fmu3 \
    --interface scheduled -o "$work/none.fmu"

# ---- wrong usage ----
expect 1 "the C compiler 'no-such-cc' cannot be started" build Stiff.mo \
    --target fmu2 --cross no-such-cc -o "$work/none.fmu"
[ ! -e "$work/none.fmu" ] || fail "a partial FMU is left"
expect 2 '--cross is for targets that have binaries' build Stiff.mo \
    --cross cc -o "$work/none"
expect 1 'no/such/folder' build Stiff.mo --target fmu3 -o "$work/no/such/folder/x.fmu"
finish
