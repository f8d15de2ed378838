model Longer "A pendulum with turned rows whose length jumps: what has a derivative does not"
  constant Real g = 9.81;
  Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = true), vy(start = 0), lam(start = 0);
  Real c, s;
  discrete Real l(start = 1, fixed = true);
equation
  c = cos(0.7*time);
  s = sin(0.7*time);
  der(x) = vx;
  der(y) = vy;
  c*(der(vx) + lam*x) + s*(x^2 + y^2 - l^2) = 0;
  c*(x^2 + y^2 - l^2) - s*(der(vx) + lam*x) = 0;
  der(vy) + lam*y + g = 0;
  when time >= 0.5 then
    l = 1.1;
  end when;
  annotation(experiment(StopTime = 1));
end Longer;
