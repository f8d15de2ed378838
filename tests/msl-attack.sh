#!/usr/bin/env bash
# msl-attack.sh - plans of library examples, run where they were not tuned.
#
#   tests/msl-attack.sh [-n MODELS] [-i INSIDE] [-x OUTSIDE] [-j N] [-k KEEP] [EXAMPLE...]
#
# Two variables say where the material is; without one of them: exit code 77.
#   TAKT_MSL            a checkout of version 4.0.0
#   TAKT_MSL_EXAMPLES   a CSV file with the columns model, tier, stopTime and
#                       interval
# Nobody chooses the examples: they are those of Tier 2 with the smallest
# sha256 of their names that compile and have something to tune, nor the runs:
# their numbers come from the same hash. See tests/support/msl_attack.py for
# what is run and how it is judged. Prints Markdown (docs/methods/attack.md has
# its table).
# With names, or the ends of them, only these of the examples are run.
#   -n MODELS   so many examples (default 12)
#   -i INSIDE   runs of each inside of the plan's domain (default 2)
#   -x OUTSIDE  and outside of it (default 1)
#   -j N        so many examples at a time (default 2)
#   -k KEEP     directory for plans, used again if they are there; runs that do
#               not hold are printed to the other stream
# $TAKT is the program (default build/takt), TAKT_MSL_TIMEOUT seconds of the
# processor for each of its runs (default 300). Exit code: 0, or 1 if a run is silently wrong, or one
# inside is wrong at all.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for name in TAKT_MSL TAKT_MSL_EXAMPLES; do
    [ -n "${!name:-}" ] || { echo "skipped: no $name"; exit 77; }
done
[ -e "$TAKT_MSL/Modelica/package.mo" ] || { echo "no Modelica in $TAKT_MSL"; exit 2; }
[ -r "$TAKT_MSL_EXAMPLES" ] || { echo "$TAKT_MSL_EXAMPLES cannot be read"; exit 2; }
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
TAKT=${TAKT:-$here/../build/takt} exec python3 "$here/support/msl_attack.py" "$@"
