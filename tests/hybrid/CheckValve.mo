// check: d 2 -0.4506938556659451
// grid: 0.01
model CheckValve "from 2 down to 0 at ln(9)/2, then it closes"
  Real d(start = 2, fixed = true), q;
equation
  q = if d > 0 then d else 0;
  der(d) = -2*q - 0.5;
end CheckValve;
