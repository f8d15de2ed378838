#!/usr/bin/env bash
# The examples of C right-hand sides, built with an installation: analysed by the
# library, stepped by the header alone, freestanding C99, in double and float;
# the instructions of a step do not vary.
. "$TAKT_SOURCE/tests/support/cli.sh"
cmake --install "$TAKT_BUILD" --prefix "$work/there" >"$work/log" 2>&1 ||
    { cat "$work/log"; fail "cmake --install"; finish; }
command -v pkg-config >/dev/null || skip "pkg-config is missing"
export PKG_CONFIG_PATH=$(dirname "$(find "$work/there" -name takt.pc)")
export LD_LIBRARY_PATH=$(pkg-config --variable=libdir takt)
include=$(pkg-config --cflags takt)
cc=${TAKT_CC:-cc}
strict="-std=c99 -O2 -Wall -Wextra -Wconversion -Wshadow -pedantic -Werror"
here=$TAKT_SOURCE/examples/crhs
cd "$work" || exit 4

# count PROGRAM: least and largest instructions of a step
count() {
    valgrind --tool=callgrind --callgrind-out-file="$work/cg" \
        --toggle-collect=takt_rt_step --dump-after=takt_rt_step \
        "$1" 40 >/dev/null 2>&1
    for file in "$work"/cg.[0-9]*; do sed -n 's/^totals: //p' "$file"; done |
        sort -nu | awk '$1 > 0' | tr '\n' ' '
    rm -f "$work"/cg*
}

for name in heat arm; do
    # shellcheck disable=SC2086
    $cc $strict "$here/desk.c" "$here/$name.c" $(pkg-config --cflags --libs takt) \
        -o desk 2>err || { cat err; fail "desk of $name"; continue; }
    checks=$((checks + 1))
    ./desk table.c >out || { cat out; fail "analysis of $name"; continue; }
    cat out
    case $name in
    heat) grep -q '^148 entries.* 3 evaluations, fill 0, 443 operations' out ||
        fail "a chain does not need 3 evaluations" ;;
    esac
    for scalar in "" -DTAKT_RT_FLOAT; do
        # shellcheck disable=SC2086
        $cc $strict $scalar $include "$here/machine.c" "$here/$name.c" table.c \
            -o machine 2>err || { cat err; fail "machine of $name $scalar"; continue; }
        ./machine 1000 >"$name$scalar.txt" || fail "$name $scalar does not run"
        if command -v valgrind >/dev/null; then
            counts=$(count ./machine)
            echo "$name $scalar: $counts instructions per step"
            [ "$(echo "$counts" | wc -w)" = 1 ] || fail "$name $scalar: the work varies"
        fi
    done
    paste "$name.txt" "$name-DTAKT_RT_FLOAT.txt" | awk '
        { d = $1 - $2; if (d < 0) d = -d; s = $1 < 0 ? -$1 : $1; if (s < 1) s = 1
          if (d > 1e-3 * s) bad = 1 }
        END { exit bad }' || fail "$name: float is far from double"
done
# The half for the machine is freestanding and calls nothing but the model.
echo '#include <takt/takt_rt_step.h>' >unit.c
for scalar in "" -DTAKT_RT_FLOAT; do
    # shellcheck disable=SC2086
    $cc $strict -ffreestanding $scalar $include -c unit.c -o unit.o 2>err ||
        { cat err; fail "takt_rt_step.h is not freestanding $scalar"; }
    others=$(nm -u unit.o | grep -vE '_GLOBAL_OFFSET_TABLE_|memset|memcpy|__stack_chk')
    [ -z "$others" ] || fail "takt_rt_step.h needs $others"
done
finish
