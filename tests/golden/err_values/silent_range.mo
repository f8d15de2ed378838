// The range of the loop is that of an array that is wrong.
model Range
  package P
    constant Real c[2] = {1, nosuch};
  end P;
  Real y[2];
equation
  for i loop
    y[i] = P.c[i];
  end for;
end Range;
