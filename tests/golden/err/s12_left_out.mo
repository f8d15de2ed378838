model LeftOut "der(q) cannot follow from an equation whose derivative leaves q out"
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
    input Real t_der;
    output Real qd;
  algorithm
    qd := q_qd[2];
  end position_der;
  Real q, rate = der(q);
equation
  sin(time) = position({q, 1}, time);
end LeftOut;
