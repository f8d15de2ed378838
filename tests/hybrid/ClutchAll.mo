// check: w3 5 1
// grid: 0.01
model ClutchAll "the same up to 5: all turn at 1"
  Real w1(start = 3, fixed = true), w2(start = 0, fixed = true), w3(start = 0, fixed = true), a1, a2, a3, f, g;
  Boolean lf(start = false, fixed = true), lg(start = false, fixed = true);
equation
  der(w1) = a1;
  der(w2) = a2;
  der(w3) = a3;
  a1 = -f;
  a2 = f - g;
  a3 = g;
  0 = if lf then a1 - a2 else f - 1;
  0 = if lg then a2 - a3 else g - 0.25;
  lf = pre(lf) or w1 <= w2;
  lg = pre(lg) or w2 <= w3 and time > 1;
end ClutchAll;
