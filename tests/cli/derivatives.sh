#!/usr/bin/env bash
# Derivatives that annotations tell (12.7.1), and functions whose algorithm has
# another derivative than its values. Each model has the truth beside it.
# build: release
# cost: 20
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/ends.sh"
cd "$work" || exit 4

motion='
  function position
    input Real q[3];
    input Real t;
    output Real p;
  algorithm
    p := q[1];
    annotation (derivative(noDerivative = q) = speed);
  end position;
  function speed
    input Real q[3];
    input Real t;
    input Real dt;
    output Real v;
  algorithm
    v := q[2];
    annotation (derivative(noDerivative = q, order = 2) = acceleration);
  end speed;
  function acceleration
    input Real q[3];
    input Real t;
    input Real dt;
    input Real ddt;
    output Real a;
  algorithm
    a := q[3];
  end acceleration;'
cat >Carriage.mo <<M
model Carriage "position, speed and acceleration are told, and are not derivatives of each other"
  Real q[3] = {0, 3, 2 + sin(time)};
  Real s, v, a, y(start = 0, fixed = true), vy(start = 0, fixed = true);
protected $motion
equation
  s = position(q, time);
  v = der(s);
  a = der(v);
  der(y) = vy;
  der(vy) = a - 4*(y - s);
end Carriage;
M
cat >Driven.mo <<M
model Driven "the same of inputs, whose derivatives nobody gives"
  input Real q[3];
  output Real f;
  Real s, v;
protected $motion
equation
  s = position(q, time);
  v = der(s);
  f = 5*der(v);
end Driven;
M
cat >Asked.mo <<'M'
model Asked "only what is told speaks of der(w)"
  Real x(start = 1, fixed = true), y, w, k = 2 + 0*time, dy = der(y);
  function scaled
    input Real k;
    input Real x;
    output Real y;
  algorithm
    y := k*x;
    annotation (derivative(noDerivative = k) = scaled_der);
  end scaled;
  function scaled_der
    input Real k;
    input Real x;
    input Real dx;
    output Real dy;
  algorithm
    dy := k*dx;
  end scaled_der;
equation
  der(x) = -x;
  w = x^2;
  y = scaled(k, w);
end Asked;
M
cat >Selves.mo <<'M'
model Selves "the derivative calls the function: q[2] is the rate of q[1], and q[1] that of q[2]"
  function f
    input Real q[2];
    input Real t;
    output Real y;
  algorithm
    y := q[1]*sin(t);
    annotation (derivative(noDerivative = q) = f_der);
  end f;
  function f_der
    input Real q[2];
    input Real t;
    input Real dt;
    output Real dy;
  algorithm
    dy := f({q[2], q[1]}, t) + q[1]*cos(t)*dt;
  end f_der;
  Real y = f({5 + 0*time, 1}, time), v = der(y), a = der(v);
end Selves;
M
cat >Tied.mo <<M
model Tied "two masses are tied by their positions, which are left out of what is told"
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), y, w, f;
protected $motion
equation
  der(x) = v;
  der(v) = -9*x - f;
  der(y) = w;
  2*der(w) = f;
  position({x, v, der(v)}, time) = position({y, w, der(w)}, time);
end Tied;
M
cat >Inverse.mo <<M
model Inverse "der(q) would have to follow from an equation whose derivative leaves q out"
  Real q, rate, x = sin(time);
protected $motion
equation
  x = position({q, 1, 0}, time);
  rate = der(q);
end Inverse;
M
cat >Chain.mo <<M
model Chain "u follows from i by an equation that must be differentiated, where der(u) = rate is told"
  Real x(start = 1, fixed = true), i, u, rate, off;
protected $motion
equation
  der(x) = -x;
  i = 3*x;
  i = position({u, rate, 0}, time);
  rate = der(u);
  off = rate + 3*x;
end Chain;
M
cat >Recorded.mo <<'M'
model Recorded "position, speed and acceleration in a record, which is left out"
  record Motion
    Real q;
    Real v;
    Real a;
  end Motion;
  function position
    input Motion m;
    input Real t;
    output Real p;
  algorithm
    p := m.q;
    annotation (derivative(noDerivative = m) = speed);
  end position;
  function speed
    input Motion m;
    input Real t;
    input Real dt;
    output Real v;
  algorithm
    v := m.v;
    annotation (derivative(noDerivative = m, order = 2) = acceleration);
  end speed;
  function acceleration
    input Motion m;
    input Real t;
    input Real dt;
    input Real ddt;
    output Real a;
  algorithm
    a := m.a;
  end acceleration;
  Motion m(q = 0, v = 3, a = 2 + sin(time));
  Real s, v, a, y(start = 0, fixed = true), vy(start = 0, fixed = true);
