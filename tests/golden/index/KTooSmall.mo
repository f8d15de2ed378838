// tolerance: 1e-3
// takt: index --most 2 @FILE@
// exit: 1
model KTooSmall
  Real x[5];
equation
  x[1] = sin(time);
  for i in 1:4 loop
    der(x[i]) = x[i + 1];
  end for;
end KTooSmall;
