model M
  Real x(start = 1);
  Boolean b = x > 0.5;
  Integer i = integer(10*x);
  Real m = mod(x, 0.3);
  Real d = delay(x, 0.1);
  Real h = homotopy(x^2, x);
  Real s = smooth(1, if x > 0 then x^2 else 0);
  Real e = noEvent(if x > 0 then x else -x);
  Real l = semiLinear(x, 1, 2);
  Boolean up = edge(b);
  Boolean turned = change(i);
  Boolean now = initial() or terminal() or sample(0, 0.5);
  Real z = der(x*x*time);
  constant Real f = floor(-1.5) + ceil(-1.5) + div(-7, 2) + mod(-7, 2) + rem(-7, 2) + sign(-3) + abs(-2);
equation
  der(x) = -x;
end M;
