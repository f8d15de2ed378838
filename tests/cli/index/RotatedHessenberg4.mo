model RotatedHessenberg4 "Prescribed chain of index 4, rows turned: x1 = sin(t), x2 = cos(t)"
  Real x1(start = 0), x2(start = 1), x3(start = 0), u(start = -1);
  Real c, s;
equation
  c = cos(0.5 + time);
  s = sin(0.5 + time);
  der(x1) = x2;
  c*(der(x2) - x3) + s*(x1 - sin(time)) = 0;
  c*(x1 - sin(time)) - s*(der(x2) - x3) = 0;
  der(x3) = u*(1 + 0.1*x1^2);
  annotation(experiment(StopTime = 1));
end RotatedHessenberg4;
