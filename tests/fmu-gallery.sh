#!/usr/bin/env bash
# fmu-gallery.sh - every model of the gallery as FMU 2 and 3 in importers that
# takt did not write, as a table (docs/guide/fmu.md).
#
#     TAKT_FMPY=FMPy/src TAKT_FMI2=fmi-standard-2 TAKT_FMI3=fmi-standard-3 \
#     TAKT_FMILIB=/opt/fmilib tests/fmu-gallery.sh [MODEL.mo...]
#
# TAKT_FMPY is the folder src of a checkout of FMPy, which needs numpy, lxml, lark,
# attr, msgpack and jinja2 for Python. Without the schemas (TAKT_FMI2, TAKT_FMI3:
# checkouts of the standard) and without fmi-library (TAKT_FMILIB: where it is
# installed) their columns are empty.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
takt=${TAKT:-$here/../build/takt}
[ -n "${TAKT_FMPY:-}" ] || { echo "skipped: TAKT_FMPY is not set"; exit 77; }
python=python3
/usr/bin/python3 -c 'import numpy' 2>/dev/null && python=/usr/bin/python3
PYTHONPATH=$TAKT_FMPY $python -c 'import fmpy' >/dev/null ||
    { echo "skipped: FMPy in $TAKT_FMPY does not start"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fmilib=-
if [ -n "${TAKT_FMILIB:-}" ]; then
    fmilib=$work/fmilib
    "${CC:-cc}" -std=gnu11 -O1 -I"$TAKT_FMILIB/include" "$here/fmu/fmilib.c" \
        -o "$fmilib" "$TAKT_FMILIB"/lib/libfmilib.a -ldl -lm || exit 4
fi
[ $# -gt 0 ] || set -- "$here"/../models/gallery/*.mo
$python "$here/fmu/gallery.py" "$takt" "$work" "$fmilib" "$@"
