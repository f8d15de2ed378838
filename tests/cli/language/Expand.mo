model Expand
  expandable connector Sub
  end Sub;
  expandable connector Bus
    Sub inner_bus;
  end Bus;
  connector RI = input Real;
  connector RO = output Real;
  connector II = input Integer;
  model A
    Bus bus; RO y = 3*time; RO[2] w = {1, 2};
  equation
    connect(y, bus.speed);
    connect(w, bus.inner_bus.w);
  end A;
  model B
    Bus bus; RI u; RI[2] v; Real z = u + v[1] + 10*v[2];
  equation
    connect(bus.speed, u);
    connect(bus.inner_bus.w, v);
  end B;
  A a; B b1, b2; Bus bus;
equation
  connect(a.bus, bus); connect(bus, b1.bus); connect(b1.bus, b2.bus);
equation
  assert(time < 0.999 or abs(b1.z - (24)) < 2e-6*(1 + abs(24)), "b1.z");
  assert(time < 0.999 or abs(b2.z - (24)) < 2e-6*(1 + abs(24)), "b2.z");
end Expand;
