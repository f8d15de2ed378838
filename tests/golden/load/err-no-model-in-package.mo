package P
  function f
  end f;
  partial model A
  end A;
end P;
