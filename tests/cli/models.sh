#!/usr/bin/env bash
# The models that come with takt: all are read without an error, and every
# component of the library and every model of the gallery balances.
# build: release
# cost: 5
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE" || exit 4
expect 0 ' 0 errors' parse models

for file in models/gallery/*.mo; do
    expect 0 'The model balances' check "$file"
    # W1708: what two of them are there to show
    ! grep 'warning' "$work/err" | grep -qv W1708 || { fail "$file: warnings"; cat "$work/err"; }
done

# balances CLASS: a component alone has as many equations as unknowns; it need
# not be solvable, for nothing is connected.
balances() {
    run_takt check "$1"
    case $code in 0 | 1) ;; *) fail "takt check $1: exit code $code" ;; esac
    grep -q 'The model balances' "$work/out" ||
        { fail "takt check $1: does not balance"; head -20 "$work/both"; }
}

# classes FILE: names of the models and blocks that are not partial
classes() {
    sed -nE 's/^  (model|block) ([A-Za-z]+) .*/\2/p' "$1"
}
ncomponent=0
for file in models/Takt/*.mo models/Takt/Blocks/*.mo; do
    package=$(basename "$file" .mo)
    case $file in */Blocks/*) package=Blocks.$package ;; esac
    for name in $(classes "$file"); do
        balances "Takt.$package.$name"
        ncomponent=$((ncomponent + 1))
    done
done
[ $ncomponent -gt 90 ] || fail "only $ncomponent components were found"
finish
