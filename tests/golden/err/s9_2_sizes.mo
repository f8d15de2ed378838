model M
  connector P
    Real v;
    flow Real i;
  end P;
  P a[2], b[3];
equation
  connect(a, b);
end M;
