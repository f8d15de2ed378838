// what: a cam that pushes for a thousandth of a turn
// says: within error unsolved
// methods: lie ros2 rk4 ida
// parts: 20000
// ode: x[0]=0, x[1]=0; d[0]=1+0.3*sin(t); d[1]=800*pow(fabs(cos(x[0])),200000.)-0.2*x[1]
// watch: x = x[1]
model Cam
  output Real x(start = 0, fixed = true);
  Real phi(start = 0, fixed = true);
equation
  der(phi) = 1 + 0.3*sin(time);
  der(x) = 800*abs(cos(phi))^200000 - 0.2*x;
  annotation(experiment(StopTime = 10, Interval = 0.05));
end Cam;
