#!/usr/bin/env bash
# Two builds are the same, or the difference is named.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE" || exit 4
export TAKT_COMPARE_CACHE=$work/cache

# compare CODE PATTERN OPTION...: OLD is takt, NEW what $other says
compare() {
    local want=$1 pattern=$2
    shift 2
    tests/compare_builds.sh -n 20 "$@" "$TAKT" "$other" >"$work/out" 2>&1
    code=$?
    checks=$((checks + 1))
    [ "$code" = "$want" ] || fail "compare $*: exit code $code, not $want"
    grep -q -e "$pattern" "$work/out" ||
        { fail "compare $*: no '$pattern':"; cat "$work/out"; }
}

# program TEXT: a takt that differs as TEXT says; "$@" is what it is asked
program() {
    printf '#!/bin/sh\n%s\n' "$1" >"$work/takt"
    chmod 755 "$work/takt"
}

other=$TAKT
compare 0 '^6 equal$' -m 'BouncingMass VanDerPol' -i lie
compare 0 '^2 refused$' -m VanDerPol -i 'fe nosuch' -w sim
other=$work/takt
# the same trajectory under another column name, and with a column less
program "'$TAKT' \"\$@\"; code=\$?
for a; do :; done; sed -i '1s/\"[^\",]*\"\$/\"other\"/' \"\$a\"; exit \$code"
compare 0 'columns 1 gone, 1 new$' -m BouncingMass -i lie -w sim
# a number that is another one in the last digit only
program "'$TAKT' \"\$@\"; code=\$?
for a; do :; done
awk -F, -v OFS=, 'NR == 9 { \$NF = sprintf(\"%.17g\", \$NF * (1 + 3e-16)) } 1' \
    \"\$a\" >\"\$a.new\" && mv \"\$a.new\" \"\$a\"; exit \$code"
compare 1 'DIFFERENT .* in line 9: ' -m VanDerPol -i lie -w sim
# another message, another exit code, and a run that ends early
program "echo 'error: no [E9999]' >&2; exit 1"
compare 1 'REFUSED 0  *| 1 \[E9999\]' -m VanDerPol -i lie -w sim
program "'$TAKT' \"\$@\"; code=\$?
for a; do :; done; sed -i '\$d' \"\$a\"; exit \$code"
compare 1 'DIFFERENT .*22 and 21 lines' -m VanDerPol -i lie -w sim
finish
