// A volume of gas balances mass and energy; the medium prefers pressure and
// temperature. Nobody differentiates these, but with them known mass and energy
// follow without inverting anything: they are the states, their start values
// the initial conditions. The second volume has the mass that a source gives
// it at each time, so that its pressure stays what follows from its energy.
model PreferMedium
  parameter Real V = 0.1, R = 287, cv = 718;
  Real m, U, d, u;
  Real p(start = 1e5, nominal = 1e5, stateSelect = StateSelect.prefer);
  Real T(start = 300, nominal = 300, stateSelect = StateSelect.prefer);
  Real m2, U2;
  Real p2(start = 1e5, nominal = 1e5, stateSelect = StateSelect.prefer);
  Real T2(start = 300, nominal = 300);
equation
  m = V*d;
  U = m*u;
  u = cv*T;
  p = d*R*T;
  der(m) = 1e-3;
  der(U) = 1e-3*1005*350 - 20*(T - 290);
  m2 = 0.1 + 0.01*sin(time);
  U2 = m2*cv*T2;
  p2*V = m2*R*T2;
  der(U2) = 20*(T - T2);
end PreferMedium;
