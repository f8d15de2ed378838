model MotherBoard "Four amplifier stages, each a circuit of its own: nodes inside of devices"
  import Takt.Electrical.*;
  model Stage "Common emitter with its own passive parts"
    Takt.Interfaces.Pin supply, input_, output_, ground;
    Resistor upper(R = 47e3), lower(R = 10e3), collector(R = 2.2e3), emitter(R = 470);
    Capacitor into(C = 1e-6, v(start = 0, fixed = true));
    Capacitor bypass(C = 10e-6, v(start = 0, fixed = true));
    Npn transistor;
  equation
    connect(supply, upper.p);
    connect(supply, collector.p);
    connect(upper.n, lower.p);
    connect(lower.n, ground);
    connect(input_, into.p);
    connect(into.n, lower.p);
    connect(transistor.b, lower.p);
    connect(transistor.c, collector.n);
    connect(transistor.c, output_);
    connect(transistor.e, emitter.p);
    connect(emitter.n, ground);
    connect(bypass.p, emitter.p);
    connect(bypass.n, ground);
  end Stage;
  ConstantVoltage battery(V = 12);
  SineVoltage signal(V = 1e-4, f = 1000);
  Resistor cable(R = 1);
  Stage stage[4];
  Resistor load(R = 10e3);
  Ground ground;
equation
  connect(battery.n, ground.p);
  connect(signal.n, ground.p);
  connect(battery.p, cable.p);
  for k in 1:4 loop
    connect(cable.n, stage[k].supply);
    connect(stage[k].ground, ground.p);
  end for;
  connect(signal.p, stage[1].input_);
  for k in 1:3 loop
    connect(stage[k].output_, stage[k + 1].input_);
  end for;
  connect(stage[4].output_, load.p);
  connect(load.n, ground.p);
  annotation(experiment(StopTime = 0.05, Interval = 1e-5));
end MotherBoard;
