#!/usr/bin/env bash
# run.sh - scores takt on a checkout of the Modelica-Compliance suite.
#
#   tests/compliance/run.sh [-s] [-o FILE] [-b FILE] [-j N] [-f PATTERN] SUITE
#
# SUITE is the directory with the package ModelicaCompliance, or that package.
# A test is a class whose annotation has TestCase(shouldPass = ...). Each is
# given to `takt check` (10 s each); what happened is one of
#   ok           exit 0
#   run          exit 0, but an assert is left that only a run can decide
#   assert       exit 1: an assert fails
#   error        exit 1: the model is wrong, with a message in the test's file
#   elsewhere    exit 1, but no message points into the test's file
#   unsupported  exit 3: a feature is named that takt does not know yet
#   crash        anything else, or no end within 10 s
# A test that should pass scores with ok or run; one that should fail with error
# or assert. unsupported never scores.
#
# -s  simulates what was taken (takt sim, to the StopTime of the test): its asserts are decided then;
#     run is left for what takt cannot simulate yet
# -o FILE  writes one line per test: name, expectation, outcome, first message
# -b FILE  an earlier such file: prints the tests with another outcome
# -f PATTERN  only tests whose name matches (grep -E)
# Exit code: 0, or 1 if something crashed or set A is below the limits
# TAKT_COMPLIANCE_PASS and TAKT_COMPLIANCE_REJECT (percent, if set).
#
# $TAKT is the program (default build/takt). The suite was frozen at commit
# 9734eb101c (1036 tests, 604 should pass, 432 should fail).
set -u
# a finding of a sanitizer is a crash, not exit code 1
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
takt=${TAKT:-$here/../../build/takt}
out= before= jobs=2 pattern=. simulate=
usage() { sed -n '2,4p' "${BASH_SOURCE[0]}" | cut -c3-; exit 2; }
while getopts so:b:j:f: option; do
    case $option in
    s) simulate=1 ;;
    o) out=$OPTARG ;;
    b) before=$OPTARG ;;
    j) jobs=$OPTARG ;;
    f) pattern=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# = 1 ] || usage
suite=$1
[ -d "$suite/ModelicaCompliance" ] && suite=$suite/ModelicaCompliance
[ -e "$suite/package.mo" ] || { echo "there is no package in $suite"; exit 2; }
[ -x "$takt" ] || { echo "there is no program $takt"; exit 2; }
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT

# tests_of FILE: "NAME yes|no FOLDER FILE", with tabs, of each test in the file.
# The dump indents by two blanks a level; the annotation stands one level inside
# its class.
tests_of() {
    local folder=${1#"$suite"/}
    folder=$(echo "$folder" | awk -F/ '{ if (NF < 2) print "-"; else
        print NF == 2 ? $1 : $1 "/" $2 }')
    "$takt" parse --ast "$1" | awk -v folder="$folder" -v file="$1" '
        NR == 1 && /^within/ { within = $2; next }
        {
            match($0, /^ */); depth = RLENGTH / 2
            line = substr($0, RLENGTH + 1)
        }
        line ~ /^annotation .*\(TestCase/ {
            name = within
            for (i = 0; i < depth; i++) name = name "." class[i]
            if (match(line, /\(shouldPass = (true|false)\)/))
                print name "\t" \
                    (line ~ /\(shouldPass = true\)/ ? "yes" : "no") "\t" \
                    folder "\t" file
            next
        }
        {
            while (match(line, /^(protected|final|inner|outer|redeclare|replaceable|encapsulated|partial|pure|impure|expandable) /))
                line = substr(line, RLENGTH + 1)
            sub(/^operator (record|function) /, "model ", line)
            if (line ~ /^(model|class|package|block|record|connector|type|function|operator) /) {
                split(line, word, " "); class[depth] = word[2]
            }
        }'
}

# limited ARG...: takt with limits of time and memory. The suite's own C may
# run: some tests are about it.
limited() {
    (case $takt in *asan*) ;; *) ulimit -v 6000000 ;; esac
        exec timeout 10 "$takt" "$@" --external -L "$(dirname "$suite")") </dev/null
}

# run_one "NAME EXPECTED FOLDER FILE": a line of the result.
run_one() {
    local name want folder file base code outcome first
    IFS=$'\t' read -r name want folder file <<<"$1"
    base=$work/$BASHPID
    limited check --flat "$name" >"$base.out" 2>"$base.err"
    code=$?
    if [ $code = 0 ] && [ -n "$simulate" ]; then
        limited sim --quiet "$name" >/dev/null 2>"$base.sim"
        code=$?
        case $code in
        0) : >"$base.out" ;;
        3) code=0; echo 'assert(' >"$base.out" ;; # not decided
        *) mv "$base.sim" "$base.err" ;;
        esac
    fi
    first=$(grep -m1 -E ': (error|unsupported|warning): |^error: ' "$base.err" |
        sed "s|$(dirname "$suite")/||g" | cut -c1-160)
    case $code in
    0) outcome=ok
        grep -qE '(^|[^A-Za-z_])assert\(' "$base.out" && outcome=run ;;
    1) outcome=elsewhere
        grep -F "$file:" "$base.err" | grep -q ': error: ' && outcome=error
        grep -qE ': error: .*\[E(0612|1320)\]' "$base.err" && outcome=assert ;;
    3) outcome=unsupported ;;
    *) outcome=crash
        first="exit code $code: $(tail -n 1 "$base.err" | cut -c1-120)" ;;
    esac
    printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$want" "$folder" "$outcome" "$first"
    rm -f "$base.out" "$base.err" "$base.sim"
}
export -f run_one tests_of limited
export work takt suite simulate

find "$suite" -name '*.mo' | LC_ALL=C sort |
    xargs -d '\n' -P "$jobs" -n1 bash -c 'tests_of "$1"' _ |
    grep -v '\.Template	' | grep -E -- "$pattern" | LC_ALL=C sort >"$work/list"
count=$(wc -l <"$work/list")
[ "$count" -gt 0 ] || { echo "no tests were found in $suite"; exit 2; }
if [ "$pattern" = . ] && [ "$count" != 1036 ]; then
    echo "note: $count tests, 1036 were expected: another version of the suite"
fi
xargs -d '\n' -P "$jobs" -n1 bash -c 'run_one "$1"' _ <"$work/list" |
    LC_ALL=C sort >"$work/result"
[ "$(wc -l <"$work/result")" = "$count" ] ||
    { echo "some tests were lost"; exit 4; }
[ -n "$out" ] && cp "$work/result" "$out"

if grep -q "	crash	" "$work/result"; then
    echo "CRASHES AND HANGS"
    awk -F'\t' '$4 == "crash" { print "  " $1 ": " $5 }' "$work/result"
    echo
fi
if [ -n "$before" ]; then
    echo "Outcomes that changed"
    LC_ALL=C join -t '	' -a 2 -o 0,1.4,2.4,2.5 \
        <(LC_ALL=C sort "$before") "$work/result" |
        awk -F'\t' '$2 != $3 { printf "  %s: %s -> %s  %s\n", $1, $2, $3, $4 }'
    echo
fi
awk -F'\t' -v least_pass="${TAKT_COMPLIANCE_PASS:-0}" \
    -v least_reject="${TAKT_COMPLIANCE_REJECT:-0}" -f "$here/table.awk" \
    "$here/sets" "$work/result"
