model Bom "two
lines"
  Real x; // c
equation
  x = 1;
end Bom;