// check: y 0 2
// grid: 0.02
model StartSlope "der(w) occurs at the start only"
  Real x, y, w;
initial equation
  x = 1;
  der(w) = 4;
equation
  der(x) = y;
  der(y) = -x;
  w = 2*x;
end StartSlope;
