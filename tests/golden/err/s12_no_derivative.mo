// exit: 0
model NoDerivative "the derivative has too few inputs to be one"
  function position
    input Real q_qd[2];
    input Real t;
    output Real q;
  algorithm
    q := q_qd[1];
    annotation (derivative(noDerivative = q_qd) = position_der);
  end position;
  function position_der
    input Real q_qd[2];
    input Real t;
    output Real qd;
  algorithm
    qd := q_qd[2];
  end position_der;
  Real x = position({sin(time), 7}, time);
  Real v = der(x);
end NoDerivative;
