#!/usr/bin/env bash
# run.sh - what `make test` does: builds takt for release and with sanitizers,
# runs all tests with sanitizers and those of the program in both (but see "# build:"
# in CMakeLists.txt), and ends with a line "N passed, N failed, N skipped". With
# TAKT_LONG=1 the tests are larger.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 4
jobs=${JOBS:-2}
passed=0
failed=0
skipped=0

finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
    exit
}

# build DIR TARGET OPTION...
build() {
    local dir=$1 target=$2
    shift 2
    echo "== build $dir"
    cmake -S . -B "$dir" -G Ninja "$@" >"$dir.log" 2>&1 &&
        cmake --build "$dir" -j "$jobs" --target "$target" >>"$dir.log" 2>&1
    local code=$?
    [ $code = 0 ] || grep -v '^\[[0-9/]*\]' "$dir.log" | tail -n 60
    rm -f "$dir.log"
    if [ $code != 0 ]; then
        echo "$dir could not be built"
        failed=$((failed + 1))
        finish
    fi
}

# number ATTRIBUTE FILE: of the head of a JUnit file.
number() {
    sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$2" | head -n 1
}

# test_tree DIR CTEST-OPTION... One test more than there are processors: some of
# them wait for a clock or a disk.
test_tree() {
    local dir=$1 report=$PWD/$1/junit.xml total bad none
    shift
    echo "== test $dir"
    rm -f "$report"
    ctest --test-dir "$dir" -j "$((jobs + 1))" --output-on-failure --no-tests=ignore \
        --timeout "${TAKT_TEST_TIMEOUT:-1200}" --output-junit "$report" "$@"
    local code=$?
    total=$(number tests "$report")
    bad=$(number failures "$report")
    none=$(($(number skipped "$report") + $(number disabled "$report")))
    if [ -z "$total" ]; then
        failed=$((failed + 1))
        return
    fi
    passed=$((passed + total - bad - none))
    failed=$((failed + bad))
    skipped=$((skipped + none))
    if [ $code != 0 ] && [ "$bad" = 0 ]; then failed=$((failed + 1)); fi
}

# Thirty small faults: two of three are found at least. That is an alarm; see
# docs/testing.md for the figures of a larger number.
mutations() {
    echo "== mutations"
    tests/mutate.sh -j "$jobs" -l 66 30
    case $? in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) ;;
    esac
}

build build takt_program -DTAKT_SANITIZE=OFF
build build-asan all -DTAKT_SANITIZE=ON
test_tree build-asan -LE only-release
test_tree build -L 'golden|cli|release' -LE only-sanitizers
if [ -n "${TAKT_LONG:-}" ]; then mutations; fi
finish
