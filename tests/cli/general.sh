#!/usr/bin/env bash
# The program without a model: help, version, wrong usage.
. "$TAKT_SOURCE/tests/support/cli.sh"

expect 0 'takt 0\.' --version
expect 0 'usage: takt VERB MODEL' --help
expect 0 'exit codes: 0 fine' help
expect 2 'a verb is expected'
expect 2 "there is no verb 'chekc'" chekc
expect 2 "did you mean 'check'" chekc
expect 2 "there is no verb 'xyzzy'" xyzzy
refuse 2 'did you mean' xyzzy
# a full disk is not overlooked
if [ -e /dev/full ]; then
    "$TAKT" --help >/dev/full 2>"$work/err"
    [ $? = 4 ] || fail "--help to a full device: exit code"
    grep -q 'could not be written' "$work/err" || fail "full device: message"
fi
finish
