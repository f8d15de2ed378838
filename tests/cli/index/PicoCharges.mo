model PicoCharges "Charges of picocoulombs within microseconds: rows that are far apart"
  Real q1(nominal=1e-12,start=0), q2(nominal=1e-12), u1(start=0), u2(start=0), i(nominal=1e-6);
equation
  q1 = 1e-12*(u1 + 0.1*u1^3);
  q2 = 2e-12*u2;
  der(q1) + der(q2) = 0;
  der(q1) = i;
  u1 = sin(1e6*time);
  annotation(experiment(StopTime=1e-6));
end PicoCharges;
