// what: a drive of 50 Hz seen every 20 ms: always the same phase
// watch: x = 100*(100*M_PI*exp(-t) + sin(100*M_PI*t) - 100*M_PI*cos(100*M_PI*t))/(1 + 1e4*M_PI*M_PI)
// says: error stability unsolved
model Aliased
  output Real x(start = 0, fixed = true);
equation
  der(x) = -x + 100*sin(100*3.14159265358979324*time);
  annotation(experiment(StopTime = 2, Interval = 0.02));
end Aliased;
