model M
  Real speed;
equation
  speed = 2*spede;
end M;
