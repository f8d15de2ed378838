model M
  model A
    Real x = 1;
    model Inner
    end Inner;
  end A;
  A.Inner inner1;
end M;
