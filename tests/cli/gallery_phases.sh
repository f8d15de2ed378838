#!/usr/bin/env bash
# What the phases make of the models of the gallery is what it was: the flat
# model, the reduced equations, the schedule, as checksums of their dumps.
#
#   tests/cli/gallery_phases.sh --bless     writes gallery_phases.expect anew
#
# A difference says where to look: `takt check --dump PHASE MODEL` of two builds.
# build: sanitizers
source=${TAKT_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
TAKT=${TAKT:-$source/build/takt}
. "$source/tests/support/cli.sh"
cd "$source" || exit 4
list=tests/cli/gallery_phases.expect

models() { # those of more than a second are left out
    for file in models/gallery/*.mo; do
        case $file in
        *SixAxisRobot* | *Andrews* | *DiodeLadderLoop*) ;;
        *) basename "$file" .mo ;;
        esac
    done
}

sum() { cksum <"$work/out" | tr ' ' -; }

# sums MODEL: of three phases
sums() {
    local phase
    printf '%s' "$1"
    for phase in flat dae schedule; do
        run_takt check "models/gallery/$1.mo" --dump $phase --method lie
        printf ' %s' "$(sum)"
    done
    echo
}

if [ "${1:-}" = --bless ]; then
    for model in $(models); do sums "$model"; done >"$work/list" &&
        cp "$work/list" $list
    exit
fi
[ "$(models)" = "$(sed 's/ .*//' $list)" ] || fail "$list has other models"
while read -r model want; do
    have=$(sums "$model")
    checks=$((checks + 1))
    [ "$have" = "$model $want" ] && continue
    fail "$have, not $want (flat, dae, schedule)"
    [ -z "${TAKT_FIRST:-}" ] || finish
done <$list
finish
