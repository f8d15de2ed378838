model A "the text
  Real x;
equation
  x = 1;
end A;
