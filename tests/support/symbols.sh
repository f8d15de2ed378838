#!/usr/bin/env bash
# No two folders define the same global name: the linker would only notice when
# both happen to be linked into one program.
set -u
command -v nm >/dev/null || exit 77
twice=$(find "$TAKT_BUILD/src" -name 'libtakt_*.a' -exec nm -A --defined-only {} + 2>/dev/null |
    awk '$(NF-1) ~ /^[TDBRC]$/ { print $NF }' | sort | uniq -d)
[ -z "$twice" ] && exit 0
for name in $twice; do
    echo "'$name' is defined more than once:"
    find "$TAKT_BUILD/src" -name 'libtakt_*.a' -exec nm -A --defined-only {} + |
        grep " $name\$" | sed 's|.*/src/|  src/|'
done
exit 1
