model CurrentLoop "Two ideal gyrators in a loop with capacitors: hidden dependence of the node equations"
  parameter Real C = 1, g0 = 1;
  Real v1(start = 1), v2(start = 0), v3(start = 0), g;
equation
  g = g0*(1 + 0.5*cos(time));
  C*(der(v1) - der(v2)) + g*v3 = 0;
  C*g*(der(v2) - der(v1)) + v2 - g^2*v3 = sin(time);
  C*der(v3) = g*(v1 - v2) - v3;
  annotation(experiment(StopTime = 1));
end CurrentLoop;
