model InverterChain "a pulse goes through inverters of one transistor each"
  parameter Integer n = 20 "inverters";
  parameter Real U = 5, K = 100, UT = 1;
  Real v[n], vin "voltages";
  Real w[n] "and of the one before";
initial equation
  for i in 1:n loop
    der(v[i]) = 0;
  end for;
equation
  vin = if time <= 5 then 0 else if time <= 10 then time - 5 else if time <= 15 then 5 else if time <= 17 then 2.5*(17 - time) else 0;
  for i in 1:n loop
    w[i] = if i == 1 then vin else v[max(i - 1, 1)];
    der(v[i]) = U - v[i] - K*(max(w[i] - UT, 0)^2 - max(w[i] - v[i] - UT, 0)^2);
  end for;
  annotation(experiment(StopTime = 25), Documentation(info = "Inverter chain of Bartel, Guenther and Kvaerno (2002), in their units."));
end InverterChain;
