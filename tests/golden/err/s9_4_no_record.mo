model M
  connector P
    Real v;
    flow Real i;
  end P;
  P p;
equation
  Connections.root(p);
end M;
