model Equal "Relations that are equal to the last bit where they are looked at"
  Real x(start = 0, fixed = true);
  discrete output Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  output Real k;
equation
  der(x) = 1;
  when x > 1 then
    n = pre(n) + 1;
  end when;
  when x >= 1 then
    m = pre(m) + 1;
  end when;
  k = floor(x) + ceil(x);
  annotation(experiment(StopTime = 2, Interval = 0.01));
end Equal;
