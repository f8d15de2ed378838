/* A derivative in a partition with a clock needs a solverMethod (16.8). */
model s16_8_no_method
  Real x(start = 1);
equation
  der(x) = -x + sample(time, Clock(0.1));
end s16_8_no_method;
