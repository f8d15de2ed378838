#!/usr/bin/env bash
# Plain `make` names the packages that are missing and installs nothing.
. "$TAKT_SOURCE/tests/support/cli.sh"
checks=1
packages=$TAKT_SOURCE/tests/support/packages.sh

# A Debian where nothing is installed and apt-get must not be called.
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/dpkg-query"
printf '#!/bin/sh\ntouch %s/called\nexit 0\n' "$work" >"$work/bin/apt-get"
chmod +x "$work/bin/"*
PATH=$work/bin:$PATH bash "$packages" check libone-dev libtwo-dev \
    >"$work/out" 2>"$work/err"
[ $? = 4 ] || fail "missing packages: exit code"
grep -q 'apt-get install libone-dev libtwo-dev' "$work/err" ||
    fail "the packages are not named: $(cat "$work/err")"
grep -q "make packages" "$work/err" || fail "the way out is not named"
[ ! -e "$work/called" ] || fail "apt-get was called"

# make takes that way; demo, test and coverage install first
make -C "$TAKT_SOURCE" -n RELEASE="$work/build" all >"$work/out" 2>&1
grep -q 'packages.sh check ' "$work/out" || fail "make does not check"
! grep -q 'packages.sh install ' "$work/out" || fail "make installs"
for target in demo test test-long coverage packages; do
    make -C "$TAKT_SOURCE" -n "$target" >"$work/out" 2>&1
    grep -q 'packages.sh install ' "$work/out" ||
        fail "make $target does not install"
done
finish
