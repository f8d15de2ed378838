// takt: check --dump=inlined --method lie --step 0.01 --positions trapezoid @FILE@
model PendulumPositions "an angle and its speed, a position whose speed is of another sign"
  Real phi(start = 1, fixed = true), w(start = 0, fixed = true);
  Real s(start = 0, fixed = true);
  Real level(start = 1, fixed = true);
  Real path(start = 0, fixed = true), speed = 2*rise, rise = sin(time);
  input Real given;
  Real driven(start = 0, fixed = true);
equation
  w = der(phi);
  der(w) = -9.81*sin(phi);
  -der(s) = w;
  der(level) = -level;
  der(path) = speed;
  der(driven) = given;
end PendulumPositions;
