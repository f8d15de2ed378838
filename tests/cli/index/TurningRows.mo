model TurningRows "Rows that turn by more than a quarter: no rows and columns of the array serve all the way"
  Real x[3](start = {0, 1, 0}); // -sin(t), cos(t), sin(t)
  Real c, s;
equation
  c = cos(2*time);
  s = sin(2*time);
  0 = c*(x[3] - sin(time)) - s*(der(x[3]) - x[2]);
  0 = s*(x[3] - sin(time)) + c*(der(x[3]) - x[2]) + 0.3*(der(x[2]) - x[1]);
  0 = der(x[2]) - x[1] + 0.5*(s*(x[3] - sin(time)) + c*(der(x[3]) - x[2]));
  annotation(experiment(StopTime = 3));
end TurningRows;
