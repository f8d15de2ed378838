#!/usr/bin/env bash
# coverage.sh - which lines the tests reach, by folder of src. With a folder as
# argument: its lines that no test reaches.
#
#   make coverage            the table
#   tests/coverage.sh base   after that: lines of src/base that were not reached
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 4
root=$PWD
dir=build-coverage

# gcov_folder FOLDER: .gcov files of the folder in a directory of their own.
gcov_folder() {
    local data
    data=$(find "$dir/src/$1" -name '*.gcda' 2>/dev/null)
    [ -n "$data" ] || return 1
    mkdir -p "$dir/gcov/$1"
    (cd "$dir/gcov/$1" && for file in $data; do
        gcov -o "$root/$(dirname "$file")" "$root/$file" >/dev/null 2>&1
    done)
}

if [ $# = 1 ]; then
    grep -n '^ *#####' "$dir/gcov/$1/"*.c.gcov |
        sed 's|.*/\([^/]*\)\.gcov:[0-9]*: *#####: *\([0-9]*\):|\1:\2:|'
    exit
fi

cmake -S . -B $dir -G Ninja -DTAKT_COVERAGE=ON >$dir.log 2>&1 &&
    cmake --build $dir -j "${JOBS:-2}" >>$dir.log 2>&1 ||
    { tail -n 40 $dir.log; exit 4; }
rm -f $dir.log
find $dir -name '*.gcda' -delete
rm -rf $dir/gcov
ctest --test-dir $dir -j "${JOBS:-2}" >$dir/ctest.log 2>&1 ||
    echo "some tests fail: see $dir/ctest.log"
printf '%-12s %8s %8s %7s\n' folder lines reached percent
for folder in $(ls src); do
    [ -d "src/$folder" ] && gcov_folder "$folder" || continue
    cat "$dir/gcov/$folder/"*.c.gcov | awk -v folder="$folder" '
        /^ *#####:/ { n++ }
        /^ *[0-9]+\*?:/ { n++; hit++ }
        END { if (n) printf "%-12s %8d %8d %6.1f%%\n", folder, n, hit,
                            100 * hit / n }'
done
