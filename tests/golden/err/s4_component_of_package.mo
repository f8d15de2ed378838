package P
  package Q
  end Q;
  model M
    Q q;
  end M;
end P;
