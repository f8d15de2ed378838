#!/usr/bin/env bash
# takt check, takt cost and takt build speak of the same step: its blocks, what
# they iterate on and its instructions, for all models of the gallery. Where
# check is asked for another step than build would make, it says so.
# build: release
# cost: 21
source "$TAKT_SOURCE/tests/support/cli.sh"
gallery=$TAKT_SOURCE/models/gallery

command -v python3 >/dev/null || skip "no python3"
for file in "$gallery"/*.mo; do
    name=$(basename "$file" .mo)
    "$TAKT" check --method lie --json "$file" >"$work/$name.check" 2>/dev/null
    "$TAKT" cost --json "$file" >"$work/$name.cost" 2>/dev/null
    "$TAKT" build "$file" -o "$work/$name" --name step --quiet 2>/dev/null
done
python3 - "$work" <<'END' || fail "they disagree"
import glob, json, os, sys
work, n, bad = sys.argv[1], 0, 0

def load(path):
    try:
        return json.load(open(path))
    except (OSError, ValueError):
        return None

def blocks(list):
    return [(b["size"], b["torn"], b["view"]) for b in list if b["torn"] > 0]

for path in sorted(glob.glob(work + "/*.check")):
    name = os.path.basename(path)[:-6]
    check, cost = load(path), load(work + "/" + name + ".cost")
    built = load(work + "/" + name + "/step.cost.json")
    if (cost is None) != (built is None):
        print(name, "cost and build: only one of them made a step")
        bad += 1
    if check is None or cost is None or built is None:
        continue
    n += 1
    said = {"check": (blocks(check["blocks"]), check["instructions"]),
            "cost": (blocks(cost["structure"]), cost["instructions"]),
            "build": (blocks(built["structure"]), built["instructions"])}
    if not said["check"] == said["cost"] == said["build"]:
        bad += 1
        for verb in said:
            print(name, verb, said[verb])
print(n, "models agree" if not bad else "models,", bad or "")
sys.exit(bad > 0 or n < 35)
END

heat=$gallery/HeatDiffusion.mo
refuse 0 'as .* asks' check --method lie "$heat"
expect 0 'as --algebraic tear asks: takt build needs the same' \
    check --method lie --algebraic tear "$heat"
expect 0 'takt build does not do' check --method lie --keep-aliases "$heat"
expect 0 'work of every step: [0-9]* instructions' check --method lie "$heat"
expect 2 'needs --method or --plan' check --algebraic keep "$heat"
expect 2 'needs --method or --plan' check --step 1ms "$heat"

# the same defaults wherever a step of the grid is made
for verb in "cost --json" "sim --static --json --stop 0.01"; do
    expect 0 'linearly implicit Euler\|"lie"' $verb "$heat"
done
finish
