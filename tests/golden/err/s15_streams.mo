/* Stream connectors (chapter 15). */
model s15_streams
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;
  connector NoFlow
    stream Real h;
  end NoFlow;
  connector TwoFlows
    Real p[2];
    flow Real m[2];
    stream Real h;
  end TwoFlows;
  connector Count
    Real p;
    flow Real m;
    stream Integer n;
  end Count;
  Port a(p = 1, h = 2);
  NoFlow b(h = 1);
  TwoFlows c(p = {1, 2}, h = 1);
  Count d(p = 1, n = 1);
  stream Real e = 1;
  Real x = inStream(a.p);
  Real y = actualStream(a);
  Real z = inStream(a.h + 1);
  parameter Integer n = integer(inStream(a.h));
  Real v[n];
end s15_streams;
