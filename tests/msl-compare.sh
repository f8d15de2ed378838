#!/usr/bin/env bash
# msl-compare.sh - do the examples of the Modelica Standard Library give the
# results that the library publishes for them?
#
#   tests/msl-compare.sh [-t TIER | -l LIBRARY] [-p PATTERN] [-j N] [-m METHOD] [-o FILE]
#   tests/msl-compare.sh -b FILE...
#
# Three variables say where the material is; without one of them: exit code 77.
#   TAKT_MSL                a checkout of version 4.0.0
#   TAKT_REFERENCE_RESULTS  the results of that version: those of A.B.C are in
#                           A/B/C/C.csv
#   TAKT_MSL_EXAMPLES       a CSV file with the columns model, tier, stopTime and
#                           interval
# Every example that has reference results is simulated to their last time with
# the step `interval` (a 500th of the run if it says nothing), with exact events
# where the method has a step, and compared within the tube of `takt sim --compare`. Prints a line for each example that fails, and totals.
#   -t TIER     1 to 4 (default 1)
#   -l LIBRARY  instead of a tier: every model of a library beside Modelica that
#               has results, such as ModelicaTest; needs no TAKT_MSL_EXAMPLES
#   -p PATTERN  only models that match (grep -E)
#   -m METHOD   of takt sim (default radau5); `default`: none, and no step
#               either, as a user has it who gives no options
#   -o FILE     writes all results: model, exit code, seconds, first finding
#   -b          runs nothing: prints a table by package of the results in FILEs,
#               which -o has written
# TAKT_MSL_TIMEOUT seconds for an example; else 60 in Tier 1, 120 in Tier 2, 300
# above; with -l 60, of processor time. $TAKT is the program (default build/takt).
# Exit code: 0, or 1 if less than TAKT_MSL_COMPARE (default 80) per cent of the
# examples pass or takt crashed.
set -u
# a finding of a sanitizer is a crash, not exit code 1
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
takt=${TAKT:-$here/../build/takt}
tier=1 library= pattern=. jobs=2 out= method=radau5 table=
usage() { sed -n '5,6p' "${BASH_SOURCE[0]}" | cut -c3-; exit 2; }

# by_package FILE...: the second name of a model is its package, the third too
# in packages that are made of packages.
by_package() {
    awk -F'\t' '
        {
            split($1, part, ".")
            name = part[2]
            if (name ~ /^(Electrical|Magnetic|Mechanics|Thermal)$/)
                name = name "." part[3]
            total[name]++
            pass[name] += $2 == 0
            late[name] += $2 == 124 || $2 == 137
            all++; ok += $2 == 0; slow += $2 == 124 || $2 == 137
        }
        END {
            print "| package | examples | as the reference | too slow |"
            print "|---|--:|--:|--:|"
            for (name in total)
                printf "| %s | %d | %d | %d |\n", name, total[name],
                    pass[name], late[name] | "LC_ALL=C sort"
            close("LC_ALL=C sort")
            printf "| **all** | **%d** | **%d** | **%d** |\n", all, ok, slow
        }' "$@"
}
while getopts bt:l:p:j:m:o: option; do
    case $option in
    b) table=1 ;;
    t) tier=$OPTARG ;;
    l) library=$OPTARG ;;
    p) pattern=$OPTARG ;;
    j) jobs=$OPTARG ;;
    m) method=$OPTARG ;;
    o) out=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
if [ -n "$table" ]; then
    [ $# -gt 0 ] || usage
    by_package "$@"
    exit
fi
[ $# = 0 ] || usage
needed="TAKT_MSL TAKT_REFERENCE_RESULTS"
[ -n "$library" ] || needed="$needed TAKT_MSL_EXAMPLES"
for name in $needed; do
    [ -n "${!name:-}" ] || { echo "skipped: no $name"; exit 77; }
done
msl=$TAKT_MSL results=$TAKT_REFERENCE_RESULTS csv=${TAKT_MSL_EXAMPLES:-}
for name in Modelica $library; do
    [ -e "$msl/$name/package.mo" ] || { echo "no $name in $msl"; exit 2; }
    [ -d "$results/$name" ] || { echo "no $name in $results"; exit 2; }
done
[ -n "$library" ] || [ -r "$csv" ] || { echo "$csv cannot be read"; exit 2; }
case $tier in
1) limit=60 ;;
2) limit=120 ;;
*) limit=300 ;;
esac
[ -z "$library" ] || limit=60
limit=${TAKT_MSL_TIMEOUT:-$limit} patience=$limit
[ -z "$library" ] || patience=$((10 * limit))
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT

