model DiodeLadderLoop "as Ladder30, but each diode has a series resistance: one scalar nonlinear algebraic equation per stage"
  parameter Integer n = 30;
  parameter Real R = 10, Lh = 1e-3, C = 1e-6, G = 1e-4;
  parameter Real Is = 1e-9, Vt = 0.05, Rd = 2;
  parameter Real Rs = 5, Amp = 5, f = 200;
  Real vs;
  Real i[n](each start = 0, each fixed = true) "inductor currents";
  Real v[n](each start = 0, each fixed = true) "capacitor voltages";
  Real u[n](each start = 0) "junction voltages";
equation
  vs = Amp*sin(2*3.14159265358979*f*time);
  Lh*der(i[1]) = vs - (Rs + R)*i[1] - v[1];
  for k in 2:n loop
    Lh*der(i[k]) = v[k-1] - R*i[k] - v[k];
  end for;
  for k in 1:n loop
    v[k] = u[k] + Rd*Is*(exp(u[k]/Vt) - 1);
  end for;
  for k in 1:n-1 loop
    C*der(v[k]) = i[k] - i[k+1] - (v[k]-u[k])/Rd - G*v[k];
  end for;
  C*der(v[n]) = i[n] - (v[n]-u[n])/Rd - G*v[n];
  annotation(experiment(StopTime = 0.01, Interval = 1e-06), Documentation(info = "The diodes have a series resistance: 30 scalar nonlinear equations to solve at every step."));
end DiodeLadderLoop;
