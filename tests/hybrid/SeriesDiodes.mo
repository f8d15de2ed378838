// check: q 1 1.249930001086649
// grid: 0.02
model SeriesDiodes "six diodes in series across 50 V and 10 Ohm, no start values; the source turns at 1/4"
  model Diode
    parameter Real Ron = 1e-5, Goff = 1e-5;
    Real v, i, s;
    Boolean off = s < 0;
  equation
    v = s*(if off then 1 else Ron);
    i = s*(if off then Goff else 1);
  end Diode;
  Diode d[6];
  Real u = if time < 0.25 then 50 else -50, i, q(start = 0, fixed = true);
equation
  for k in 1:6 loop
    d[k].i = i;
  end for;
  u = sum(d[k].v for k in 1:6) + 10*i;
  der(q) = i;
end SeriesDiodes;
