// exit: 0
model M "a start value of what is always the same: told where it differs"
  Real a(start = 3, fixed = true) = 3;
  Real b(start = 1, fixed = true) = 3;
  Real c(start = -3, fixed = true);
  Real d(start = 2) "a guess";
equation
  c = -b;
  d = b;
end M;
