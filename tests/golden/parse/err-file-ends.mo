package Lib
  model A
    Real x;
  equation
    if x > 1 then
      x = 2;
