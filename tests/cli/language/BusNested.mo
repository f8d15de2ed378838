model Bus "expandable connectors, nested, with arrays"
  connector RealInput = input Real;
  connector RealOutput = output Real;
  expandable connector B
    Real known;
  end B;
  expandable connector Outer
    B inside;
  end Outer;
  model Sender
    Outer bus;
    RealOutput y = 2*time, v[2] = {time, -time};
  equation
    connect(y, bus.inside.speed);
    connect(v[1], bus.w[1]);
    connect(v[2], bus.w[2]);
  end Sender;
  model Receiver
    Outer bus;
    RealInput u, q;
  equation
    connect(bus.inside.speed, u);
    connect(bus.w[2], q);
  end Receiver;
  Sender s;
  Receiver r;
  Outer bus;
equation
  connect(s.bus, bus);
  connect(bus, r.bus);
  assert(abs(r.u - 2*time) < 1e-12 and abs(r.q + time) < 1e-12, "bus");
end Bus;
