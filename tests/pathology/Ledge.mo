// what: a crest that is nearer to a limit than the run is off
// watch: n = t < 1.0165146 ? 0 : 1
// jump: 1.0165
// says: near error
// methods: be lie radau5 ida
model Ledge
  Real h(start = 0, fixed = true), v(start = 10, fixed = true);
  output Real n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h > 5.0968 then
    reinit(n, 1);
  end when;
  der(n) = 0;
  annotation(experiment(StopTime = 2, Interval = 0.001));
end Ledge;
