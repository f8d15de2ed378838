model InitAlg "initial algorithm, parameters that initialisation finds"
  parameter Real p(fixed = false, start = 1), q(fixed = false), table[3](each fixed = false);
  Real x(start = 2), y(start = 1);
initial equation
  x = 3;
  der(x) = -6;
  p^2 = 4*q;
initial algorithm
  for i in 1:3 loop
    table[i] := i^2;
  end for;
equation
  der(x) = -p*x;
  y^3 + y = x + q;
  assert(abs(p - 2) < 1e-8 and abs(q - 1) < 1e-8, "p, q");
  assert(table[3] == 9, "table");
  assert(abs(x - 3*exp(-2*time)) < 1e-4, "x");
  assert(abs(y^3 + y - x - 1) < 1e-6, "y");
end InitAlg;
