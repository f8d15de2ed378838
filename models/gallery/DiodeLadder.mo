model DiodeLadder "stiff RLC ladder, 30 stages, exponential diode to ground at every stage"
  parameter Integer n = 30;
  parameter Real R = 10, Lh = 1e-3, C = 1e-6, G = 1e-4;
  parameter Real Is = 1e-9, Vt = 0.05;
  parameter Real Rs = 5, Amp = 5, f = 200;
  Real vs;
  Real i[n](each start = 0, each fixed = true) "inductor currents";
  Real v[n](each start = 0, each fixed = true) "capacitor voltages";
  Real id[n] "diode currents";
equation
  vs = Amp*sin(2*3.14159265358979*f*time);
  Lh*der(i[1]) = vs - (Rs + R)*i[1] - v[1];
  for k in 2:n loop
    Lh*der(i[k]) = v[k-1] - R*i[k] - v[k];
  end for;
  for k in 1:n loop
    id[k] = Is*(exp(v[k]/Vt) - 1);
  end for;
  for k in 1:n-1 loop
    C*der(v[k]) = i[k] - i[k+1] - id[k] - G*v[k];
  end for;
  C*der(v[n]) = i[n] - id[n] - G*v[n];
  annotation(experiment(StopTime = 0.01, Interval = 1e-06), Documentation(info = "A stiff nonlinear chain: 30 stages of R, L, C and a diode."));
end DiodeLadder;
