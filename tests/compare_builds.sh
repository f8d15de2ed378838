#!/usr/bin/env bash
# compare_builds.sh - do two builds of takt compute the same, to the last bit?
#
#   tests/compare_builds.sh [options] OLD NEW      two programs `takt`
#     -m 'NAME...'   models of models/gallery (default: all)
#     -i 'NAME...'   methods (default: eight of different families)
#     -w 'WAY...'    of sim, static, code (default: all three)
#     -n STEPS       steps of a run (default 100)
#     -j JOBS        runs at a time (default 2)
#     -t SECONDS     most a run may take (default 120)
#     -a             shows equal runs too
#
# A run is a model, a method and a way: `takt sim`, `takt sim --static`, or
# `takt run --no-wait`, which compiles the generated C. Verdicts:
#   equal      the same columns and the same bytes, or numbers of the same value
#   columns    equal where both have a column, but the columns differ
#   DIFFERENT  some number differs
#   refused    both refuse or stop with the same codes, after the same values
#   REFUSED    both refuse, each in its own way, or only one of them
# What a program computed is kept in $TAKT_COMPARE_CACHE (default
# /tmp/takt-compare.UID), found by the contents of program and model.
# Exit code: 0 if no run is DIFFERENT or REFUSED.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# experiment FILE: "step stop" of a run of $steps steps.
experiment() {
    awk -v n="$steps" '
        function number(name) {
            if (!match($0, name "[ ]*=[ ]*[-+.0-9eE]+")) return ""
            s = substr($0, RSTART, RLENGTH); sub(/.*=[ ]*/, "", s)
            return s + 0
        }
        /experiment[ ]*\(/ { stop = number("StopTime")
                             step = number("Interval") }
        END { if (stop == "") stop = 1
              if (step == "") step = stop / 1000
              printf "%.15g %.15g\n", step, step * n }' "$1"
}

# compute PROGRAM KEY MODEL METHOD WAY: leaves KEY.csv.gz, KEY.log and KEY.code
# in the cache, unless they are there.
compute() {
    local program=$1 key=$2 file=$gallery/$3.mo method=$4 step stop at
    [ -e "$key.code" ] && return
    read -r step stop < <(experiment "$file")
    at=$(mktemp -d "$cache/run.XXXXXX") || exit 4
    case $5 in
    sim) set -- sim ;;
    static) set -- sim --static ;;
    code) set -- run --no-wait ;;
    esac
    CC=$cache/cc-fast TMPDIR=$at timeout "$most" "$program" "$@" "$file" \
        --method "$method" --step "$step" --stop "$stop" --quiet \
        -o "$at/run.csv" >"$at/log" 2>&1 </dev/null
    local code=$?
    [ -e "$at/run.csv" ] || : >"$at/run.csv"
    gzip -1 -n "$at/run.csv"
    mv "$at/run.csv.gz" "$key.csv.gz"
    mv "$at/log" "$key.log"
    echo $code >"$at/code"
    mv "$at/code" "$key.code"
    rm -rf "$at"
}

# values OLD NEW: a verdict on two CSV files, and the first difference.
values() {
    awk '
        function head(column, list,    i, n, s) {
            s = $0; gsub(/^"|"$/, "", s); n = split(s, list, /"?,"?/)
            for (i = 1; i <= n; i++) column[list[i]] = i
            return n
        }
        FNR == 1 && NR == 1 { n = head(old, oldname); next }
        FNR == 1 { m = head(new, newname); next }
        NR == FNR { row[FNR] = $0; rows = FNR; next }
        {
            last = FNR
            if (!(FNR in row)) { extra = 1; next }
            split(row[FNR], a, ","); split($0, b, ",")
            for (i = 1; i <= n; i++) {
                if (!((name = oldname[i]) in new)) continue
                x = a[i]; y = b[new[name]]; compared++
                if (x == y || x + 0 == y + 0 && x "" !~ /nan|inf/) continue
                d = x - y; if (d < 0) d = -d
                size = x < 0 ? -x : x
                if (size > 0 && d / size > worst) worst = d / size
                if (!first) first = name " in line " FNR ": " x " and " y
            }
        }
        END {
            for (i = 1; i <= n; i++) if (!(oldname[i] in new)) gone++
            for (i = 1; i <= m; i++) if (!(newname[i] in old)) came++
            lines = rows != last ? ", " rows " and " last " lines" : ""
            if (first) printf "DIFFERENT %s, at worst %.2g relative%s\n",
                              first, worst, lines
            else if (!compared || lines) print "DIFFERENT nothing else" lines
            else if (gone + came) printf "columns %d gone, %d new\n",
                                         gone, came
            else print "equal in value, other bytes"
        }' "$1" "$2"
}

