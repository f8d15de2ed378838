// check: x 3 1
// grid: 0.01
model ToRest "speed 1, friction 1/2: rests at 1 from 2 on"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Boolean moves(start = true, fixed = true);
equation
  der(x) = v;
  der(v) = if moves then -0.5 else 0;
  moves = pre(moves) and v > 0;
end ToRest;
