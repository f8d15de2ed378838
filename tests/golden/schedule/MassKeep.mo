// takt: check --dump=schedule --method lie --step 0.1 --algebraic keep --whole
model MassKeep "A mass matrix that varies with the state, a loop behind it"
  Real q1(start = 0.3), q2(start = 0.1), w1, w2;
  Real u, v;
equation
  der(q1) = w1;
  der(q2) = w2;
  2*der(w1) + cos(q1 - q2)*der(w2) = -sin(q1) + u;
  cos(q1 - q2)*der(w1) + der(w2) = -sin(q2) - v;
  u + 0.5*v = q1;
  u - v = w2;
end MassKeep;
