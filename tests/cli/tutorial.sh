#!/usr/bin/env bash
# Every command of docs/guide/rlc.md. TAKT_FMPY, where it names a folder with
# FMPy's package, adds its part.
# build: release
. "$TAKT_SOURCE/tests/support/cli.sh"
cp -r "$TAKT_SOURCE/examples/fmu" "$work/examples" || exit 4
mkdir "$work/bin" && ln -s "$TAKT" "$work/bin/takt"
export PATH=$work/bin:$PATH TAKT_MODELS=$TAKT_SOURCE/models
sed -n 's/^    //p' "$TAKT_SOURCE/docs/guide/rlc.md" >"$work/commands"
cd "$work/examples" || exit 4
fmpy=${TAKT_FMPY:-}
while read -r line; do
    case $line in
    cd\ *) continue ;;
    *fmpy*)
        [ -n "$fmpy" ] || { echo "skipped: $line"; continue; }
        line="PYTHONPATH=$fmpy /usr/bin/${line}"
        ;;
    esac
    checks=$((checks + 1))
    bash -c "$line" >"$work/said" 2>&1 </dev/null ||
        { fail "$line"; tail -3 "$work/said"; }
done <"$work/commands"
[ "$checks" -ge 6 ] || fail "only $checks commands"
value=$(tail -1 "$work/said")
# 2 V (1 - e^(-t/2T) (cos wt + sin wt / 2Tw)) at 1 ms, T = L/R, 1/LC = w^2 + 1/4T^2
awk -v x="$value" 'BEGIN {
    R = 10; L = 1e-3; C = 1e-6; t = 1e-3; a = R/(2*L); w = sqrt(1/(L*C) - a*a)
    v = 2*(1 - exp(-a*t)*(cos(w*t) + a/w*sin(w*t)))
    print "voltage " x ", exactly " v
    exit !(x - v < 2e-4 && v - x < 2e-4) }' || fail "the C program has another voltage"
[ ! -e rlc.csv ] || tail -1 rlc.csv |
    awk -F, -v x="$value" '{ exit !($NF - x < 1e-6 && x - $NF < 1e-6) }' ||
    fail "FMPy has another voltage"
finish
