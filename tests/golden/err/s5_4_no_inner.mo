model M
  model Body
    outer Real gravity;
    Real f = gravity;
  end Body;
  Body body;
end M;
