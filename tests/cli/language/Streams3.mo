model Streams3
  connector P
    Real p; flow Real m; stream Real h;
  end P;
  model Source
    P c; parameter Real m; parameter Real h;
  equation
    c.m = -m; c.h = h;
  end Source;
  model Sink
    P c; Real hin = inStream(c.h), hact = actualStream(c.h);
  equation
    c.p = 1; c.h = 99;
  end Sink;
  Source a(m = 2, h = 10), b(m = 3, h = 20);
  Sink s;
  Real into_a = inStream(a.c.h);
equation
  connect(a.c, s.c);
  connect(b.c, s.c);
equation
  assert(time < 0.999 or abs(s.hin - (16)) < 2e-6*(1 + abs(16)), "s.hin");
  assert(time < 0.999 or abs(s.hact - (16)) < 2e-6*(1 + abs(16)), "s.hact");
  assert(time < 0.999 or abs(s.c.m - (5)) < 2e-6*(1 + abs(5)), "s.c.m");
  assert(time < 0.999 or abs(into_a - (20)) < 2e-6*(1 + abs(20)), "into_a");
end Streams3;
