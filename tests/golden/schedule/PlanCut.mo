// takt: check --dump=schedule --plan plans/cut.json
// exit: 0
model PlanCut "One entry is cut, one is frozen, one is not there"
  Real x(start = 1), v(start = 0);
equation
  der(x) = v - x;
  der(v) = -3*x - 0.1*v^3;
end PlanCut;
