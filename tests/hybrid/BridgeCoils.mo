// check: L.i 6 14.5941283145
// grid: 0.01
// seen: 0.05
model BridgeCoils "three phases with inductances, six ideal diodes, a coil and a capacitor: with currents as states, which equation a diode is solved by decides on the digits of its neighbours"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model TwoPin
    Pin p, n;
    Real v, i;
  equation
    v = p.v - n.v;
    p.i + n.i = 0;
    i = p.i;
  end TwoPin;
  model Diode
    extends TwoPin;
    parameter Real Ron = 1e-5, Goff = 1e-5;
    Boolean off(start = true);
    Real s;
  equation
    off = s < 0;
    v = s*(if off then 1 else Ron);
    i = s*(if off then Goff else 1);
  end Diode;
  model Coil
    extends TwoPin(i(start = 0));
    parameter Real L;
  equation
    L*der(i) = v;
  end Coil;
  model Capacitor
    extends TwoPin(v(start = 0, fixed = true));
    parameter Real C;
  equation
    C*der(v) = i;
  end Capacitor;
  model Resistor
    extends TwoPin;
    parameter Real R;
  equation
    v = R*i;
  end Resistor;
  model Source
    extends TwoPin;
    parameter Real V, phase;
  equation
    v = V*sin(time + phase);
  end Source;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  parameter Real third = 2*3.141592653589793/3;
  Source v[3](each V = 100, phase = {0, -third, third});
  Coil Ls[3](each L = 0.3);
  Diode d[6];
  Coil L(L = 1.5, i(fixed = true));
  Resistor R(R = 10);
  Capacitor C(C = 0.03);
  Ground g;
initial equation
  Ls[1].i = 0;
  Ls[2].i = 0;
equation
  for k in 1:3 loop
    connect(v[k].n, v[1].n);
    connect(v[k].p, Ls[k].p);
    connect(Ls[k].n, d[k].p);
    connect(d[k].n, L.p);
    connect(d[3 + k].n, Ls[k].n);
    connect(d[3 + k].p, R.n);
  end for;
  connect(L.n, R.p);
  connect(C.p, R.p);
  connect(C.n, R.n);
  connect(g.p, R.n);
end BridgeCoils;
