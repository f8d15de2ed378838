model s9_1_3_expandable "members of buses: added, declared, nested, handed on"
  expandable connector Sub
    Real torque "declared, connected";
    Real heat "declared, not connected: does not exist";
  end Sub;
  expandable connector Bus
    Sub sub;
  end Bus;
  connector Out = output Real;
  connector In = input Real;
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Sensor
    Out y = time;
    Out z[2] = {1, 2};
  end Sensor;
  model Ground
    Pin p;
  equation
    p.v = 1;
  end Ground;
  model Drive
    Bus bus;
    Sensor s;
    Out t = 3;
    Ground g;
  equation
    connect(s.y, bus.speed);
    connect(s.z, bus.pair);
    connect(t, bus.sub.torque);
    connect(g.p, bus.pin);
  end Drive;
  model Display
    Sub sub;
    In u;
  equation
    connect(sub.torque, u);
  end Display;
  Bus bus;
  Drive drive;
  Display display;
  Out u, w;
  Out first = 5;
equation
  connect(bus, drive.bus);
  connect(bus.sub, display.sub);
  connect(bus.speed, u);
  connect(bus.pair[2], w);
  connect(first, bus.list[1]);
end s9_1_3_expandable;
