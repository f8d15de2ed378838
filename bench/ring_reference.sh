#!/usr/bin/env bash
# ring_reference.sh - end values of the ring modulator, to compare with.
#
#   bench/ring_reference.sh [METHOD [STEPS]]
#
# Controlled runs at 1e-12 take millions of steps. The generated C with a fixed
# step makes them in less than a minute: radau5 with 2^22 steps, whose errors are
# below 1e-10 by the runs with 2^20 and 2^21. Prints CSV; bench/references has it.
# bench/ring_peer.c finds the same without takt.
# TAKT names the program.
set -eu
takt=${TAKT:-build/takt}
gallery=$(cd "$(dirname "$0")/../models/gallery" && pwd)
method=${1:-radau5} steps=${2:-4194304}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$takt" build "$gallery/RingModulator.mo" --method "$method" --stop 2e-6 --estimate off \
    --step "$(awk "BEGIN { printf \"%.17g\", 1e-3 / $steps }")" --quiet -o "$dir"
"${CC:-cc}" -O2 -I"$dir" "$dir/example/"*.c "$dir/RingModulator.c" -lm -o "$dir/run"
"$dir/run" "$steps" | awk '$1 ~ /^y\[/ { name = name ",\"" $1 "\""; value = value "," $2 }
    END { print "time" name; print "0.001" value }'
