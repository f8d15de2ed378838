model M
  Real x = 1;
  model Inner
    Real y = x;
  end Inner;
  Inner inner1;
end M;
