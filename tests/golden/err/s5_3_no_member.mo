model M
  model Tank
    Real level = 1;
  end Tank;
  Tank tank;
  Real y = tank.levle;
end M;
