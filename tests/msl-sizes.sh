#!/usr/bin/env bash
# msl-sizes.sh - are the examples of the Modelica Standard Library as large as
# another tool finds them?
#
#   tests/msl-sizes.sh [-t TIER] [-p PATTERN] [-j N] [-o FILE] MSL
#
# MSL is a checkout of version 4.0.0, TAKT_MSL_EXAMPLES a CSV file with the
# columns model, tier, dymola_dae_size, states. `takt check --json` must find
# `unknowns` equal to dymola_dae_size and as many `states` as the column says. Prints the examples that differ and a line of totals.
#   -t TIER     1 to 4, or "1 2" (default 1)
#   -p PATTERN  only models that match (grep -E)
#   -o FILE     writes all results: model, unknowns, expected, states, expected,
#               exit code, first message
# $TAKT is the program (default build/takt). Exit code: 0, or 1 if fewer than
# TAKT_MSL_SIZES (if set) examples have the expected unknowns, or takt crashed.
set -u
# a finding of a sanitizer is a crash, not exit code 1
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
takt=${TAKT:-$here/../build/takt}
csv=${TAKT_MSL_EXAMPLES:?the CSV file of the examples}
tier=1 pattern=. jobs=2 out=
usage() { sed -n '5p' "${BASH_SOURCE[0]}" | cut -c3-; exit 2; }
while getopts t:p:j:o: option; do
    case $option in
    t) tier=$OPTARG ;;
    p) pattern=$OPTARG ;;
    j) jobs=$OPTARG ;;
    o) out=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# = 1 ] || usage
msl=$1
[ -e "$msl/Modelica/package.mo" ] || { echo "no Modelica in $msl"; exit 2; }
[ -r "$csv" ] || { echo "$csv cannot be read"; exit 2; }
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT

# "model unknowns states" of the examples; "-" where the CSV has nothing.
awk -v tiers=" $tier " "$(cat "$here/support/examples.awk")"'
    index(tiers, " " f[column["tier"]] " ") {
        size = f[column["dymola_dae_size"]]; states = f[column["states"]]
        print f[column["model"]], size == "" ? "-" : size, \
            states == "" ? "-" : states
    }' "$csv" | grep -E -- "$pattern" >"$work/list"
[ -s "$work/list" ] || { echo "no examples of tier $tier in $csv"; exit 2; }

# number KEY FILE: of one JSON object, "-" if it is not there.
number() {
    local value
    value=$(sed -n "s/.*\"$1\": *\(-\{0,1\}[0-9][0-9]*\).*/\1/p" "$2" | head -n 1)
    echo "${value:--}"
}

# names KEY FILE: how many texts the JSON list has, "-" if it is not there.
names() {
    local list
    list=$(sed -n "s/.*\"$1\": *\(\[[^]\"]*\(\"[^\"]*\"[^]\"]*\)*\]\).*/\1/p" "$2" |
        head -n 1)
    [ -n "$list" ] || { echo -; return; }
    grep -o '"[^"]*"' <<<"$list" | wc -l
}

run_one() {
    local model=$1 size=$2 states=$3 base=$work/$BASHPID code first
    (case $takt in *asan*) ;; *) ulimit -v 6000000 ;; esac
        exec timeout "${TAKT_MSL_TIMEOUT:-60}" "$takt" check --json "$model" \
            -L "$msl") >"$base.out" 2>"$base.err" </dev/null
    code=$?
    first=$(grep -m1 -E 'error: |unsupported: |not supported|takt: ' "$base.err" |
        sed "s|$msl/||g" | cut -c1-150)
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$model" \
        "$(number unknowns "$base.out")" "$size" \
        "$(names states "$base.out")" "$states" "$code" "$first"
    rm -f "$base.out" "$base.err"
}
export -f run_one number names
export work takt msl
xargs -P "$jobs" -L1 bash -c 'run_one "$@"' _ <"$work/list" |
    LC_ALL=C sort >"$work/result"
[ -n "$out" ] && cp "$work/result" "$out"

awk -F'\t' -v least="${TAKT_MSL_SIZES:-0}" '
    {
        total++
        crash += $6 != 0 && $6 != 1 && $6 != 3
        code[$6]++
        if ($3 != "-") { sized++; same += $2 == $3 }
        if ($5 != "-" && $4 != "-") { stated++; same_states += $4 == $5 }
        bad = $6 != 0 || ($3 != "-" && $2 != $3) || \
            ($5 != "-" && $4 != "-" && $4 != $5)
        if (bad) {
            if (!shown++)
                printf "%-72s %8s %8s %6s %6s %4s\n", "differs", "unknowns", \
                    "expected", "states", "exp.", "exit"
            printf "%-72s %8s %8s %6s %6s %4s\n", $1, $2, $3, $4, $5, $6
            if ($7 != "") print "    " $7
        }
    }
    END {
        if (shown) print ""
        printf "%d examples, exit 0: %d, 1: %d, 3: %d, others: %d\n", total, \
            code[0], code[1], code[3], crash
        printf "unknowns as expected: %d of %d; states: %d of %d\n", same, \
            sized, same_states, stated
        if (least && same < least) {
            print "fewer than " least " have the expected unknowns"
            exit 1
        }
        exit crash > 0
    }' "$work/result"
