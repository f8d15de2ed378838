package Lib
  model A
    Real x;
  equation
    x = 1;
  model B
    Real y;
  end B;
end Lib;