equation
  s = position(m, time);
  v = der(s);
  a = der(v);
  der(y) = vy;
  der(vy) = a - 4*(y - s);
end Recorded;
M
cat >Loop.mo <<'M'
model Loop "two levers whose tips are tied: angles are in rotations only, which are left out"
  record Rotation
    Real T[2, 2];
    Real w;
  end Rotation;
  function rotation
    input Real phi;
    input Real w;
    output Rotation R;
  algorithm
    R.T := {{cos(phi), -sin(phi)}, {sin(phi), cos(phi)}};
    R.w := w;
  end rotation;
  function turned
    input Rotation R;
    input Real v[2];
    output Real u[2];
  algorithm
    u := R.T*v;
    annotation (derivative(noDerivative = R) = turned_der);
  end turned;
  function turned_der
    input Rotation R;
    input Real v[2];
    input Real dv[2];
    output Real du[2];
  algorithm
    du := turned(R, dv + R.w*{-v[2], v[1]});
  end turned_der;
  Real a(start = 0.5, fixed = true), wa(start = 0, fixed = true), b(start = 0.4), wb, f;
  Rotation A = rotation(a, wa), B = rotation(b, wb);
  Real tip[2] = turned(A, {1, 0}), end_[2] = turned(B, {1, 0});
  Real speed, off "of the tip, from sin(a)' and sin(a)''";
equation
  der(a) = wa;
  der(b) = wb;
  der(wa) = -12*a + cos(a)*f;
  2*der(wb) = -cos(b)*f;
  tip[2] = end_[2];
  speed = der(tip[2]);
  off = abs(speed - cos(a)*wa) + abs(der(speed) - (cos(a)*der(wa) - sin(a)*wa^2));
end Loop;
M
root='
  algorithm
    for i in 1:60 loop
      m := (a + b)/2;
      if m^3 + m < x then
        a := m;
      else
        b := m;
      end if;
    end for;
    y := (a + b)/2;'
declared='
    input Real x;
    output Real y;
  protected
    Real a = -10, b = 10, m;'
told='
  function root_der
    input Real x;
    input Real dx;
    output Real dy;
  protected
    Real y = root(x);
  algorithm
    dy := dx/(3*y^2 + 1);
  end root_der;'
for name in Told Untold; do
    [ $name = Told ] && by='annotation (derivative = root_der);' || by=
    cat >$name.mo <<M
model $name "y^3 + y = x by bisection: as written its derivative is 0"
  function root$declared$root
    $by
  end root;$told
  Real y = root(5*sin(time)), off = der(y) - 5*cos(time)/(3*y^2 + 1);
  Real x(start = 1, fixed = true), z(start = 0.5), wrong, both = abs(off) + abs(wrong);
equation
  der(x) = -x + sin(time);
  z = root(x - z) + 0.1*x;
  wrong = (z - 0.1*x)^3 + z - 0.1*x - (x - z);
end $name;
M
done
cat >Turns.mo <<'M'
model Turns "the same by while, in an equation of the step"
  function root
    input Real x;
    output Real y;
  protected
    Real a = -10, b = 10, m;
  algorithm
    while b - a > 1e-13 loop
      m := (a + b)/2;
      a := if m^3 + m < x then m else a;
      b := if m^3 + m < x then b else m;
    end while;
    y := (a + b)/2;
  end root;
  Real z(start = 0.5), wrong;
equation
  z = root(2*sin(time) - z);
  wrong = z^3 + 2*z - 2*sin(time);
end Turns;
M
cat >Pieces.mo <<'M'
model Pieces "branches, rightly differentiated: nothing is told and nothing said"
  function piece
    input Real x;
    output Real y;
  algorithm
    y := if x > 1 then 2*x - 1 elseif x < -1 then x^3 else x*x;
  end piece;
  Real y = piece(3*sin(time)), v = der(y);
