model QuarterCar "A wheel and a quarter of a car drive over a step"
  import Takt.Translational.*;
  Takt.Blocks.Sources.SmoothStep road(height = 0.05, duration = 0.02, startTime = 0.5);
  Position ground;
  Spring tyre(c = 2e5);
  Mass wheel(m = 40, s(start = 0, fixed = true), v(start = 0, fixed = true));
  SpringDamper suspension(c = 2e4, d = 1.5e3);
  Mass body(m = 300);
initial equation
  body.s = 0;
  body.v = 0;
equation
  connect(road.y, ground.u);
  connect(ground.a, tyre.a);
  connect(tyre.b, wheel.a);
  connect(wheel.b, suspension.a);
  connect(suspension.b, body.a);
  annotation(experiment(StopTime = 3, Interval = 0.001), Documentation(info = "Positions are those above rest, so gravity does not appear."));
end QuarterCar;
