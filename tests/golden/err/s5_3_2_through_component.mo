model M
  model A
    model Inner
    end Inner;
  end A;
  A a;
  a.Inner inner1;
end M;
