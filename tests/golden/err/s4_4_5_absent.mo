model M
  model A
    Real x = 1;
  end A;
  parameter Boolean use = false;
  A a if use;
  Real y = a.x;
end M;
