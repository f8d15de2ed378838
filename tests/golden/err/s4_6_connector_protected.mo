model M
  connector P
  protected
    Real v;
  end P;
  P p;
end M;
