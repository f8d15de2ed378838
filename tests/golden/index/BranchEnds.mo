// tolerance: 1e-3
// takt: sim --method partition @FILE@
// exit: 1
model BranchEnds "x^2 = 1 - time has no solution after time 1"
  Real x(start = 1), y(start = 0, fixed = true);
equation
  x^2 = 1 - time;
  der(y) = x;
  annotation(experiment(StopTime = 2));
end BranchEnds;
