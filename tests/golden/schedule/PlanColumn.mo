// takt: check --dump=schedule --plan plans/column.json
model PlanColumn "The model sees the old value of v; v itself is implicit"
  Real x(start = 1), v(start = 0);
equation
  der(x) = v - x;
  der(v) = -3*x - 0.1*v;
end PlanColumn;
