#!/usr/bin/env bash
# golden.sh - runs takt on models and compares what it prints with files.
#
#   tests/golden.sh [--bless] DIR|FILE.mo ...
#
# DIR/command holds the command of a directory, e.g. `takt check --flat @FILE@`.
# Each NAME.mo in it (not in subdirectories: those hold what the cases use) has
#   NAME.expect  what goes to standard output, and/or
#   NAME.err     what goes to standard error; without it, nothing may go there.
# takt runs in DIR, so that messages show the bare file name. The first comment
# lines of a model may change the rules:
#   // takt: check --dump=dae     another command (@FILE@ is added if not there)
#   // exit: 3                    the exit code; else 1 for a case that has
#                                 only NAME.err, and 0 for the others
#   // tolerance: 1e-9            numbers may differ by this, relative
# --bless writes the files instead of comparing them: look at the diff then.
# $TAKT is the program (default build/takt). Exit code: 0 all as expected.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
takt=${TAKT:-$here/../build/takt}
bless=
npass=0
nfail=0
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT

# directive KEY FILE: the value of a "// KEY: value" line in the leading
# comments of FILE.
directive() {
    awk -v key="// $1:" '
        { sub(/\r$/, "") }
        /^[ \t]*$/ { next }
        !/^\/\// { exit }
        index($0, key) == 1 {
            sub(/^[^:]*:[ \t]*/, ""); print; exit
        }' "$2"
}

# same EXPECTED FOUND TOLERANCE: equal texts, or equal but for numbers within
# the relative tolerance.
same() {
    cmp -s "$1" "$2" && return 0
    [ -n "$3" ] || return 1
    awk -v tol="$3" '
        function split_line(s, part,    n, m) {
            n = 0
            while (match(s, /[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?/)) {
                part[++n] = substr(s, 1, RSTART - 1)
                part[++n] = substr(s, RSTART, RLENGTH)
                s = substr(s, RSTART + RLENGTH)
            }
            part[++n] = s
            return n
        }
        function abs(x) { return x < 0 ? -x : x }
        NR == FNR { line[NR] = $0; count = NR; next }
        {
            if (FNR > count) { bad = 1; exit }
            n = split_line(line[FNR], a); m = split_line($0, b)
            if (n != m) { bad = 1; exit }
            for (i = 1; i <= n; i++) {
                if (i % 2) { if (a[i] != b[i]) { bad = 1; exit } }
                else {
                    x = a[i] + 0; y = b[i] + 0
                    big = abs(x) > abs(y) ? abs(x) : abs(y)
                    if (abs(x - y) > tol * (big > 1 ? big : 1)) {
                        bad = 1; exit
                    }
                }
            }
            seen = FNR
        }
        END { exit bad || seen != count }' "$1" "$2"
}

# run_case FILE: FILE is relative to the current directory.
run_case() {
    local file=$1 name=${1%.mo} line code want=0 why= tolerance
    line=$(directive takt "$file")
    if [ -n "$line" ]; then line="takt $line"; else line=$(cat command); fi
    line=${line#takt }
    case $line in *@FILE@*) ;; *) line="$line @FILE@" ;; esac
    eval "set -- ${line//@FILE@/\"\$file\"}"
    timeout 60 "$takt" "$@" >"$work/out" 2>"$work/err" </dev/null
    code=$?
    tolerance=$(directive tolerance "$file")
    want=$(directive exit "$file")
    if [ -n "$bless" ]; then
        bless_case "$name" "$code" "$want"
        return
    fi
    if [ ! -e "$name.expect" ] && [ ! -e "$name.err" ]; then
        why="has neither $name.expect nor $name.err"
    fi
    if [ -z "$want" ]; then
        want=0
        [ -e "$name.err" ] && [ ! -e "$name.expect" ] && want=1
    fi
    [ "$code" = "$want" ] || why="exit code $code, expected $want"
    if [ -e "$name.expect" ] && ! same "$name.expect" "$work/out" "$tolerance"
    then
        why="${why:+$why; }standard output differs"
        diff -u "$name.expect" "$work/out" | head -n 40
    fi
    if [ -e "$name.err" ]; then
        if ! same "$name.err" "$work/err" "$tolerance"; then
            why="${why:+$why; }standard error differs"
            diff -u "$name.err" "$work/err" | head -n 40
        fi
    elif [ -s "$work/err" ]; then
        why="${why:+$why; }unexpected messages"
        head -n 40 "$work/err"
    fi
    if [ -n "$why" ]; then
        echo "FAIL $PWD/$file: $why"
        nfail=$((nfail + 1))
    else
        npass=$((npass + 1))
    fi
}

# bless_case NAME CODE WANT: keeps what was found, except a crash.
bless_case() {
    if [ "$2" -ge 4 ] && [ "$2" != "${3:-}" ]; then
        echo "FAIL $PWD/$1.mo: exit code $2 is not blessed"
        nfail=$((nfail + 1))
        return
    fi
    if [ -s "$work/err" ]; then cp "$work/err" "$1.err"
    else rm -f "$1.err"; fi
    if [ "$2" = 0 ] || [ ! -e "$1.err" ]; then cp "$work/out" "$1.expect"
    else rm -f "$1.expect"; fi
    npass=$((npass + 1))
}

for arg; do
    case $arg in
    --bless)
        bless=1
        continue
        ;;
    *.mo) dir=$(dirname "$arg") pattern=$(basename "$arg") ;;
    *) dir=$arg pattern='*.mo' ;;
    esac
    pushd "$dir" >/dev/null || exit 4
    for file in $pattern; do
        [ -e "$file" ] && run_case "$file"
    done
    popd >/dev/null || exit 4
done
[ $((npass + nfail)) -gt 0 ] || { echo "no cases were found"; exit 1; }
echo "$npass passed, $nfail failed"
[ "$nfail" = 0 ]
