package P
  package Q
    constant Real density = 1;
  end Q;
  model M
    Real y = Q.densty;
  end M;
end P;
