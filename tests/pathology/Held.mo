// what: instants of sample() between points of the grid: what is held is held late
// ode: x[0]=0; double k_ = floor(t/0.07 + 1e-9); d[0] = sin(20*0.07*k_)
// watch: x = x[0]
// says: error
// methods: be radau5
model Held
  discrete Real u(start = 0, fixed = true);
  output Real x(start = 0, fixed = true);
equation
  when sample(0, 0.07) then
    u = sin(20*time);
  end when;
  der(x) = u;
  annotation(experiment(StopTime = 3, Interval = 0.05));
end Held;
