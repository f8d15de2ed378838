#!/usr/bin/env bash
# Warnings before damage, and the choice of a method: against what is known of
# the stability functions.
# build: release
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0

# has TITLE TEXT command...: TEXT is in what is said; with "!" before it: is not
has() {
  local title=$1 text=$2
  shift 2
  timeout 60 "$TAKT" sim "$@" > said 2>&1
  if [ "${text#!}" != "$text" ]; then
    grep -qF -- "${text#!}" said || return
  else
    grep -qF -- "$text" said && return
  fi
  echo "FAIL $title: '$text'"
  head -8 said
  failed=$((failed + 1))
}

# Eigenvalues -1 of slow, -100 of fast.
cat > Decay.mo <<'M'
model Decay
  Real slow(start = 1, fixed = true), fast(start = 1, fixed = true);
equation
  der(slow) = -slow;
  der(fast) = -100*fast;
end Decay;
M
run="Decay.mo --stop 0.1 --step"
# |R| = 1 on the negative axis at 2 (fe, rk2), 2.5127 (rk3), 2.7853 (rk4), 6
# (am3)
has "fe outside" "largest stable step is 0.02 " $run 0.021 --method fe
has "fe names the state" "a mode of fast grow by 1.1 " $run 0.021 --method fe
has "fe inside" "!W1350" $run 0.0199 --method fe
has "rk2" "largest stable step is 0.02 " $run 0.03 --method rk2
has "rk3" "largest stable step is 0.02513 " $run 0.03 --method rk3
has "rk4" "largest stable step is 0.02785 " $run 0.03 --method rk4
has "am3" "largest stable step is 0.06 " $run 0.1 --method am3
for m in be trapezoid midpoint radau3 radau5 lobatto4 sdirk4 bdf2 bdf5 lie liex4 ros2 rosw3 rodas3 rodas4 rodasp4; do
  has "$m is stable" "!W1350" $run 0.05 --method $m
done

# Lightly damped: -0.1 +- 10i. bdf5 is not A-stable, radau5 is.
cat > Ring.mo <<'M'
model Ring
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -100.01*x - 0.2*v;
end Ring;
M
has "bdf5 and a ringing mode" "(eigenvalue -0.1 +- 10i)" Ring.mo --method bdf5 --step 0.1
has "radau5 and a ringing mode" "!W135" Ring.mo --method radau5 --step 0.1

# Growth with e^(5 t): be damps it for h > 2/5, Radau IIA(3) beyond h = 6/5
# (there |R| < 1: |1 + z/3| < |1 - 2z/3 + z^2/6|).
cat > Grow.mo <<'M'
model Grow
  Real calm(start = 1, fixed = true), wild(start = 1e-3, fixed = true);
equation
  der(calm) = -calm;
  der(wild) = 5*wild + calm;
end Grow;
M
has "be hides growth" "damps a mode of wild" Grow.mo --method be --step 0.5 --stop 2
has "be, factor 1/|1 - 2.5|" "by 0.667 per step" Grow.mo --method be --step 0.5 --stop 2
has "lie hides growth" "W1351" Grow.mo --method lie --step 0.5 --stop 2
has "be lets it grow below 2/5" "!damps a mode" Grow.mo --method be --step 0.39 --stop 2
has "but not as it does" "grows by 7.03 in a step of 0.39 (eigenvalue 5), and be makes 1.05 of it" \
  Grow.mo --method be --step 0.39 --stop 2
has "be at a small step" "!W1351" Grow.mo --method be --step 0.05 --stop 2
has "radau3 up to 6/5" "!damps a mode" Grow.mo --method radau3 --step 1.19 --stop 4
has "radau3 beyond 6/5" "W1351" Grow.mo --method radau3 --step 1.21 --stop 4
has "trapezoid keeps growth" "!W1351" Grow.mo --method trapezoid --step 0.5 --stop 2

sed 's/-100\*fast/-1e6*fast/' Decay.mo > Stiff.mo
# Lightly damped, 15.9 Hz: be leaves 7e-6 where 0.44 is right after 2 s.
cat > Chime.mo <<'M'
model Chime
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Real fast(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -1e4*x - 0.1*v;
  der(fast) = -1e6*(fast - x);
end Chime;
M
chime="Chime.mo --step 1ms --stop 2"
lost="damps a mode of x, v away that rings in the model at 15.9 Hz with a damping of 0.0005"
for m in be lie; do
  has "$m damps it away" "$lost" $chime --method $m
done
has "as generated code does" "$lost" $chime --method lie --static
has "what is left" "to 4.8e-05 of what it is after 2 s [W1355]" $chime --method be
has "which step would do" "a step of 7.8e-06 keeps nine tenths" $chime --method be
has "be at that step" "!W135" Chime.mo --step 7.8us --stop 2 --method be
for m in bdf2 trapezoid radau5 rodas4; do
  has "$m keeps it" "!W135" $chime --method $m
done
"$TAKT" cost Chime.mo --step 1ms --stop 2 > said 2>&1
grep -qF "lie with a step of 0.001 $lost" said ||
  { echo "FAIL cost does not name it"; failed=$((failed + 1)); }
# fast real modes are there to be damped
has "a stiff mode is none" "!W135" Stiff.mo --step 1ms --stop 1 --method be

# The spectrum moves: nothing is wrong at the start, where v = 0.
cat > Pol.mo <<'M'
model Pol
  Real x(start = 2, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = 1000*(1 - x^2)*v - x;
end Pol;
M
has "growth on the way" "at time 807.085, and radau5 makes" Pol.mo --method radau5 --step 5ms --stop 900
has "followed by a small step" "!W135" Pol.mo --method radau5 --step 0.2ms --stop 807.2
# stiffness on the way: der(x) = -(1 + 100 t) x, explicit Euler is stable to t = 19.99 / h
cat > Late.mo <<'M'
model Late
  Real x(start = 1, fixed = true), s(start = 0, fixed = true);
equation
  der(s) = 1;
  der(x) = -(1 + 100*s)*(x - 1);
end Late;
M
has "stiff on the way" "grow by" Late.mo --method fe --step 10ms --stop 4
has "with its time" "at time 2." Late.mo --method fe --step 10ms --stop 4
has "not yet" "!W135" Late.mo --method fe --step 10ms --stop 1.9

# Neither method nor step: 500 steps per run, at most 20 parts each.
has "linear, not stiff" "chosen by takt: rk4, step 0.002: linear and not stiff" Decay.mo --events grid
has "stiff" "chosen by takt: radau3, step 0.002: stiff, fastest mode -1e+06 of fast" Stiff.mo --events grid
sed 's/-slow;/-slow^3;/' Decay.mo > Cubic.mo
has "nonlinear" "chosen by takt: radau3, step 0.002: not stiff now" Cubic.mo --events grid
has "a method is given" "!chosen by takt" Decay.mo --method be
has "a step is given" "!chosen by takt" Decay.mo --step 0.01
sed 's/end Decay/annotation(experiment(Interval = 0.01)); end Decay/' Decay.mo > Told.mo
has "an annotation is given" "!chosen by takt" Told.mo --events grid
[ $failed -eq 0 ] || { echo "$failed cases failed"; exit 1; }
echo "ok   warnings and choices"
