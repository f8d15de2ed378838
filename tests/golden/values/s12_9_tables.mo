// Values of tables that are known when the model is compiled, by hand: points
// (0, 0), (1, 1), (2, 4), (4, 16) in one direction, u1 + 10 u2 on a grid in two.
model M
  import Takt.Blocks.Tables.*;
  constant Real points[4, 2] = [0, 0; 1, 1; 2, 4; 4, 16];
  parameter Object1 lines = Object1("NoName", "NoName", points, {2}, Smoothness.LinearSegments, Extrapolation.LastTwoPoints);
  parameter Object1 steps = Object1("NoName", "NoName", points, {2}, Smoothness.ConstantSegments, Extrapolation.HoldLastPoint);
  parameter Object1 again = Object1("NoName", "NoName", points, {2}, Smoothness.LinearSegments, Extrapolation.Periodic);
  parameter Object1 akima = Object1("NoName", "NoName", points, {2}, Smoothness.ContinuousDerivative, Extrapolation.LastTwoPoints);
  parameter Object1 steffen = Object1("NoName", "NoName", points, {2}, Smoothness.MonotoneContinuousDerivative2, Extrapolation.HoldLastPoint);
  parameter Object2 plane = Object2("NoName", "NoName", [0, 0, 1, 3; 0, 0, 10, 30; 2, 2, 12, 32; 3, 3, 13, 33], Smoothness.ContinuousDerivative, Extrapolation.LastTwoPoints);
  final parameter Real atLines[5] = {value1(lines, 1, u) for u in {-1, 0, 1.5, 3, 5}} "-1, 0, 2.5, 10, 22";
  final parameter Real atSteps[5] = {value1(steps, 1, u) for u in {-1, 0.9, 1, 3, 5}} "0, 0, 1, 4, 16";
  final parameter Real atAgain[4] = {value1(again, 1, u) for u in {-2.5, 4, 5.5, 9.5}} "2.5, 16, 2.5, 2.5";
  final parameter Real atAkima[3] = {value1(akima, 1, u) for u in {-1, 1, 3}} "slope 0 at the left end; 1";
  final parameter Real atSteffen[2] = {value1(steffen, 1, u) for u in {2, 7}} "4, 16";
  final parameter Real onPlane[3] = {value2(plane, u, 2*u - 1) for u in {0.25, 1, 4}} "-4.75, 11, 74";
end M;
