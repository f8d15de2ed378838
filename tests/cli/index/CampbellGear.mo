model CampbellGear "Differentiation index 1, uniform index 3"
  Real y1(start = 0), y2(start = 1), y3(start = 0);
equation
  y3*der(y2) + y1 = sin(time);
  y3*der(y3) + y2 = cos(time);
  (2 + sin(time))*y3 = 0;
  annotation(experiment(StopTime = 1));
end CampbellGear;
