model M
  partial function f
    input Real x;
    output Real y;
  end f;
  Real a = f(1);
end M;
