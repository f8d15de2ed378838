model CampbellZhong1 "Campbell/Zhong Example 1 (Eq. 48), index 2, nonlinear in the derivative; f = exp(t), g = 2 + sin(t)"
  Real x(start = -1.0), y(start = 2.0);
equation
  y*der(y)^2 + x = exp(time);
  y = 2 + sin(time);
  annotation(experiment(StopTime = 1), Documentation(info = "Campbell and Zhong 1994, example 1."));
end CampbellZhong1;
