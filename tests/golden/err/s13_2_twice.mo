package P
  package A
    constant Real k = 1;
  end A;
  package B
    constant Real k = 2;
  end B;
  model M
    import P.A.k;
    import P.B.k;
    Real y = k;
  end M;
end P;
