model KickedPlain "Kicked with its rows as they are"
  constant Real g = 9.81;
  Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = true), vy(start = 0), lam(start = 0);
  Real wind;
  discrete Real brake(start = 0, fixed = true);
equation
  wind = if x < 0.3 then 2*(0.3 - x) + 1 else 0;
  der(x) = vx;
  der(y) = vy;
  der(vx) + lam*x - wind + brake*vx = 0;
  x^2 + y^2 - 1 = 0;
  der(vy) + lam*y + g + brake*vy = 0;
  when time >= 0.4 then
    reinit(vx, -0.5*pre(vx));
  end when;
  when sample(0, 0.25) then
    brake = abs(vx);
  end when;
  annotation(experiment(StopTime = 1));
end KickedPlain;
