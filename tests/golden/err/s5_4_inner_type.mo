model M
  model Body
    outer Boolean on;
    Real f = if on then 1 else 0;
  end Body;
  inner Real on = 1;
  Body body;
end M;
