#!/usr/bin/env bash
# Generated code of a small model is the text that was read; that it computes
# the right thing is shown by other tests.
#
#   tests/cli/code.sh --bless     writes it anew: read the difference then
# build: sanitizers
source=${TAKT_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
TAKT=${TAKT:-$source/build/takt}
. "$source/tests/support/cli.sh"
cd "$source/tests/golden/check" || exit 4
keep=$source/tests/cli/code

# text NAME MODEL OPTION...: files of its own, without those of the runtime
text() {
    local name=$1 model=$2 file kept
    shift 2
    refuse 0 'error:' build "$model.mo" --name "$name" --step 0.01 --stop 0.2 \
        --quiet -o "$work/$name" "$@"
    for file in "$work/$name/$name".*; do
        kept=$keep/$(basename "$file").txt
        [ "${bless:-}" ] && cp "$file" "$kept"
        diff -u "$kept" "$file" >"$work/diff" ||
            { fail "$kept was another text"; head -30 "$work/diff"; }
    done
}

[ "${1:-}" = --bless ] && bless=1
text mixed Mixed
text pendulum Pendulum --method radau3 --scalar float --init values --fixed
text chain Chain --method liex2 --factor table --math takt
finish
