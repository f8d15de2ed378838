model Events "Events of state, of time, of sampling, and one from inside"
  input Real u;
  Real h(start = 1, fixed = true) "height of a ball, m";
  Real v(start = 0, fixed = true) "its speed, m/s";
  output Integer n(start = 0, fixed = true) "bounces";
  output Real y(start = 0, fixed = true) "follows a switched source";
  output Integer k(start = 0, fixed = true) "samples";
  Boolean late "strictly after 0.7";
  parameter Real e = 0.8;
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e * pre(v));
    n = pre(n) + 1;
  end when;
  late = time > 0.7;
  der(y) = (if late then 1 else 2) - y + u;
  when sample(0.25, 0.5) then
    k = pre(k) + 1;
  end when;
  annotation(experiment(StopTime = 3, Interval = 1e-3));
end Events;
