// what: a discrete Real grows past the range of numbers
// watch: z = 0.25 + 0.75*pow(-3, floor(t/0.01 + 1e-6))
// until: 6.45
// says: unbounded
model DiscreteGrowth
  Real x(start = 0, fixed = true);
  discrete output Real z(start = 1, fixed = true);
equation
  der(x) = z/(1 + z^2);
  when sample(0.01, 0.01) then
    z = 1 - 3*pre(z);
  end when;
  annotation(experiment(StopTime = 10, Interval = 0.01));
end DiscreteGrowth;