end Pieces;
M
cat >Quantized.mo <<'M'
model Quantized "a staircase is meant to be flat"
  function quantized
    input Real x;
    output Real y;
  algorithm
    y := floor(x*1000)/1000 + (if x > 1e6 then 1 else 0);
  end quantized;
  Real y = quantized(3*sin(time));
end Quantized;
M
cat >Inside.mo <<'M'
model Inside "Newton's iteration inside of a function: its last corrections are rounding, and no poles"
  function lambert "w*exp(w) = x"
    input Real x;
    output Real w;
  protected
    Real e;
  algorithm
    w := log(x);
    for i in 1:8 loop
      e := exp(w);
      w := w - (w*e - x)/(e*(w + 1));
    end for;
  end lambert;
  Real x = 2 + 1.5*sin(time), w = lambert(x), v = der(w), off = v - 1.5*cos(time)/(exp(w)*(1 + w));
end Inside;
M

quiet() {
    ! grep -q "W062[67]" "$work/err" || fail "$1: $(grep "W062[67]" "$work/err")"
}
says() {
    grep -q "root' is written so that its derivative is not that of its values.*W0627" "$work/err" ||
        fail "$1: $(head -1 "$work/err")"
}

# y'' + 4 y = 2 + sin t: y = (1 - cos 2t)/2 + sin(t)/3 - sin(2t)/6
for by in "" "--method radau5 --step 1ms"; do
    ends_with Carriage 2 v 3 1e-12 $by && quiet Carriage
    ends_with Carriage 2 a 2.9092974268 1e-9 $by
    ends_with Carriage 2 y 1.2560547019 1e-5 $by
    ends_with Asked 1 dy -0.541341133 1e-5 $by && quiet Asked
done
# v = sin t + 5 cos t; f({1, 5}) has the rate 5 sin t + cos t, so a = cos t
ends_with Selves 1 v 3.5429825141 1e-9 && ends_with Selves 1 a 0.54030230587 1e-9
# 3 x'' = -9 x
ends_with Tied 1 x -0.16055654 1e-5 && quiet Tied
ends_with Chain 1 off 0 1e-9 && quiet Chain
# records: the same as Carriage; 3 a'' = -12 a, and of the tip's height sin(a)
ends_with Recorded 2 y 1.2560547019 1e-5 && quiet Recorded
for by in "" "--method radau5 --step 10ms" "--method partition"; do
    ends_with Loop 2 a -0.3268218104 1e-5 $by && quiet "Loop $by"
done
for by in "" "--method be --step 10ms" "--method lie --step 10ms --static"; do
    ends_with Loop 2 off 0 1e-9 $by
done
run_takt build Loop.mo --step 1ms -o loop
[ "$code" = 0 ] || fail "Loop: no code"
printf '"time","q[1]","q[2]","q[3]"\n0,0,3,2\n2,0,3,4\n' >in.csv
ends_with Driven 2 f 20 1e-12 --input in.csv && quiet Driven
grep -q W1006 "$work/err" && fail "Driven: derivatives of inputs are asked for"
expect 1 "Inverse.mo:[0-9]*.*the derivative of a function in it leaves out what the equation.*E1012" \
    sim Inverse.mo --quiet -o out.csv
expect 3 "derivative arrays of a model with a function whose derivative leaves a Real out.*U1701" \
    sim Carriage.mo --method partition --quiet -o out.csv
for by in "" "--method radau5 --step 0.01" "--method lie --step 0.01 --static"; do
    ends_with Told 2 both 0 1e-5 $by && quiet "Told $by"
    ends_with Untold 2 both 0 1e-5 $by && says "Untold $by"
done
for by in "" "--method ida --step 0.01" "--method be --step 0.01"; do
    ends_with Turns 2 wrong 0 1e-5 $by && says "Turns $by"
done
ends_with Pieces 2 v -2.49688101928 1e-9 && quiet Pieces
ends_with Inside 6 off 0 1e-9 && quiet Inside
! grep -q W1360 "$work/err" || fail "Inside: $(grep W1360 "$work/err")"
ends_with Quantized 2 y 2.727 1e-9 && quiet Quantized
run_takt build Untold.mo --step 10ms -o code
[ "$code" = 0 ] || fail "Untold: no code"
${CC:-cc} -std=c99 -Wall -Wextra -Werror -ffp-contract=off -c code/Untold.c -o code.o ||
    fail "Untold: the code has warnings"
finish
