#!/usr/bin/env bash
# The program without a model: help, version, wrong usage.
. "$TAKT_SOURCE/tests/support/cli.sh"

expect 0 'takt 0\.' --version
expect 0 'usage: takt VERB MODEL' --help
expect 0 '^  0  fine' help
expect 0 '^  4  takt or the machine failed' help
expect 2 'a verb is expected'
expect 2 "there is no verb 'chekc'" chekc
expect 2 "did you mean 'check'" chekc
expect 2 "there is no verb 'xyzzy'" xyzzy
refuse 2 'did you mean' xyzzy
# words that an option takes are checked before anything is read
expect 2 "scalar takes double or float, not 'flaot'" build none.mo --scalar flaot
expect 2 "algebraic takes auto, solve, keep-small, keep or tear, not 'x'" \
    sim none.mo --algebraic=x
expect 2 "dump takes flat, sys, dae, init, inlined or schedule" \
    check none.mo --dump diff
cat >"$work/In.mo" <<'M'
model In
  input Real a, b;
  Real x = a + b;
end In;
M
expect 0 '^  inputs  *2$' check "$work/In.mo"
# a full disk is not overlooked
if [ -e /dev/full ]; then
    "$TAKT" --help >/dev/full 2>"$work/err"
    [ $? = 4 ] || fail "--help to a full device: exit code"
    grep -q 'could not be written' "$work/err" || fail "full device: message"
    expect 1 E1308 sim "$TAKT_SOURCE/models/gallery/VanDerPol.mo" -o /dev/full
    refuse 1 'signals' sim "$TAKT_SOURCE/models/gallery/VanDerPol.mo" -o /dev/full
fi
finish
