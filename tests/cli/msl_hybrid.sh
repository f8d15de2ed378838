#!/usr/bin/env bash
# Drives and circuits of the components of the standard library, where there is a checkout of 4.0.0, with solutions
# that are known from elsewhere: small integrations by hand, with steps a thousand times shorter.
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/ends.sh"
[ -n "${TAKT_MSL:-}" ] || skip "TAKT_MSL is not set"
cd "$work" || exit 4

# Where a brake comes on while the shaft turns, it counts as stuck for an iteration, and all others are asked for
# relations that decide on nothing then: of 15 relations three count.
cat >"$work/BrakesAndGear.mo" <<'M'
model BrakesAndGear "two brakes, bearing friction and a gear with losses on one shaft"
  import Modelica.Mechanics.Rotational.*;
  Components.Inertia J1(J = 1, w(start = 5, fixed = true), phi(start = 0, fixed = true)), J2(J = 2);
  Components.Brake b1(fn_max = 4, mu_pos = [0, 0.5]), b2(fn_max = 3, mu_pos = [0, 0.5]);
  Components.BearingFriction bf(tau_pos = [0, 0.3]);
  Components.LossyGear g(ratio = 3, lossTable = [0, 0.9, 0.9, 0.2, 0.2]);
  Sources.Torque t;
  Modelica.Blocks.Sources.Sine s(amplitude = 6, f = 0.5);
  Modelica.Blocks.Sources.Pulse p1(period = 1.1, width = 40), p2(period = 1.7, width = 50, startTime = 0.2);
equation
  connect(s.y, t.tau);
  connect(t.flange, J1.flange_a);
  connect(J1.flange_b, g.flange_a);
  connect(g.flange_b, J2.flange_a);
  connect(b1.flange_a, J1.flange_b);
  connect(b2.flange_a, J2.flange_b);
  connect(bf.flange_a, J1.flange_a);
  connect(p1.y, b1.f_normalized);
  connect(p2.y, b2.f_normalized);
  annotation(experiment(StopTime = 6));
end BrakesAndGear;
M
for how in "" "--method radau5 --events exact --step 10ms" "--method ida --tolerance 1e-9 --step 10ms"; do
    # shellcheck disable=SC2086
    ends_with BrakesAndGear 6 J1.w -0.48999 1e-4 -L "$TAKT_MSL" $how
    # shellcheck disable=SC2086
    ends_with BrakesAndGear 6 J1.phi 15.63883 1e-4 -L "$TAKT_MSL" $how
done
finish
