model Probe "What probe2.c does, in Modelica: events seen at grid points"
  parameter Real g = 9.81;
  parameter Real k = 1000;
  input Real u(start = 0);
  input Integer count_in(start = 0);
  input Boolean on(start = false);
  output Real y = 2*T + u;
  output Integer count(start = 0, fixed = true);
  output Boolean on_out = on and count_in > 2;
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real T(start = 0, fixed = true);
  discrete Real next(start = 0.25, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  der(T) = k*(u - T);
  when h <= 0 then
    reinit(h, 0);
    reinit(v, -0.7*v);
  end when;
  when time >= pre(next) then
    count = pre(count) + 1;
    next = pre(next) + 0.25;
  end when;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end Probe;
