model Streams "three-way junction with reversing flow"
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;
  model Source
    Port port;
    parameter Real h = 1;
    input Real m;
  equation
    port.m = -m;
    port.h = h;
  end Source;
  model Sink
    Port port;
    parameter Real h = 9;
    Real hin = inStream(port.h), hact = actualStream(port.h);
  equation
    port.p = 1;
    port.h = h;
  end Sink;
  Source a(h = 1, m = 1), b(h = 3, m = 1 + time);
  Sink s;
equation
  connect(a.port, s.port);
  connect(b.port, s.port);
  assert(abs(s.hin - (1 + 3*(1 + time))/(2 + time)) < 1e-6, "mix");
  assert(abs(s.hact - s.hin) < 1e-9, "act");
  assert(abs(s.port.m - (2 + time)) < 1e-9, "m");
end Streams;
