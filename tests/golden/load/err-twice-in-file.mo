model A
  Real x = 1;
end A;
model B
end B;
model A
  Real y = 2;
end A;
