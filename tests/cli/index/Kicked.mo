model Kicked "A pendulum with turned rows: a kick at 0.4, a wind that blows on one side only, a sampled brake"
  constant Real g = 9.81;
  Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = true), vy(start = 0), lam(start = 0);
  Real c, s, wind;
  discrete Real brake(start = 0, fixed = true);
equation
  c = cos(0.7*time);
  s = sin(0.7*time);
  wind = if x < 0.3 then 2*(0.3 - x) + 1 else 0;
  der(x) = vx;
  der(y) = vy;
  c*(der(vx) + lam*x - wind + brake*vx) + s*(x^2 + y^2 - 1) = 0;
  c*(x^2 + y^2 - 1) - s*(der(vx) + lam*x - wind + brake*vx) = 0;
  der(vy) + lam*y + g + brake*vy = 0;
  when time >= 0.4 then
    reinit(vx, -0.5*pre(vx));
  end when;
  when sample(0, 0.25) then
    brake = abs(vx);
  end when;
  annotation(experiment(StopTime = 1));
end Kicked;
