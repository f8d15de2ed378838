#!/usr/bin/env bash
# eFMUs: digests and references of the manifests, the algorithm code evaluated by
# an interpreter of its own and the production code compiled, both against takt
# sim --static to the last bit. EFMI_SCHEMAS, where it names the schemas of eFMI
# 1.0.0, adds them.
# build: release
# cost: 11
. "$TAKT_SOURCE/tests/support/cli.sh"
sanitized && skip "the compiler's work is left to the other build"
command -v python3 >/dev/null || skip "python3 is needed"
gallery=$TAKT_SOURCE/models/gallery
here=$TAKT_SOURCE/tests/fmu

# make MODEL OPTION...: $work/NAME.fmu, unpacked in $work/NAME
make() {
    local model=$1
    name=$(basename "$model" .mo)
    shift
    efmu=$work/$name.fmu
    rm -rf "${work:?}/$name"
    run_takt build "$model" --target efmi --quiet -o "$efmu" "$@"
    [ "$code" = 0 ] || { fail "build $name: $code"; head -3 "$work/err"; return 1; }
    python3 -m zipfile -e "$efmu" "$work/$name"
}

# What the manifests say of files and of each other is so.
consistent() {
    checks=$((checks + 1))
    python3 - "$work/$name/eFMU" <<'PY' || fail "$name: manifests"
import hashlib, sys, xml.etree.ElementTree as et
root = sys.argv[1] + "/"
digest = lambda path: hashlib.sha1(open(root + path, "rb").read()).hexdigest()
content = et.parse(root + "__content.xml").getroot()
manifest = {}
for r in content.iter("ModelRepresentation"):
    path = r.get("name") + "/" + r.get("manifest")
    assert digest(path) == r.get("checksum"), path
    m = manifest[r.get("kind")] = et.parse(root + path).getroot()
    assert m.get("id") == r.get("manifestRefId") and m.get("kind") == r.get("kind")
    for f in m.iter("File"):
        assert digest(r.get("name") + "/" + f.get("name")) == f.get("checksum")
algorithm, production = manifest["AlgorithmCode"], manifest["ProductionCode"]
reference = production.find("ManifestReferences/ManifestReference")
assert reference.get("manifestRefId") == algorithm.get("id")
assert reference.get("checksum") == digest("AlgorithmCode/manifest.xml")
ids = {e.get("id") for e in algorithm.iter() if e.get("id")}
own = {e.get("id") for e in production.iter() if e.get("id")}
for e in production.iter():
    assert e.get("foreignRefId") in ids | {None}, e.attrib
    for key in ("typeDefRefId", "functionRefId", "formalParameterRefId", "codeFileRefId", "fileRefId"):
        assert e.get(key) in own | {None}, e.attrib
assert algorithm.find("Clock").get("variableRefId") in ids
PY
    [ -d "${EFMI_SCHEMAS:-/nowhere}" ] && command -v xmllint >/dev/null || return
    local pair
    for pair in __content.xml:efmiContainerManifest \
        AlgorithmCode/manifest.xml:AlgorithmCode/efmiAlgorithmCodeManifest \
        ProductionCode/manifest.xml:ProductionCode/efmiProductionCodeManifest; do
        xmllint --noout --schema "$EFMI_SCHEMAS/${pair#*:}.xsd" \
            "$work/$name/eFMU/${pair%:*}" 2>"$work/said" ||
            { fail "$name: ${pair%:*}"; head -3 "$work/said"; }
    done
}

