model Fold "y has no value where x is below -0.003"
  Real x(start = 1, fixed = true);
  output Real y(start = 1);
equation
  der(x) = -y;
  y^2 + 0.1*y*exp(-y^2) = x;
  annotation(experiment(StopTime = 1, Interval = 0.01));
end Fold;
