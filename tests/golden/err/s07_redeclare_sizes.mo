model M "a size that is given already, or another type"
  model A
    Real x[2, :] = ones(2, size(x, 2));
    Real y[:] = ones(size(y, 1));
  end A;
  A a(redeclare Real x[3, 4]), b(redeclare Integer y[2]);
end M;
