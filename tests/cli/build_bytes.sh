#!/usr/bin/env bash
# The bytes of an instance in the certificate are those of the struct, with the
# rings of delays and in both scalars.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"

cat >"$work/Late.mo" <<'MO'
model Late
  Real x(start = 1, fixed = true);
  Real far = delay(x, 0.73);
  Real near = delay(x, 0.1);
equation
  der(x) = -far - near;
end Late;
MO
cat >"$work/Plain.mo" <<'MO'
model Plain
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Plain;
MO
cat >"$work/bytes.c" <<'C'
#include <stdio.h>
#include "model.h"
int main(void) { return printf("%zu\n", sizeof(model)) < 0; }
C

# bytes MODEL SCALAR: what the certificate says, after it was compared
bytes() {
    expect 0 . build "$work/$1.mo" --step 10ms --stop 1 --name model \
        --scalar "$2" -o "$work/$1"
    said=$(sed -n 's/.*"data_bytes":[^0-9]*\([0-9]*\).*/\1/p' \
        "$work/$1/model.cost.json" | head -1)
    "$TAKT_CC" "-I$work/$1" "$work/bytes.c" -o "$work/bytes" ||
        fail "$1: the header does not compile"
    [ "$("$work/bytes")" = "$said" ] ||
        fail "$1, $2: the certificate says $said, it is $("$work/bytes")"
}

bytes Plain double
plain=$said
bytes Late double
[ "$said" -ge $((plain + (73 + 10) * 8)) ] ||
    fail "two rings of 73 and 10 values in $said bytes, without them $plain"
bytes Plain float
bytes Late float
finish
