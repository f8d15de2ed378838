#!/usr/bin/env bash
# takt build on an FMU with sources: C, a program and an FMU with a fixed-step
# implicit method around it, the same bits as takt sim --static of the FMU.
# build: release
# cost: 21
. "$TAKT_SOURCE/tests/support/cli.sh"
sanitized && skip "the compiler's work is left to the other build"
. "$TAKT_SOURCE/tests/support/fmu.sh"

same() { # CSV CSV: the columns that both have, row by row
    checks=$((checks + 1))
    python3 - "$@" <<'PY' || fail "$1 $2"
import csv, sys
a, b = (list(csv.DictReader(open(f))) for f in sys.argv[1:])
names = [n for n in a[0] if n in b[0]]
number = lambda x: {"true": 1.0, "false": 0.0}[x] if x in ("true", "false") else float(x)
assert len(names) >= 3 and len(a) == len(b), (names, len(a), len(b))
for p, q in zip(a, b):
    for n in names:
        assert number(p[n]) == number(q[n]), (n, p["time"], p[n], q[n])
PY
}

for version in 2 3; do
    [ $version = 2 ] || quick
    inner=$work/Events.$version.fmu
    run_takt build Events.mo --target fmu$version --quiet -o "$inner"
    method=(--external --method lie --step 10ms --stop 3)
    run_takt sim "$inner" "${method[@]}" --static --estimate off --quiet -o "$work/sim.csv"
    [ "$code" = 0 ] || { fail "sim"; head -3 "$work/err"; }

    # a program
    expect 0 '.' build "$inner" "${method[@]}" --target exe -o "$work/events"
    "$work/events" -o "$work/exe.csv" >"$work/out" 2>&1 || { fail "exe"; head -3 "$work/out"; }
    same "$work/exe.csv" "$work/sim.csv"

    # an FMU of the other version
    outer=$work/outer.fmu
    expect 0 '.' build "$inner" "${method[@]}" --target fmu$((5 - version)) -o "$outer"
    for words in "trace $work/sim.csv 1" walk states; do
        # shellcheck disable=SC2086
        import "$outer" $words
    done
    rm -rf "$work/outer"
    python3 -m zipfile -e "$outer" "$work/outer"
    nm -D --defined-only "$work"/outer/binaries/*/*.so | awk '$NF !~ /^fmi/' | grep . &&
        fail "symbols of the FMU inside are visible"
    grep -rq takt-fmu- "$work/outer/sources" && fail "a path of this machine is in the sources"
done

# C, with the FMU beside it
full
run_takt build "$inner" "${method[@]}" --quiet -o "$work/c"
(cd "$work/c" && cmake -S . -B b >"$work/out" 2>&1 && cmake --build b >>"$work/out" 2>&1) ||
    { fail "C"; tail -3 "$work/out"; }
"$work"/c/b/Events_rt_example 300 >"$work/end"
python3 - "$work/sim.csv" "$work/end" <<'PY' || fail "C: other numbers"
import csv, sys
last = list(csv.DictReader(open(sys.argv[1])))[-1]
end = dict(l.split() for l in open(sys.argv[2]))
names = [n for n in end if n in last]
sys.exit(not names or any(float(end[n]) != float(last[n]) for n in names))
PY

# ---- what cannot be ----
expect 1 'holds foreign code' build "$inner" --method lie --step 10ms -o "$work/none"
expect 1 'cannot have the name of the FMU inside' build "$inner" "${method[@]}" --name Events \
    -o "$work/none"
python3 - "$inner" "$work/bare.fmu" <<'PY'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as a, zipfile.ZipFile(sys.argv[2], "w") as b:
    for i in a.infolist():
        if not i.filename.startswith("sources/") or i.filename.endswith(".xml"):
            b.writestr(i, a.read(i))
PY
expect 3 'code from an FMU with sources that are not there' build "$work/bare.fmu" "${method[@]}" \
    --target exe -o "$work/none"
python3 - "$inner" "$work/bare.fmu" <<'PY'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as a, zipfile.ZipFile(sys.argv[2], "w") as b:
    for i in a.infolist():
        if not i.filename.startswith("sources/"):
            b.writestr(i, a.read(i))
PY
expect 3 'code from an FMU with no sources' build "$work/bare.fmu" "${method[@]}" --target exe \
    -o "$work/none"
[ ! -e "$work/none" ] || fail "something is left"
finish