# A program around the production code that prints what galec.py prints.
produce() { # STEPS
    python3 - "$work/$name/eFMU" "$1" <<'PY' >"$work/$name/main.c"
import sys, xml.etree.ElementTree as et
root, steps = sys.argv[1:]
a = et.parse(root + "/AlgorithmCode/manifest.xml").getroot()
p = et.parse(root + "/ProductionCode/manifest.xml").getroot()
member = {d[0].get("foreignRefId"): d[1].get("componentIdentifier") for d in p.iter("DataReference")}
function = {f[0].get("foreignRefId"): f[1].get("functionRefId") for f in p.iter("FunctionReference")}
name = {f.get("id"): f.get("name") for f in p.iter("Function")}
call = lambda kind: name[function[kind + "()"]] + "(&block)"
out = [v for v in a.find("Variables") if v.get("blockCausality") == "output"]
header = [f.get("name") for f in p.iter("File") if f.get("name").endswith("_block.h")][0]
step = [v.get("start") for v in a.find("Variables") if v.get("id") == a.find("Clock").get("variableRefId")][0]
title = ",".join(["time"] + ['\\"%s\\"' % v.get("name").strip("'") for v in out])
cells = " ".join('printf(",%%.17g", (double)block.%s);' % member[v.get("id")] for v in out)
print(f'''#include <stdio.h>
#include "{header}"
static {p.find(".//Typedef").get("name")} block;
int main(void) {{
    puts("{title}");
    {call("Startup")}; {call("Recalibrate")};
    for (int k = 0; k <= {steps} && !block.signals; k++) {{
        if (k > 0) {call("DoStep")};
        printf("%.17g", k * ({step} + 0.0)); {cells} puts("");
    }}
    return block.signals != 0;
}}''')
PY
    (cd "$work/$name/eFMU/ProductionCode" &&
        "$TAKT_CC" -std=c99 -O1 -Wall -Wextra -Werror -pedantic -ffp-contract=off ./*.c ../../main.c \
            -I. -o ../../program -lm) 2>"$work/err" ||
        { fail "$name: production code"; head -3 "$work/err"; return; }
    "$work/$name/program" >"$work/$name/c.csv" || fail "$name: production code signals"
}

# same STEPS MODEL OPTION...: three ways to the same numbers
same() {
    local steps=$1 model=$2
    shift 2
    make "$model" "$@" || return
    consistent
    produce "$steps"
    python3 "$here/galec.py" "$efmu" "$steps" -o "$work/$name/galec.csv" 2>"$work/err" ||
        { fail "$name: algorithm code"; head -3 "$work/err"; }
    run_takt sim "$model" --static --estimate off --quiet -o "$work/$name/sim.csv" "$@"
    python3 - "$work/$name" "$steps" <<'PY' || fail "$name: other numbers"
import csv, sys
folder, steps = sys.argv[1], int(sys.argv[2])
sim, galec, c = (list(csv.DictReader(open(f"{folder}/{f}.csv"))) for f in ("sim", "galec", "c"))
names = [n for n in galec[0] if n != "time"]
value = lambda row, n: {"true": 1.0, "false": 0.0}.get(row[n]) if row[n] in ("true", "false") else float(row[n])
known = [n for n in names if n in sim[0]]
assert len(galec) == len(c) == steps + 1 and known, (len(galec), len(c), names)
for k in range(steps + 1):
    for n in names:
        assert float(galec[k][n]) == float(c[k][n]), ("c", k, n, galec[k][n], c[k][n])
    for n in known:
        assert float(galec[k][n]) == value(sim[k], n), ("sim", k, n, galec[k][n], sim[k][n])
PY
}

same 300 "$gallery/MotorDrive.mo"
same 200 "$gallery/RlcIndex2.mo"
same 200 "$gallery/VanDerPol.mo"      # iterations
same 400 "$gallery/SampledControl.mo" # events
same 100 "$gallery/VanDerPol.mo" --method bdf2 # two systems in turn
same 200 "$gallery/MultiRateDrive.mo" # several rates
same 60 "$gallery/RcNetwork.mo" --factor table
same 100 "$here/Types.mo" --step 10ms --stop 1

# ---- parameters: Recalibrate is the update of the C ----
make "$gallery/RlcIndex2.mo"
python3 "$here/galec.py" "$efmu" 100 R1=5 -o "$work/tuned.csv" || fail "tuned"
python3 "$here/galec.py" "$efmu" 100 -o "$work/usual.csv"
cmp -s "$work/tuned.csv" "$work/usual.csv" && fail "a parameter without effect"

# ---- a state that leaves all bounds is not kept ----
make "$here/Stiff.mo" --method fe
python3 "$here/galec.py" "$efmu" 100000 >"$work/out" 2>"$work/err" && fail "no signal"
grep -q 'signal NO_SOLUTION_FOUND' "$work/err" || { fail "another signal"; head -3 "$work/err"; }

# ---- the same bytes; what GALEC has not ----
make "$gallery/RlcIndex2.mo"
cp "$efmu" "$work/first"
make "$gallery/RlcIndex2.mo"
cmp -s "$efmu" "$work/first" || fail "an eFMU depends on when it was made"
expect 3 'algorithm code of eFMI for delay()' build "$here/Delayed.mo" --target efmi -o "$work/none.fmu"
[ ! -e "$work/none.fmu" ] || fail "a partial eFMU is left"
EFMI_SCHEMAS=/nowhere/at/all expect 1 'the schemas of eFMI cannot be read' build \
    "$gallery/RlcIndex2.mo" --target efmi -o "$work/none.fmu"
finish