# refusal KEY: the error codes of a run, or the start of its message.
refusal() {
    local codes
    [ "$(cat "$1.code")" = 0 ] && return
    codes=$(grep -o '\[E[0-9]*\]' "$1.log" | sort -u | tr -d '\n')
    echo "${codes:-$(tail -n 1 "$1.log" | cut -c 1-60)}"
}

# verdict OLDKEY NEWKEY
verdict() {
    local a b c d
    a=$(cat "$1.code") b=$(cat "$2.code")
    if [ "$a" != 0 ] || [ "$b" != 0 ]; then
        c=$(refusal "$1") d=$(refusal "$2")
        if [ "$a" != "$b" ] || [ "$c" != "$d" ]; then
            echo "REFUSED $a $c | $b $d"
        elif cmp -s "$1.csv.gz" "$2.csv.gz"; then
            echo "refused $a $c"
        else # up to where both stop
            values <(zcat "$1.csv.gz") <(zcat "$2.csv.gz")
        fi
    elif cmp -s "$1.csv.gz" "$2.csv.gz"; then
        echo equal
    else
        values <(zcat "$1.csv.gz") <(zcat "$2.csv.gz")
    fi
}

# one MODEL METHOD WAY: prints a line of the result.
one() {
    local name
    name=$(cksum <"$gallery/$1.mo" | tr ' ' -).$1.$2.$3.$steps
    mkdir -p "$cache/$oldsum" "$cache/$newsum"
    compute "$old" "$cache/$oldsum/$name" "$1" "$2" "$3"
    compute "$new" "$cache/$newsum/$name" "$1" "$2" "$3"
    printf '%-20s %-10s %-7s %s\n' "$1" "$2" "$3" \
        "$(verdict "$cache/$oldsum/$name" "$cache/$newsum/$name")"
}

# Bits do not depend on the level of optimisation, time does: -O0 compiles.
make_compiler() {
    local at
    at=$(mktemp "$cache/cc.XXXXXX") || exit 4
    cat >"$at" <<'END'
#!/bin/sh
for a; do
    shift
    [ "$a" = -O2 ] && a=-O0
    set -- "$@" "$a"
done
exec cc "$@"
END
    chmod 755 "$at"
    mv "$at" "$cache/cc-fast"
}

if [ "${1:-}" = --one ]; then # called by xargs below
    shift
    one "$@"
    exit
fi
gallery=$here/../models/gallery
models=
methods='fe rk4 be lie trapezoid bdf2 radau3 liex2'
ways='sim static code'
steps=100
jobs=2
most=120
all=
while getopts m:i:w:n:j:t:a option; do
    case $option in
    m) models=$OPTARG ;;
    i) methods=$OPTARG ;;
    w) ways=$OPTARG ;;
    n) steps=$OPTARG ;;
    j) jobs=$OPTARG ;;
    t) most=$OPTARG ;;
    a) all=1 ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# = 2 ] || { echo "usage: compare_builds.sh [options] OLD NEW"; exit 2; }
for program; do
    [ -x "$program" ] || { echo "$program is no program"; exit 2; }
done
[ -n "$models" ] || models=$(cd "$gallery" && ls ./*.mo | sed 's/.*\///; s/\.mo$//')
cache=${TAKT_COMPARE_CACHE:-/tmp/takt-compare.$(id -u)}
mkdir -p "$cache" || exit 4
make_compiler
old=$(realpath "$1") new=$(realpath "$2")
oldsum=$(cksum <"$old" | tr ' ' -) newsum=$(cksum <"$new" | tr ' ' -)
export old new oldsum newsum cache gallery steps most
result=$(mktemp) || exit 4
trap 'rm -f "$result"' EXIT
for model in $models; do
    [ -e "$gallery/$model.mo" ] || { echo "no model $model"; exit 2; }
    for method in $methods; do
        for way in $ways; do echo "$model $method $way"; done
    done
done | xargs -P "$jobs" -L 1 "${BASH_SOURCE[0]}" --one |
    tee "$result" | { [ -n "$all" ] && cat || grep -v ' equal$'; }
awk '{ n[$4]++ }
     END { for (v in n) printf "%d %s\n", n[v], v }' "$result" | sort -rn |
    paste -sd, | sed 's/,/, /g'
[ -s "$result" ] && ! awk '$4 ~ /^[A-Z]+$/ { bad = 1 } END { exit !bad }' "$result"
