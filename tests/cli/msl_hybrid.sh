#!/usr/bin/env bash
# Drives and circuits of the components of the standard library, where there is a checkout of 4.0.0, with solutions
# that are known from elsewhere: small integrations by hand, with steps a thousand times shorter.
. "$TAKT_SOURCE/tests/support/cli.sh"
[ -n "${TAKT_MSL:-}" ] || skip "TAKT_MSL is not set"
cd "$TAKT_SOURCE" || exit 4

# ends_at NAME VARIABLE VALUE TOLERANCE OPTION...: at the end of the run
ends_at() {
    local name=$1 var=$2 value=$3 tol=$4
    shift 4
    run_takt sim "$work/$name.mo" -L "$TAKT_MSL" --quiet "$@" -o "$work/out.csv"
    [ "$code" = 0 ] ||
        { fail "$name $*: $code"; head -3 "$work/err"; return; }
    awk -F, -v name="\"$var\"" -v value="$value" -v tol="$tol" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        { x = $c }
        END {
            d = x - value
            if (c && d < tol && d > -tol) exit 0
            print x ", not " value
            exit 1
        }' "$work/out.csv" >"$work/off" ||
        fail "$name $*: $var = $(cat "$work/off")"
}

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
    ends_at BrakesAndGear J1.w -0.48999 1e-4 $how
    # shellcheck disable=SC2086
    ends_at BrakesAndGear J1.phi 15.63883 1e-4 $how
done
finish
