model DriveTrain "A motor torque through a gear and an elastic shaft to a load"
  import Takt.Rotational.*;
  Takt.Blocks.Sources.Sine signal(amplitude = 10, f = 1);
  Torque torque;
  Inertia motor(J = 0.1);
  IdealGear gear(ratio = 10);
  Inertia wheel(J = 2, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Spring shaft(c = 1e4);
  Inertia load(J = 2, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Damper friction(d = 10);
  Fixed housing;
equation
  connect(signal.y, torque.u);
  connect(torque.a, motor.a);
  connect(motor.b, gear.a);
  connect(gear.b, wheel.a);
  connect(wheel.b, shaft.a);
  connect(shaft.b, load.a);
  connect(friction.a, load.b);
  connect(friction.b, housing.a);
  annotation(experiment(StopTime = 1, Interval = 0.001), Documentation(info = "The motor and the wheel turn together: index 3, two of the six candidates for states go."));
end DriveTrain;
