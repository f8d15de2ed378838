// check: i 2 2.5356920628
// grid: 0.01
model BridgeLoad "two bridges of diodes in series, supplied by sin and cos, on a coil: the current never ends"
  model D
    Real v, i, s;
  equation
    v = if s > 0 then 1e-3*s else s;
    i = if s > 0 then s else 1e-3*s;
  end D;
  model Bridge
    input Real u;
    Real i, v;
    D d1, d2, d3, d4;
    Real a "potential of the first pole of the source above that of the lower rail", j;
  equation
    d1.v = a - v;
    d2.v = a - u - v;
    d3.v = -a;
    d4.v = u - a;
    d1.i + d2.i = i;
    d1.i - d3.i = j;
    d4.i - d2.i = j;
  end Bridge;
  Bridge b1(u = sin(6*time)), b2(u = cos(6*time));
  Real i(start = 0, fixed = true);
equation
  b1.i = i;
  b2.i = i;
  0.2*der(i) = b1.v + b2.v - 0.5*i;
end BridgeLoad;
