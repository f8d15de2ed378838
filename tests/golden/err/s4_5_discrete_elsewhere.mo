/* A discrete Real gets its value in the component it is declared in (4.5.1). */
model s4_5_discrete_elsewhere
  model M
    discrete Real x;
  end M;
  M m;
equation
  when sample(0, 1) then
    m.x = 1;
  end when;
end s4_5_discrete_elsewhere;
