model BacklashDrive "Play in a gear: the load lags, knocks and rebounds"
  import Takt.Rotational.*;
  Takt.Blocks.Sources.Sine signal(amplitude = 5, f = 0.5);
  Torque torque;
  Inertia motor(J = 0.05, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Backlash teeth(c = 5e3, d = 2, gap = 0.02, stateSelect = StateSelect.avoid);
  Inertia load(J = 0.2, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  BearingFriction bearing(d = 0.2, tau0 = 0.5);
equation
  connect(signal.y, torque.u);
  connect(torque.a, motor.a);
  connect(motor.b, teeth.a);
  connect(teeth.b, load.a);
  connect(load.b, bearing.a);
  annotation(experiment(StopTime = 4, Interval = 0.001));
end BacklashDrive;
