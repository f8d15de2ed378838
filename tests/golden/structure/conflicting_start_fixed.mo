model ConflictingStartFixed "Two names of one thing with different fixed starts"
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
equation
  der(x) = -x;
  x = y;
end ConflictingStartFixed;
