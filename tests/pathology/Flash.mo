// what: a peak of an algebraic variable that sets an event off
// says: within
// methods: lie rk4 ida
// watch: n = t < 0.7 ? 0 : 1
// jump: 0.7
model Flash
  Real phi(start = 0, fixed = true), y;
  output Integer n(start = 0, fixed = true);
equation
  der(phi) = 1;
  y = 1/(1 + ((phi - 0.7033)/1e-5)^2);
  when y > 0.5 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 0.01));
end Flash;
