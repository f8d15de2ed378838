// what: a matrix that is singular at one point of the grid, where the equations agree
// watch: y = 1/(1 + t)
// watch: z = 1/(1 + t)
// says: singular unsolved
model SingularPass
  Real a(start = 0, fixed = true);
  output Real y(start = 1), z(start = 1);
equation
  der(a) = 1;
  a*y + z = 1;
  y + a*z = 1;
  annotation(experiment(StopTime = 3, Interval = 0.125));
end SingularPass;
