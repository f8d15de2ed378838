model Conditional
  connector RI = input Real; connector RO = output Real;
  block G
    RI u; RO y; parameter Real k = 2;
  equation y = k*u;
  end G;
  block S
    RO y = time;
  end S;
  parameter Boolean has = false; parameter Integer n = 3;
  S s; G g if has; G h if not has; G pass(k = 1);
  G many[n] if n > 2;
  Real y = pass.y;
equation
  connect(s.y, g.u); connect(g.y, pass.u);
  connect(s.y, h.u); connect(h.y, pass.u);
  for i in 1:n loop
    connect(s.y, many[i].u);
  end for;
equation
  assert(time < 0.999 or abs(y - (2)) < 2e-6*(1 + abs(2)), "y");
end Conditional;
