package P
  model Q
    replaceable model N = O;
    replaceable model O = N;
  end Q;
  model M
    extends Q;
    N n;
  end M;
end P;
