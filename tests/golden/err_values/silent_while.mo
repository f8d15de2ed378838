// exit: 3
// The loop is given up, and with it the use of pre in it.
model While
  Real x(start = 1);
  Real y;
algorithm
  y := x;
  while y > 1 loop
    y := y - pre(x);
  end while;
equation
  der(x) = 1;
end While;
