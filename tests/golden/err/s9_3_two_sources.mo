model M
  connector Out = output Real;
  model A
    Out y = 1;
  end A;
  A a, b;
equation
  connect(a.y, b.y);
end M;
