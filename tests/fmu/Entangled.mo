/* At one moment the slow clock needs what the fast one has just found, and the
 * fast one what the slow one makes of it. */
model Entangled
  Clock fast = Clock(1, 100);
  Real x(start = 1), y(start = 0), z(start = 0);
equation
  x = sample(time, fast) + previous(x)/2;
  y = subSample(x, 3) + previous(y);
  z = superSample(y, 3) + x;
  annotation (experiment(StopTime = 1, Interval = 0.01));
end Entangled;
