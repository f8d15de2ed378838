model Limiter "a motor whose voltage is limited"
  input Real wref(start = 10);
  parameter Real J = 0.01;
  parameter Real load = 0.1;
  output Real y = w;
  Real w(start = 0, fixed = true), i(start = 0, fixed = true);
  Real e(start = 0, fixed = true), u, wanted;
equation
  wanted = 20*(wref - w) + 50*e;
  u = if wanted > 24 then 24 elseif wanted < -24 then -24 else wanted;
  der(e) = wref - w;
  0.001*der(i) = u - 0.5*i - 0.05*w;
  J*der(w) = 0.05*i - load*w/(1 + abs(w));
  annotation(experiment(StopTime = 2));
end Limiter;
