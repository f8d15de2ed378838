#!/usr/bin/env bash
# External C in FMUs and programs: sources, headers, objects and resources go with
# them; two FMUs with the same C in one program; what cannot go is refused.
# build: release
# cost: 17
. "$TAKT_SOURCE/tests/support/cli.sh"
sanitized && skip "the compiler's work is left to the other build"
. "$TAKT_SOURCE/tests/support/fmu.sh"

make() { # VERSION CLASS OPTION...: $work/CLASS.VERSION.fmu
    local version=$1 class=$2
    shift 2
    fmu=$work/$class.$version.fmu
    run_takt build -L "$work" "$class" --external --target "fmu$version" --quiet -o "$fmu" "$@"
    [ "$code" = 0 ] || { fail "build $class: $code"; head -3 "$work/err"; }
}
token() { sed -n 's/.* guid="\([^"]*\)".*/\1/p' "$1/modelDescription.xml"; }
reference() { sed -n "s/.*name=\"w\" valueReference=\"\([0-9]*\)\".*/\1/p" "$1/modelDescription.xml"; }

# ---- trust ----
cp -r Motors "$work"
expect 1 'E0620' build -L "$work" Motors.Drive --target fmu2 -o "$work/none.fmu"

# ---- the library may go once the FMU is made: the same bits ----
run_takt sim -L "$work" Motors.Drive --external --static --estimate off --quiet -o "$work/sim.csv"
for version in 2 3; do make $version Motors.Drive; done
make 2 Motors.Small
make 3 Motors.Counts
run_takt build -L "$work" Motors.Drive --external --target exe --quiet -o "$work/drive"
[ "$code" = 0 ] || { fail "exe: $code"; head -3 "$work/err"; }
"$work/drive" --quiet -o "$work/exe.csv" || fail "the program"
tail -1 "$work/sim.csv" | cut -d, -f1 >"$work/a"
python3 - "$work/sim.csv" "$work/exe.csv" <<'PY' || fail "the program has other numbers"
import csv, sys
a, b = (list(csv.DictReader(open(f))) for f in sys.argv[1:])
sys.exit(len(a) != len(b) or any(float(p["w"]) != float(q["w"]) for p, q in zip(a, b)))
PY
mv "$work/Motors" "$work/Elsewhere"
for version in 2 3; do
    fmu=$work/Motors.Drive.$version.fmu
    unpack "$fmu" "$work/drive$version"
    export IMPORTER_RESOURCES=$work/drive$version/resources
    import "$fmu" trace "$work/sim.csv" 1
    said '^101 rows'
    import "$fmu" walk
    import "$fmu" states
    IMPORTER_RESOURCES=/nowhere "$work/importer" "$fmu" walk >"$work/said" 2>&1 &&
        fail "an FMU without its resources"
    grep -q "$work" -r "$work/drive$version/sources/inner" "$work/drive$version/sources/Drive_fmu.c" &&
        fail "a path of this computer is inside"
    var=TAKT_FMI$version
    [ -d "${!var:-/nowhere}/schema" ] && command -v xmllint >/dev/null || continue
    xmllint --noout --schema "${!var}/schema/fmi${version}ModelDescription.xsd" \
        "$work/drive$version/modelDescription.xml" 2>"$work/said" || fail "schema $version"
    [ $version = 2 ] || xmllint --noout --schema "${!var}/schema/fmi3BuildDescription.xsd" \
        "$work/drive$version/sources/buildDescription.xml" 2>"$work/said" || fail "schema of sources"
done
nm -D --defined-only "$work/drive2/binaries/linux64/Drive.so" | awk '$NF !~ /^fmi2/' | grep . &&
    fail "symbols besides those of FMI are visible"
readelf -d "$work/drive2/binaries/linux64/Drive.so" | grep NEEDED | grep -v -e 'lib[cm]\.so' \
    -e ld-linux && fail "needs more libraries"

# ---- two of them from their sources, in two threads ----
unpack "$work/Motors.Small.2.fmu" "$work/small2"
sources=()
for name in Drive Small; do
    folder=$work/${name,,}2
    while read -r file; do
        sources+=("$folder/sources/$file")
    done < <(sed -n 's/.*<File name="\(.*\)"\/>.*/\1/p' "$folder/modelDescription.xml" | sort -u)
done
[ "${#sources[@]}" = 9 ] || fail "sources: ${sources[*]}"
"$TAKT_CC" -std=gnu99 -O2 -ffp-contract=off -DDrive_W="$(reference "$work/drive2")" \
    -DSmall_W="$(reference "$work/small2")" -I"$work/drive2/sources" both_external.c \
    "${sources[@]}" -lm -lpthread -o "$work/both" 2>"$work/err" ||
    { fail "two FMUs in one program"; head -5 "$work/err"; }
"$work/both" "$(token "$work/drive2")" "$(token "$work/small2")" "file://$work/drive2/resources" \
    >"$work/said" || fail "two FMUs"
[ "$(sort -u "$work/said" | wc -l)" = 1 ] || { fail "threads disturb each other"; cat "$work/said"; }
grep -q -e '-' "$work/said" && { fail "two FMUs"; cat "$work/said"; }

# ---- functions that remember: one instance, no saved states ----
unpack "$work/Motors.Counts.3.fmu" "$work/counts"
grep -q 'canBeInstantiatedOnlyOncePerProcess="true"' "$work/counts/modelDescription.xml" ||
    fail "may be instantiated twice"
grep -q 'canGetAndSetFMUState="false"' "$work/counts/modelDescription.xml" || fail "saves states"

# ---- libraries without sources ----
mv "$work/Elsewhere" "$work/Motors"
from=$work/Motors/Resources
mkdir -p "$from/Library"
"$TAKT_CC" -O2 -ffp-contract=off -fPIC -c "$from/Source/friction.c" -I"$from/Include" -o "$work/f.o"
mv "$from/Source/friction.c" "$work"
"$TAKT_CC" -shared "$work/f.o" -o "$from/Library/libfriction.so" -lm
expect 3 "the library 'friction' is there as a shared library only" build -L "$work" Motors.Small \
    --external --target fmu2 -o "$work/none.fmu"
expect 3 "a program of a model that calls external C: the library 'friction' is there as" build \
    -L "$work" Motors.Small --external --target exe -o "$work/none"
ar rc "$from/Library/libfriction.a" "$work/f.o"
make 3 Motors.Small
unpack "$fmu" "$work/static"
[ ! -e "$work/static/sources" ] || fail "sources that are not whole"
run_takt sim -L "$work" Motors.Small --external --static --estimate off --quiet -o "$work/sim.csv"
import "$fmu" trace "$work/sim.csv" 1
expect 3 "not supported: --cross with the library" build -L "$work" Motors.Small --external \
    --target fmu2 --cross cc -o "$work/none.fmu"

# ---- headers from outside, resources that are gone ----
mv "$work/friction.c" "$from/Source"
rm "$from"/Library/*
printf '#include "../../outside.h"\n' >>"$from/Source/friction.c"
echo >"$work/Motors/outside.h"
expect 3 "outside.h' is included from outside of the folders" build -L "$work" Motors.Small \
    --external --target fmu3 -o "$work/none.fmu"
sed -i '$d' "$from/Source/friction.c"
ln -s . "$from/Data/more/loop"
expect 1 'is nested too deeply' build -L "$work" Motors.Drive --external --target fmu3 \
    -o "$work/none.fmu"
[ ! -e "$work/none.fmu" ] || fail "a partial FMU is left"
finish
