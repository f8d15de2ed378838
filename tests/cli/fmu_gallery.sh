#!/usr/bin/env bash
# FMUs in importers that takt did not write, where TAKT_FMPY names FMPy's sources
# (tests/fmu-gallery.sh says what else is looked at): three models, the whole
# gallery with TAKT_LONG=1.
# build: release
. "$TAKT_SOURCE/tests/support/cli.sh"
sanitized && skip "Python would load FMUs without the sanitizers"
[ -n "${TAKT_FMPY:-}" ] || skip "TAKT_FMPY is not set"
gallery=$TAKT_SOURCE/models/gallery
set -- "$gallery"/{MotorDrive,SampledControl,AkzoNobel}.mo
[ -z "${TAKT_LONG:-}" ] || set -- "$gallery"/*.mo
"$TAKT_SOURCE/tests/fmu-gallery.sh" "$@" >"$work/table" 2>&1
case $? in
0) ;;
77) skip "FMPy does not start" ;;
*) fail "FMUs in other importers" && grep -e FAIL -e failures "$work/table" ;;
esac
checks=$(grep -c '^| [A-Z]' "$work/table")
finish
