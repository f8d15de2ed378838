model FloatingNode "two nonlinear capacitors at a node without any other path; its charge is an invariant"
  constant Real pi = 3.14159265358979323846264338327950288;
  parameter Real C1 = 1.0, C2 = 2.0 "pF, at 0 V";
  parameter Real V1 = 1.0, V2 = 0.6 "V, at which they double";
  parameter Real A = 1.5 "V", f = 1e6 "Hz";
  parameter Real v0 = 0.5 "V, at the start";
  parameter Real Q0 = C1*(v0 + v0^3/(3*V1^2)) + C2*(v0 + v0^3/(3*V2^2));
  Real v(start = v0, fixed = true) "of the node";
  Real u "of the driven side", v1, Q "pC", dQ;
equation
  u = A*sin(2*pi*f*time);
  v1 = v - u;
  C1*(1 + (v1/V1)^2)*(der(v) - 2*pi*f*A*cos(2*pi*f*time)) + C2*(1 + (v/V2)^2)*der(v) = 0;
  Q = C1*(v1 + v1^3/(3*V1^2)) + C2*(v + v^3/(3*V2^2));
  dQ = (Q - Q0)/C2 "V: must stay 0";
  annotation(experiment(StopTime = 1e-4, Interval = 1e-8), Documentation(info = "Capacitances in place of charges: a step loses charge though the equations do not (Yang, Epler and Chatterjee 1983). dQ is an invariant."));
end FloatingNode;
