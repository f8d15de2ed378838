model Ladder100 "100 nodes: resistors in a row, a capacitor and a diode at each"
  parameter Integer n = 100;
  parameter Real R = 100, C = 1e-6, Is = 1e-9, Vt = 0.04;
  Real v[n](each start = 0, each fixed = true);
  Real source = 2*sin(50*time);
equation
  for i in 1:n loop
    C*der(v[i]) = ((if i > 1 then v[max(i - 1, 1)] else source) - v[i])/R
      - (if i < n then v[i] - v[min(i + 1, n)] else 0)/R
      - Is*(exp(v[i]/Vt) - 1);
  end for;
  annotation (experiment(StopTime = 0.1, Interval = 0.0001));
end Ladder100;
