// exit: 3
model M
  import Takt.Blocks.Tables.*;
  parameter Object1 inUsertab = Object1("NoName", "fromC", [0, 0], {2}, Smoothness.LinearSegments, Extrapolation.HoldLastPoint);
  parameter Object2 monotone = Object2("NoName", "NoName", [0, 0, 1; 0, 0, 1; 1, 0, 1], Smoothness.MonotoneContinuousDerivative1, Extrapolation.HoldLastPoint);
end M;
