#!/usr/bin/env bash
# Operations of a step of chains of 2, 4, 8 and 16 links in space, as upper
# limits: what a chain costs may not grow faster with its length. And two
# integrators agree on where the chain is after a second.
# build: release
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE" || exit 4

while read -r n most; do
    sed "s/n = 4/n = $n/" tests/cli/chains/Links.mo >"$work/Links.mo"
    expect 0 ' in all$' cost "$work/Links.mo" --method lie --step 1ms
    count=$(awk '/ in all$/ { print $1 + $2 + $3 + $4 }' "$work/out")
    [ "${count:-0}" -gt 0 ] && [ "$count" -le "$most" ] ||
        fail "$n links need $count operations, $most are allowed"
done <<'END'
2 300
4 1600
8 8500
16 36000
END

run_takt sim tests/cli/chains/Links.mo --method radau5 --step 1ms --stop 1 \
    --quiet -o "$work/radau.csv"
run_takt sim tests/cli/chains/Links.mo --method ida --stop 1 --quiet -o "$work/ida.csv"
angle() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); if ($i == "phi[1]") k = i } }
        END { print $k }' "$1"
}
awk -v a="$(angle "$work/radau.csv")" -v b="$(angle "$work/ida.csv")" \
    'BEGIN { d = a - b; exit !(a != "" && b != "" && d * d < 1e-6) }' ||
    fail "angles differ: $(angle "$work/radau.csv") and $(angle "$work/ida.csv")"
finish
