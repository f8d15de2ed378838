/* Two clocks, one shifted and read by the other, a state that is set at events,
 * and an end. */
model Clocked
  input Real push(start = 0) "on the mass, N";
  parameter Real k = 40 "stiffness, N/m";
  parameter Real m = 0.5 "mass, kg";
  Real x(start = 1, fixed = true) "position, m";
  Real v(start = 0, fixed = true) "speed, m/s";
  Clock fast = Clock(1, 500) "2 ms";
  Clock late = subSample(shiftSample(fast, 3), 5) "10 ms, from 6 ms on";
  Real xs, f(start = 0) "force of the controller, N";
  Real gain(start = 0.2) "of the damping";
  Integer n(start = 0) "ticks";
  Integer bumps(start = 0, fixed = true) "how often the mass has hit the wall";
  output Real y = x + bumps;
  discrete Real first(start = 0, fixed = true) "force at the last change of its side";
equation
  m*der(v) = push - k*x + hold(f);
  der(x) = v;
  xs = sample(x, fast);
  f = -gain0*(xs - previous(xs))/interval(xs);
  gain = if sample(x, late) > 0 then 0.3 else 0.15;
  n = previous(n) + (if sample(bumps, late) > 2 then 2 else 1);
  when x < -0.4 then
    reinit(v, -0.9*v);
    bumps = pre(bumps) + 1;
  end when;
  when hold(f) > 0 then
    first = hold(f);
  end when;
  when time >= 1.8 then
    terminate("done");
  end when;
protected
  Real gain0 = backSample(superSample(gain, 5), 3);
  annotation (experiment(StopTime = 1.79, Interval = 2e-3));
end Clocked;
