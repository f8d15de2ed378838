# cli.sh - sourced by tests of the command line.
#
#   expect CODE PATTERN ARG...   takt ARG... exits with CODE and prints (to
#                                either stream) a line that matches PATTERN
#   refuse CODE PATTERN ARG...   the same, but no line matches
#   fail TEXT                    counts a failure
#   skip TEXT                    ends the test: it cannot run here
#   finish                       the last line of a test
#   sanitized                    does takt run with sanitizers? What only the C
#                                compiler can show is left to the other build.
set -u
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
failures=0
checks=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

skip() {
    echo "skipped: $*"
    exit 77
}

sanitized() {
    case $TAKT in *asan*) true ;; *) false ;; esac
}

run_takt() {
    timeout "${TAKT_TIMEOUT:-120}" "$TAKT" "$@" >"$work/out" 2>"$work/err" \
        </dev/null
    code=$?
    cat "$work/out" "$work/err" >"$work/both"
    checks=$((checks + 1))
}

expect() {
    local want=$1 pattern=$2
    shift 2
    run_takt "$@"
    [ "$code" = "$want" ] || fail "takt $*: exit code $code, expected $want"
    grep -q -e "$pattern" "$work/both" ||
        { fail "takt $*: no line matches '$pattern':"; head -20 "$work/both"; }
}

refuse() {
    local want=$1 pattern=$2
    shift 2
    run_takt "$@"
    [ "$code" = "$want" ] || fail "takt $*: exit code $code, expected $want"
    ! grep -q -e "$pattern" "$work/both" ||
        fail "takt $*: a line matches '$pattern'"
}

finish() {
    [ "$checks" -gt 0 ] || fail "nothing was checked"
    echo "$checks checks, $failures failures"
    [ "$failures" = 0 ]
    exit
}
