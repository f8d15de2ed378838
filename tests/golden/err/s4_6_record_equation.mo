model M
  record R
    Real x;
  equation
    x = 1;
  end R;
  R r;
end M;
