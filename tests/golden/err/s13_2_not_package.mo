package P
  model A
    constant Real k = 1;
  end A;
  model M
    import P.A.*;
    Real y = k;
  end M;
end P;
