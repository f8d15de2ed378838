#!/usr/bin/env bash
# fmu-reference.sh - the Reference FMUs of the Modelica Association against their
# own results (docs/guide/import.md).
#
#     tests/fmu-reference.sh FMU...
#
# FMUs are built from github.com/modelica/Reference-FMUs: cmake -DFMI_VERSION=2|3.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -gt 0 ] || { echo "skipped: no FMU was given"; exit 77; }
exec python3 "$here/fmu/reference.py" "${TAKT:-$here/../build/takt}" "$@"
