model M
  model A
    replaceable Real x = 1;
  end A;
  A a(redeclare model x = M);
end M;
