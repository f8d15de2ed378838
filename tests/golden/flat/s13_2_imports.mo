package P
  package Constants
    constant Real pi = 3.25;
    constant Real e = 2.5;
  end Constants;
  encapsulated package Q
    import C = P.Constants;
    import P.Constants.e;
    model A
      import P.Constants.{pi};
      Real x = C.pi + e + pi;
    end A;
  end Q;
  model M
    import P.Constants.*;
    Q.A a;
    Real y = pi;
  end M;
end P;
