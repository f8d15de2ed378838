model EngineMap "A combustion engine by its measured map drives a car through a cycle"
  /* The torque is a surface over speed and throttle (Akima), drag and rolling
   * resistance a curve over speed (monotone), the throttle a list of points
   * over time with jumps. */
  import Takt.Blocks.Tables;
  Tables.Table2 torque(
    table = [0, 0, 0.25, 0.5, 1;
             80, -8, 55, 95, 118;
             150, -12, 62, 120, 152;
             250, -18, 58, 132, 171;
             400, -28, 41, 125, 168;
             550, -40, 12, 96, 139],
    smoothness = Tables.Smoothness.ContinuousDerivative,
    extrapolation = Tables.Extrapolation.HoldLastPoint) "Torque over speed in rad/s and throttle";
  Tables.Table1 drag(
    table = [0, 4; 20, 6; 40, 13; 60, 26; 90, 58],
    smoothness = Tables.Smoothness.MonotoneContinuousDerivative2) "Torque at the wheel over its speed";
  Tables.TimeTable throttle(
    table = [0, 0.1; 0.5, 0.1; 0.5, 0.9; 3, 0.9; 4, 0.3; 6, 0.3; 6, 0; 8, 0.2]) "What the driver wants";
  parameter Real gear = 8 "Gear ratio";
  parameter Real J(unit = "kg.m2") = 0.25 "Inertia of the engine";
  parameter Real Jw(unit = "kg.m2") = 90 "Inertia of the car at the wheel";
  parameter Real c(unit = "N.m/rad") = 9000 "Stiffness of the shafts";
  parameter Real d(unit = "N.m.s/rad") = 120 "Their damping";
  Real w(unit = "rad/s", start = 100, fixed = true) "Speed of the engine";
  Real ww(unit = "rad/s", start = 12.5, fixed = true) "Speed of the wheel";
  Real twist(unit = "rad", start = 0, fixed = true) "Of the shafts";
  Real shaft(unit = "N.m") "Torque in the shafts";
equation
  torque.u1 = w;
  torque.u2 = throttle.y;
  drag.u = ww;
  shaft = c*twist + d*(w/gear - ww);
  der(twist) = w/gear - ww;
  J*der(w) = torque.y - shaft/gear;
  Jw*der(ww) = shaft - drag.y;
  annotation (experiment(StopTime = 8));
end EngineMap;
