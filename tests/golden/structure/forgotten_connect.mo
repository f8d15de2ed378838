model ForgottenConnect "The end of R hangs in the air"
  Kit.CurrentSource source;
  Kit.Resistor R(R = 5);
  Kit.Resistor load;
  Kit.Ground ground;
equation
  connect(source.p, ground.p);
  connect(source.n, load.p);
  connect(load.n, ground.p);
end ForgottenConnect;
