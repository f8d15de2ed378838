#!/usr/bin/env bash
# chains.sh [OPTION...] - operations of a step of spatial chains of 2, 4, 8 and
# 16 links whose axes are z, y, x in turn, made of the standard library's joints.
#
# Linearly implicit Euler, 1 ms; options go to `takt cost`, e.g. --tunable all.
# $TAKT is the program, $TAKT_MSL the directory of the library; without it
# nothing is measured.
set -eu
takt=${TAKT:-build/takt}
[ "${TAKT_MSL:-}" ] || { echo "chains: skipped, TAKT_MSL is not set"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for n in 2 4 8 16; do
    cat >"$work/Chain.mo" <<M
model Chain
  import Modelica.Mechanics.MultiBody.*;
  parameter Integer n = $n;
  inner World world(enableAnimation = false);
  Joints.Revolute joint[n](
    n = {if mod(i, 3) == 1 then {0, 0, 1} elseif mod(i, 3) == 2 then {0, 1, 0}
         else {1, 0, 0} for i in 1:n},
    phi(each fixed = true, each start = 0.3), w(each fixed = true));
  Parts.Body body[n](each m = 1, each r_CM = {0.5, 0, 0}, each I_11 = 0.01,
    each I_22 = 0.1, each I_33 = 0.1);
  Parts.FixedTranslation link[n](each r = {1, 0, 0});
equation
  connect(world.frame_b, joint[1].frame_a);
  for i in 1:n loop
    connect(joint[i].frame_b, body[i].frame_a);
    connect(joint[i].frame_b, link[i].frame_a);
  end for;
  for i in 1:n - 1 loop
    connect(link[i].frame_b, joint[i + 1].frame_a);
  end for;
end Chain;
M
    "$takt" cost "$work/Chain.mo" -L "$TAKT_MSL" --method lie --step 1ms "$@" \
        2>/dev/null | awk -v n=$n '/ in all$/ {
            printf "%2d links %d operations\n", n, $1 + $2 + $3 + $4 }'
done
