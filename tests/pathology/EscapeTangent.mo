// what: a tangent, which steps can jump over at its pole
// watch: x = tan(t)
// until: 1.55
// says: unsolved unbounded error
model EscapeTangent
  output Real x(start = 0, fixed = true);
equation
  der(x) = 1 + x^2;
  annotation(experiment(StopTime = 3, Interval = 0.05));
end EscapeTangent;
