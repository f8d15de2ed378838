#!/usr/bin/env bash
# msl-check.sh - which examples of the Modelica Standard Library pass `takt
# check`, in what time and in how much memory?
#
#   tests/msl-check.sh [-s] [-p PATTERN] [-j N] [-o FILE] MSL
#   tests/msl-check.sh -b FILE...
#
# MSL is a checkout of the library, TAKT_MSL_EXAMPLES a CSV file with the columns
# model and dymola_dae_size. Prints the examples that do not pass or that are
# above a limit (TAKT_MSL_MB, default 300; TAKT_MSL_SECONDS of processor time,
# default 20), and a table by package.
#   -s          only examples that have a dymola_dae_size: those of 4.0.0
#   -p PATTERN  only models that match (grep -E)
#   -o FILE     writes all results: model, exit code, processor seconds, MB,
#               first message
#   -b          runs nothing: prints the same of the results in FILEs
# $TAKT is the program (default build/takt). Exit code: 0, or 1 if fewer than
# TAKT_MSL_CHECK (if set) examples pass, one is above a limit, or takt crashed.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
takt=${TAKT:-$here/../build/takt}
only= pattern=. jobs=1 out= table=
usage() { sed -n '5,6p' "${BASH_SOURCE[0]}" | cut -c3-; exit 2; }

show() {
    awk -F'\t' -v mb="${TAKT_MSL_MB:-300}" -v s="${TAKT_MSL_SECONDS:-20}" \
        -v least="${TAKT_MSL_CHECK:-0}" '
        {
            split($1, part, ".")
            name = part[2]
            if (name ~ /^(Electrical|Magnetic|Mechanics|Thermal)$/)
                name = name "." part[3]
            total[name]++; all++
            pass[name] += $2 == 0; ok += $2 == 0
            crash += $2 != 0 && $2 != 1 && $2 != 3
            if ($3 > most_s[name]) most_s[name] = $3
            if ($4 > most_mb[name]) most_mb[name] = $4
            if ($3 > all_s) all_s = $3
            if ($4 > all_mb) all_mb = $4
            above += $3 > s || $4 > mb
            if ($2 != 0 || $3 > s || $4 > mb) {
                printf "%-70s exit %s %7.1f s %5d MB\n", $1, $2, $3, $4
                if ($5 != "") print "    " $5
            }
        }
        END {
            print "\n| package | examples | pass | most s | most MB |"
            print "|---|--:|--:|--:|--:|"
            for (name in total)
                printf "| %s | %d | %d | %.1f | %d |\n", name, total[name],
                    pass[name], most_s[name], most_mb[name] | "LC_ALL=C sort"
            close("LC_ALL=C sort")
            printf "| **all** | **%d** | **%d** | **%.1f** | **%d** |\n", all,
                ok, all_s, all_mb
            printf "%d of %d examples pass, %d above %s MB or %s s, %d crashed\n",
                ok, all, above, mb, s, crash
            exit crash > 0 || above > 0 || ok < least
        }' "$@"
}
while getopts bsp:j:o: option; do
    case $option in
    b) table=1 ;;
    s) only=1 ;;
    p) pattern=$OPTARG ;;
    j) jobs=$OPTARG ;;
    o) out=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
if [ -n "$table" ]; then
    [ $# -gt 0 ] || usage
    show "$@"
    exit
fi
[ $# = 1 ] || usage
msl=$1 csv=${TAKT_MSL_EXAMPLES:?the CSV file of the examples}
[ -e "$msl/Modelica/package.mo" ] || { echo "no Modelica in $msl"; exit 2; }
[ -r "$csv" ] || { echo "$csv cannot be read"; exit 2; }
[ -x /usr/bin/time ] || { echo "skipped: no /usr/bin/time"; exit 77; }
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
awk -v only="$only" "$(cat "$here/support/examples.awk")"'
    only == "" || f[column["dymola_dae_size"]] != "" {
        print f[column["model"]]
    }' "$csv" | grep -E -- "$pattern" >"$work/list"
[ -s "$work/list" ] || { echo "no such examples in $csv"; exit 2; }

run_one() {
    local base=$work/$BASHPID code first
    (ulimit -v 6000000
        exec timeout "${TAKT_MSL_TIMEOUT:-120}" /usr/bin/time -o "$base.time" \
            -f '%U %M' "$takt" check "$1" -L "$msl") \
        >"$base.out" 2>"$base.err" </dev/null
    code=$?
    first=$(grep -m1 -E 'error: |unsupported: |not supported|takt: ' "$base.err" |
        sed "s|$msl/||g" | cut -c1-150)
    printf '%s\t%s\t%s\t%s\n' "$1" "$code" \
        "$(tail -n 1 "$base.time" | awk '{ printf "%s\t%.0f", $1, $2 / 1024 }')" \
        "$first"
    rm -f "$base".*
}
export -f run_one
export work takt msl
xargs -P "$jobs" -L1 bash -c 'run_one "$@"' _ <"$work/list" |
    LC_ALL=C sort >"$work/result"
[ -n "$out" ] && cp "$work/result" "$out"
show "$work/result"
