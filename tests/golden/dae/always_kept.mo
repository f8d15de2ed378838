// The start values of u and v are guesses, and with them their columns are
// parallel: by these numbers phi would have to give way. It has to stay.
model AlwaysKept
  Real phi(start = 1.2, fixed = true, stateSelect = StateSelect.always);
  Real w(start = 0.5, fixed = true, stateSelect = StateSelect.always);
  Real u(start = 0.3);
  Real v(start = 0.3);
equation
  w = der(phi);
  cos(phi) + 2*cos(u) = 2 + 2*cos(v);
  sin(phi) + 2*sin(u) = 2*sin(v);
  der(w) = -sin(phi) - 0.1*der(u) - 0.1*der(v);
end AlwaysKept;
