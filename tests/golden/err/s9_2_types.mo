model M
  connector P = output Real;
  connector Q = input Boolean;
  model A
    P p = 1;
  end A;
  model B
    Q q;
  end B;
  A a;
  B b;
equation
  connect(a.p, b.q);
end M;
