package P
  function f
  end f;
  model M
    extends f;
  end M;
end P;
