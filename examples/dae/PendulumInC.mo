model PendulumInC "A pendulum whose equations are a C function: takt index and sim --method partition differentiate its source"
  pure function f "f(x', x, t), to be 0"
    input Real t;
    input Real x[5];
    input Real dx[5];
    output Real r[5];
  external "C" pendulum_f(t, x, dx, r)
    annotation(Include = "#include \"pendulum.c\"", IncludeDirectory = "modelica://PendulumInC");
    annotation(smoothOrder = 5);
  end f;
  Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = true), vy(start = 0), lam(start = 0);
equation
  zeros(5) = f(time, {x, y, vx, vy, lam}, {der(x), der(y), der(vx), der(vy), der(lam)});
  annotation(experiment(StopTime = 1));
end PendulumInC;
