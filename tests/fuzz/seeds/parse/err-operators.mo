model A
equation
  a = b * -c;
  a = 10^-3;
  a = b^c^d;
  a = b < c < d;
  a = b == not c;
  a = 1 + if b then c else d;
  a = b - - c;
end A;
