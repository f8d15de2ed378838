model M
  constant Real k;
  Real y = k;
end M;
