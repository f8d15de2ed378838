// what: a smooth pulse of a state, a thousandth of a step long
// says: within error
// watch: x = t < 0.7 ? 0 : exp(-(t-0.7))
// jump: 0.7
model PulseOfState
  output Real x(start = 0, fixed = true);
  Real phi(start = 0, fixed = true);
equation
  der(phi) = 1;
  der(x) = exp(-((phi - 0.7003)/1e-5)^2)/(1e-5*sqrt(3.14159265358979)) - x;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end PulseOfState;
