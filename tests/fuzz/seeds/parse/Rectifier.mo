model Rectifier "Bridge of four diodes with a smoothing capacitor"
  import Takt.Electrical.*;
  SineVoltage source(V = 12, f = 50);
  Resistor cable(R = 0.5);
  Diode upLeft, upRight, downLeft, downRight;
  Capacitor smoother(C = 1e-3, v(start = 0, fixed = true));
  Resistor load(R = 50);
  Ground ground;
equation
  connect(source.p, cable.p);
  connect(cable.n, upLeft.p);
  connect(cable.n, downLeft.n);
  connect(source.n, upRight.p);
  connect(source.n, downRight.n);
  connect(upLeft.n, smoother.p);
  connect(upRight.n, smoother.p);
  connect(downLeft.p, smoother.n);
  connect(downRight.p, smoother.n);
  connect(smoother.p, load.p);
  connect(smoother.n, load.n);
  connect(smoother.n, ground.p);
  annotation(experiment(StopTime = 0.1, Interval = 5e-5));
end Rectifier;
