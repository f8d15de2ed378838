#!/usr/bin/env bash
# estimates.sh [METHOD...] - estimated over true local errors, for every method; what
# the columns are: estimates.py. $TAKT is the program (default build/takt).
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
exec python3 "$here/estimates.py" "${TAKT:-$here/../build/takt}" "$@"
