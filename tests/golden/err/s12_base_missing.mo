model M
  function f
    extends Nothing;
  end f;
  Real y = f(1);
end M;
