// check: q 1 0.2879082385696627
// grid: 0.01
model Thyristor "fired at 0.1, on to 1/2; sin(2 pi t) over resistor 1"
  Real s, v, i, q(start = 0, fixed = true);
  Boolean off(start = true, fixed = true), fire;
equation
  fire = time >= 0.1 and time < 0.2;
  off = s < 0 or pre(off) and not fire;
  v = s*(if off then 1 else 1e-5);
  i = s*(if off then 1e-5 else 1);
  sin(2*3.141592653589793*time) = v + i;
  der(q) = i;
end Thyristor;