# of_library: "model stop step" of the results of the library; how long they are
# is found below.
of_library() {
    (cd "$results" && find "$library" -name '*.csv') | awk -F/ '
        $NF == $(NF - 1) ".csv" {
            sub("/[^/]*$", ""); gsub("/", "."); print $0, 0, 0
        }' | LC_ALL=C sort
}

# of_tier: the same of the examples of the tier.
of_tier() {
    awk -v tier="$tier" "$(cat "$here/support/examples.awk")"'
        f[column["tier"]] == tier {
            stop = f[column["stopTime"]]; step = f[column["interval"]]
            if (stop == "") stop = 1
            if (step + 0 <= 0) step = sprintf("%.17g", stop / 500)
            print f[column["model"]], stop, step
        }' "$csv"
}
if [ -n "$library" ]; then of_library; else of_tier; fi |
    grep -E -- "$pattern" >"$work/all"

# options STEP: what takt sim is told about steps.
options() {
    case $method in
    default) ;;
    ida | cvode) echo "--method $method --step $1" ;;
    *) echo "--method $method --step $1 --events exact" ;;
    esac
}

# reference MODEL: the file its results are in.
reference() { echo "$results/${1//.//}/${1##*.}.csv"; }

# comparison MODEL: the option that compares; none where the results have no
# signals, and the run has only to reach its end.
comparison() {
    case $(head -n 1 "$(reference "$1")") in
    *,*) echo "--compare $(reference "$1")" ;;
    esac
}

# The list may be of another version of the library: the results say how long
# they are.
while read -r model stop step; do
    [ -r "$(reference "$model")" ] || continue
    last=$(tail -n 1 "$(reference "$model")" | cut -d, -f1)
    awk -v model="$model" -v stop="$stop" -v step="$step" -v last="$last" 'BEGIN {
        same = last > 0.999*stop && last < 1.001*stop
        if (!same && last > 0) { stop = last; step = sprintf("%.17g", last/500) }
        if (step + 0 <= 0) step = 1 # a run of length 0
        print model, stop, step }'
done <"$work/all" >"$work/list"
[ -s "$work/list" ] ||
    { echo "no examples of ${library:-tier $tier} with reference results"; exit 2; }

run_one() {
    local model=$1 stop=$2 step=$3 base=$work/$BASHPID code first start compare
    start=$(date +%s.%N)
    compare=$(comparison "$model")
    (case $takt in *asan*) ;; *) ulimit -v 6000000 ;; esac
        [ -z "$library" ] || ulimit -S -t "$limit"
        # shellcheck disable=SC2046,SC2086
        exec timeout "$patience" "$takt" sim "$model" -L "$msl" \
            $(options "$step") --stop "$stop" $compare --quiet) >"$base.out" 2>"$base.err" </dev/null
    code=$?
    first=$(cat "$base.err" "$base.out" | grep -m1 -E \
        'error: |unsupported: |not supported|takt: |OUTSIDE|missing' |
        sed "s|$msl/||g; s|$results/||g" | cut -c1-150)
    [ -n "$compare" ] || first="${first:-no signals}"
    case $code in 124 | 137 | 152) code=124 first="more than $limit s" ;; esac
    printf '%s\t%s\t%s\t%s\n' "$model" "$code" \
        "$(awk -v a="$start" -v b="$(date +%s.%N)" \
            'BEGIN { printf "%.1f", b - a }')" "$first"
    rm -f "$base.out" "$base.err"
}
export -f run_one reference comparison options
export work takt msl results method limit patience library
# (2>: the shell tells of every run that its limit ended)
xargs -P "$jobs" -L1 bash -c 'run_one "$@"' _ <"$work/list" \
    >"$work/unsorted" 2>/dev/null
LC_ALL=C sort "$work/unsorted" >"$work/result"
[ -n "$out" ] && cp "$work/result" "$out"

awk -F'\t' -v least="${TAKT_MSL_COMPARE:-80}" -v tier="${library:-tier $tier}" '
    {
        total++
        pass += $2 == 0
        late += $2 == 124
        crash += $2 != 124 && ($2 >= 4 || $2 < 0)
        if ($2 != 0) {
            if (!shown++) printf "%-72s %4s %8s\n", "fails", "exit", "seconds"
            printf "%-72s %4s %8s\n", $1, $2, $3
            if ($4 != "") print "    " $4
        }
    }
    END {
        if (shown) print ""
        printf "%s: %d of %d examples as the reference, %d too slow, " \
            "%d crashed\n", tier, pass, total, late, crash
        if (100 * pass < least * total) {
            print "less than " least " per cent"
            exit 1
        }
        exit crash > 0
    }' "$work/result"
