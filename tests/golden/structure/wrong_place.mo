model WrongPlace "As many equations as unknowns, but badly spread"
  Real a, b, c;
equation
  a + b = 1;
  sin(a) - b = time;
  a*b = 3;
end WrongPlace;
