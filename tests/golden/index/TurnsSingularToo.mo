// tolerance: 1e-3
// takt: sim --method completion @FILE@
// exit: 1
model TurnsSingularToo "Index 1 until time 1, where the algebraic equation loses y"
  Real x(start = 1, fixed = true), y(start = 0.3);
equation
  der(x) = -x + y;
  (1 - time)*y + 0.5*x = 1 - 0.2*time;
  annotation(experiment(StopTime = 2));
end TurnsSingularToo;
