// tolerance: 1e-3
// exit: 1
// A chain of index 11: derivatives up to 9 do not determine all
model TooHigh
  Real x[11];
equation
  x[1] = sin(time);
  for i in 1:10 loop
    der(x[i]) = x[i + 1];
  end for;
end TooHigh;
