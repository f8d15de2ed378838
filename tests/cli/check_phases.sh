#!/usr/bin/env bash
# With TAKT_CHECK=1 every phase checks what it hands out: sound models pass, and
# compute what they compute without.
# build: release
# cost: 10
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE" || exit 4

# checked NAME METHOD
checked() {
    local way
    set -- "models/gallery/$1.mo" --method "$2" --quiet --step 1ms --stop 5ms
    for way in sim 'sim --static'; do
        # shellcheck disable=SC2086
        refuse 0 'internal error' $way "$@" -o "$work/plain.csv"
        # shellcheck disable=SC2086
        TAKT_CHECK=1 refuse 0 'internal error' $way "$@" -o "$work/checked.csv"
        cmp -s "$work/plain.csv" "$work/checked.csv" ||
            fail "$*: checks change what is computed"
    done
    TAKT_CHECK=1 refuse 0 'internal error' build "$@" --name model \
        -o "$work/model"
}

for name in VanDerPol SampledControl; do
    checked $name lie
    checked $name radau3
done
checked DiodeLadderLoop bdf2
checked CoupledPendulums liex2
finish
