model M
  model Body
    outer parameter Real g = 9.81;
    Real f = g;
  end Body;
  inner parameter Real g = 9.81;
  Body body;
end M;
