// Derivatives that enter in fixed combinations: the combinations are the states.
model natural "sums as states"
  parameter Real C = 2, D = 3;
  Real a(start = 1), b, c(start = 0.5), d "C (a' - b') twice; c and d with two parameters";
  Real e(start = 1), f, g(start = 2, stateSelect = StateSelect.prefer), h "e, f by all combinations; g is wished for";
equation
  C*(der(a) - der(b)) = -a;
  C*(der(b) - der(a)) = b - 1;
  C*der(c) + D*der(d) = -c;
  d = 2*c;
  der(e) + der(f) = -e;
  der(e) - der(f) = -f;
  der(g) + der(h) = -g;
  h = g^3;
end natural;
