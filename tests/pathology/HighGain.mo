// what: an amplifier with a gain of a million and feedback, saturating
// watch: y = 10*sin(5*t)
// says: unsolved
model HighGain
  Real s(start = 0, fixed = true);
  output Real y(start = 0);
equation
  der(s) = 1;
  y = 15*tanh(1e6/15*(10*sin(5*s) - y));
  annotation(experiment(StopTime = 3, Interval = 0.01));
end HighGain;
