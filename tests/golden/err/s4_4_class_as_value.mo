model M
  model A
  end A;
  Real y = A;
end M;
