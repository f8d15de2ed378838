model M
  model A
  protected
    Real hidden = 1;
  end A;
  A a;
  Real y = a.hidden;
end M;
