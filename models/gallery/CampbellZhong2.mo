model CampbellZhong2 "Campbell/Zhong Example 2 (Eq. 54), index 2; f = exp(t), g = 2 + sin(t)"
  Real x(start = -1.0), y(start = 2.0);
equation
  y*der(y) + x = exp(time);
  y = 2 + sin(time);
  annotation(experiment(StopTime = 1), Documentation(info = "Campbell and Zhong 1994, example 2."));
end CampbellZhong2;
