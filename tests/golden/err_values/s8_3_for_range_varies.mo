model M
  Real x = time;
equation
  for i in {x, 2*x} loop
    assert(i > 0, "positive");
  end for;
end M;
